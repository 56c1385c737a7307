// `npm run check`: checks types, format, lint, import order, house rules, licences and drift of generated files.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
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

const steps = [
  node('types', bin('typescript', 'bin', 'tsc'), '--noEmit'),
  node('format and lint', bin('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '.'),
  node('import order', bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--output-type', 'err', ...sources),
  node('house rules', path.join(root, 'scripts', 'house-rules.mjs')),
  node('licences', path.join(root, 'scripts', 'licences.mjs')),
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
