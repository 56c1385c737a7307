// Follows docs/extending.md: copies the checkout, applies exactly what the page shows, and runs checks and tests in the
// copy. `--short` runs only types, house rules, the generator and the module's own tests. The copy is removed unless something fails.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';
import { runStep } from './steps.mjs';

const PAGE = 'docs/extending.md';
const BLOCK = /^```\w+ (\S+)(?: after "(.*)")?\n([\s\S]*?)^```$/gm;

/**
 * Copies what Git would commit. The packages are links; `node_modules` itself is not, so that an installation in the copy
 * could only remove links.
 */
function copyCheckout() {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-extending-'));
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  for (const file of execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0')) {
    const from = path.join(root, file);
    if (file === '' || !fs.existsSync(from) || fs.lstatSync(from).isDirectory()) continue;
    fs.cpSync(from, path.join(copy, file));
  }
  const [from, to] = [path.join(root, 'node_modules'), path.join(copy, 'node_modules')];
  fs.mkdirSync(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) fs.symlinkSync(source, target);
    else fs.copyFileSync(source, target);
  }
  return copy;
}

/** Applies the blocks of the page in their order. */
function applyPage(copy) {
  const page = fs.readFileSync(path.join(root, PAGE), 'utf8');
  for (const [, file, anchor, content] of page.matchAll(BLOCK)) {
    const target = path.join(copy, file);
    if (anchor === undefined) {
      if (fs.existsSync(target)) throw new Error(`${PAGE} shows ${file} as a new file, but it exists`);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, content);
      continue;
    }
    const lines = fs.readFileSync(target, 'utf8').split('\n');
    const places = lines.flatMap((line, index) => (line.includes(anchor) ? [index] : []));
    if (places.length !== 1) {
      throw new Error(
        `${PAGE} adds to ${file} after "${anchor}", which occurs on ${places.length} lines instead of one`,
      );
    }
    lines.splice(places[0] + 1, 0, content.replace(/\n$/, ''));
    fs.writeFileSync(target, lines.join('\n'));
  }
}

const bin = (...parts) => path.join('node_modules', ...parts);
const jest = (...patterns) => [bin('jest', 'bin', 'jest.js'), '--forceExit', ...patterns];
const sources = ['src', 'simulator', 'sandbox', 'migrations', 'test', 'bench'];
// Two at a time: types need one processor for as long as the build does.
const SHORT = [
  [
    ['types', bin('typescript', 'bin', 'tsc'), '--noEmit'],
    ['house rules', 'scripts/house-rules.mjs'],
  ],
  [
    ['openapi.json', 'scripts/generate-openapi.mjs'],
    ['its own tests', ...jest('test/reminders')],
  ],
];
const LONG = [
  [
    ['format and lint', bin('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', 'src', 'test', 'migrations'],
    ['import order', bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--output-type', 'err', ...sources],
  ],
  [
    [
      'tests of every route, table and page',
      ...jest(
        ...['test/http/every-route', 'test/http/tenancy-matrix', 'test/idempotency/killed-posts'],
        ...['test/database/entities', 'test/database/tenancy', 'test/database/migrations'],
        ...['test/docs/architecture', 'test/docs/data-protection', 'test/docs/retention'],
      ),
    ],
  ],
];

await ensureInstalled({ development: true });
const copy = copyCheckout();
applyPage(copy);
let failed = 0;
for (const together of process.argv.includes('--short') ? [SHORT] : [SHORT, LONG]) {
  await Promise.all(together.map(runAll));
}
if (failed === 0) fs.rmSync(copy, { recursive: true });
else console.log(`${PAGE} does not work any more; its result is in ${copy}`);
process.exitCode = failed === 0 ? 0 : 1;

async function runAll(steps) {
  for (const [name, ...args] of steps) {
    if (!(await runStep(name, args, copy))) failed += 1;
  }
}
