import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url)));
delete swc.$schema;
/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/simulator', '<rootDir>/sandbox', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  // The fault suite takes minutes, needs the whole machine, and has its own configuration.
  testPathIgnorePatterns: ['/node_modules/', '/test/faults/'],
  transform: { '^.+\\.[tj]s$': ['@swc/jest', { ...swc, swcrc: false, module: { type: 'commonjs' } }] },
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@opentelemetry|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|load-esm|uuid)/)',
  ],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
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
  // Tests are fast; the limit allows for a busy machine.
  testTimeout: 120_000,
};
