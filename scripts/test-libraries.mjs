// Bundles the libraries that tests load into one CommonJS file. jest loads every module anew for each test file, and
// finding, reading and wrapping two thousand small files took two thirds of the time that a file needs to start. The
// environment of the test files (test/environment.mjs) compiles the bundle once per worker.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findExtensions } from './extensions.mjs';
import { root } from './install.mjs';
import { bundleOptions, isBundled, keepClassNamesOnly } from './libraries.mjs';

const IMPORTING = ['src', 'simulator', 'sandbox', 'migrations', 'bench', 'test', 'clients/typescript/src'];
const DAY_MS = 86_400_000;
const CACHE = path.join(root, 'node_modules', '.cache');

/**
 * Makes the bundle, unless it is there.
 *
 * @returns its directory: `<specifier with / as __>.cjs` exports what the specifier does, `specifiers.json` lists them
 */
export async function bundleTestLibraries() {
  const specifiers = importedSpecifiers();
  const key = createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .update(fs.readFileSync(path.join(root, 'scripts/libraries.mjs')))
    .update(fs.readFileSync(fileURLToPath(import.meta.url)))
    .update(JSON.stringify(specifiers))
    .digest('hex');
  const directory = path.join(CACHE, `test-libraries-${key.slice(0, 12)}`);
  prune(directory);
  if (fs.existsSync(directory)) return directory;
  const temporary = `${directory}-${process.pid}`;
  fs.mkdirSync(temporary, { recursive: true });
  fs.writeFileSync(path.join(temporary, 'bundle.txt'), await bundled(specifiers));
  fs.writeFileSync(path.join(temporary, 'all.cjs'), 'globalThis.loadLibraries(module, require, __filename);\n');
  for (const specifier of specifiers) {
    const code = `module.exports = require('./all.cjs')[${JSON.stringify(specifier)}];\n`;
    fs.writeFileSync(path.join(temporary, `${specifier.replaceAll('/', '__')}.cjs`), code);
  }
  fs.writeFileSync(path.join(temporary, 'specifiers.json'), JSON.stringify(specifiers));
  try {
    fs.renameSync(temporary, directory);
  } catch (error) {
    // Another run has just finished the same bundle.
    fs.rmSync(temporary, { recursive: true });
    if (!fs.existsSync(directory)) throw error;
  }
  return directory;
}

/** Removes bundles of other sources that were made more than a day ago; another run may use a younger one. */
function prune(current) {
  if (!fs.existsSync(CACHE)) return;
  for (const name of fs.readdirSync(CACHE)) {
    const directory = path.join(CACHE, name);
    if (!name.startsWith('test-libraries-') || directory === current) continue;
    if (Date.now() - fs.statSync(directory).mtimeMs > DAY_MS) fs.rmSync(directory, { recursive: true, force: true });
  }
}

function importedSpecifiers() {
  const found = new Set();
  const directories = IMPORTING.map((directory) => path.join(root, directory));
  for (const directory of [...directories, ...findExtensions().map(({ folder }) => folder)]) {
    for (const file of fs.readdirSync(directory, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const code = fs.readFileSync(path.join(directory, file), 'utf8');
      for (const [, specifier] of code.matchAll(/^(?:import|export|\}) .*?from '([^'.][^']*)';$/gm)) {
        if (isBundled(specifier)) found.add(specifier);
      }
    }
  }
  return [...found, '@nestjs/testing'].sort();
}

/** One file, in which each library is evaluated when it is first asked for. */
async function bundled(specifiers) {
  const { build, stop } = await import('esbuild');
  const contents = specifiers.map(
    (name) => `get ${JSON.stringify(name)}() { return require(${JSON.stringify(name)}); },`,
  );
  try {
    const { outputFiles } = await build({
      ...bundleOptions({ without: ['@nestjs/testing'] }),
      stdin: { contents: `module.exports = {\n${contents.join('\n')}\n};`, resolveDir: root, loader: 'js' },
      format: 'cjs',
      // In jest, import() needs a flag of Node that is not there.
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': 'ownUrl' },
      banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
    });
    return keepClassNamesOnly(outputFiles[0].text);
  } finally {
    await stop();
  }
}
