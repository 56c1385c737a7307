import { readFileSync } from 'node:fs';
import { findExtensions, PARLEY } from './scripts/extensions.mjs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url)));
delete swc.$schema;
const extensions = findExtensions();
const mapped = Object.entries(PARLEY).map(([specifier, file]) => [`^${specifier}$`, `<rootDir>/${file}`]);
/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/environment.mjs',
  // By default it would be in TMPDIR, which goes with each run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  runtime: '<rootDir>/test/runtime.mjs',
  roots: [
    '<rootDir>/src',
    '<rootDir>/simulator',
    '<rootDir>/sandbox',
    '<rootDir>/test',
    ...extensions.map(({ folder }) => folder),
  ],
  testMatch: ['**/*.spec.ts'],
  // The fault suite takes minutes and needs the whole machine; the console's needs a browser. Both have configurations.
  testPathIgnorePatterns: ['/node_modules/', '/test/faults/', '/test/console/browser/'],
  transform: { '^.+\\.[tj]s$': ['@swc/jest', { ...swc, swcrc: false, module: { type: 'commonjs' } }] },
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@opentelemetry|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|load-esm|uuid|whatsapp-api-js)/)',
  ],
  moduleNameMapper: {
    ...libraries(),
    ...(extensions.length > 0 && { '^\\./extensions\\.js$': '<rootDir>/test/support/found-extensions.ts' }),
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Its part for components is for browsers only.
    '^@preact/signals$': '@preact/signals-core',
    ...Object.fromEntries(mapped),
  },
  // For extensions that lie outside the checkout.
  modulePaths: ['<rootDir>/node_modules'],
  globals: { EXTENSIONS: extensions },
  globalSetup: '<rootDir>/test/global-setup.mjs',
  globalTeardown: '<rootDir>/test/global-teardown.mjs',
  setupFilesAfterEnv: [
    '<rootDir>/test/support/tenancy-setup.ts',
    '<rootDir>/test/support/described-setup.ts',
    '<rootDir>/test/support/fast-check-setup.ts',
  ],
  // One more than the cores of a small machine: tests spend a third of their time waiting.
  maxWorkers: 3,
  // Test files leak memory, and a worker with a large heap spends seconds on garbage collection in the midst of a test.
  workerIdleMemoryLimit: '600MB',
  // Tests are fast; the limit allows for a busy machine, and is longer than `until` waits.
  testTimeout: 240_000,
};

/** The libraries in one file, if scripts/test.mjs has bundled them: jest loads them anew for each test file. */
function libraries() {
  const directory = process.env.TEST_LIBRARIES;
  if (directory === undefined) return {};
  const specifiers = JSON.parse(readFileSync(`${directory}/specifiers.json`, 'utf8'));
  return Object.fromEntries(
    specifiers.map((specifier) => [`^${specifier}$`, `${directory}/${specifier.replaceAll('/', '__')}.cjs`]),
  );
}
