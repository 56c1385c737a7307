// `npm run check`: checks types, format, lint, import order, house rules, licences and drift of generated
// files. Prints failures.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

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
    const started = performance.now();
    const { code, output } = await run(step.args);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`);
    if (code === 0) continue;
    failed++;
    console.log(output.trim().replace(/^/gm, '       '));
  }
});
await Promise.all(runners);
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${steps.length} checks failed.`);
process.exit(failed === 0 ? 0 : 1);

function run(args) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
