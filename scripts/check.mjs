// `npm run check`: checks types, format, lint, import order, house rules, licences and drift of generated files.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { findExtensions } from './extensions.mjs';
import { ensureInstalled, root } from './install.mjs';
import { runStep } from './steps.mjs';

const bin = (...parts) => path.join(root, 'node_modules', ...parts);
const node = (name, ...args) => ({ name, args });
const sources = ['src', 'simulator', 'sandbox', 'migrations', 'test', 'bench', 'clients/typescript/src'];

try {
  await ensureInstalled({ development: true });
  await build();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// Each generator is scripts/generate-<name>.mjs; with --check it writes nothing and fails if its output would differ.
const generators = fs.readdirSync(path.join(root, 'scripts')).filter((name) => /^generate-.*\.mjs$/.test(name));

const tsc = bin('typescript', 'bin', 'tsc');
const biome = bin('@biomejs', 'biome', 'bin', 'biome');
const cruise = bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs');
// The example is checked as the others are.
const extensions = findExtensions(`${process.env.EXTENSIONS_DIR ?? ''}:examples/extension-surveys`);
const linked = linkExtensions();
const steps = [
  node('types', tsc, '--noEmit', '--project', linked),
  node('types of the console', tsc, '--noEmit', '--project', 'console'),
  node('format and lint', biome, 'ci', '--colors=off', '.'),
  node('import order', cruise, '--output-type', 'err', ...sources, 'console', linked),
  node('house rules', path.join(root, 'scripts', 'house-rules.mjs')),
  node('licences', path.join(root, 'scripts', 'licences.mjs')),
  node(
    'format and lint of extensions',
    ...[biome, 'ci', '--colors=off', '--vcs-enabled=false', `--config-path=${root}`],
    ...extensions.map(({ folder }) => folder),
  ),
  ...generators.map((name) => node(`${name} --check`, path.join(root, 'scripts', name), '--check')),
];

let failed = 0;
const waiting = [...steps];
const runners = Array.from({ length: Math.min(os.availableParallelism(), 4) }, async () => {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    if (!(await runStep(step.name, step.args, root))) failed++;
  }
});
await Promise.all(runners);
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${steps.length} checks failed.`);
process.exit(failed === 0 ? 0 : 1);

/**
 * Links the extensions into a folder of the checkout, so that wherever they lie they find its packages, with a
 * tsconfig.json for them and the checkout. Returns the name of the folder.
 */
function linkExtensions() {
  const name = `.parley-extensions-${process.pid}`;
  const directory = path.join(root, name);
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory);
  for (const extension of extensions) fs.symlinkSync(extension.folder, path.join(directory, extension.name));
  const config = {
    extends: '../tsconfig.json',
    compilerOptions: { preserveSymlinks: true, rootDir: '..' },
    include: [...sources.map((source) => `../${source}`), ...extensions.map((extension) => extension.name)],
  };
  fs.writeFileSync(path.join(directory, 'tsconfig.json'), JSON.stringify(config));
  process.once('exit', () => fs.rmSync(directory, { recursive: true, force: true }));
  return name;
}
