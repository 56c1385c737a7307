// `npm run bench [-- name…]`: builds, then runs the named benches of bench/ one after the other, or all of them.
// Words after the name of a bench select its scenarios: `npm run bench -- fleet many tiny`.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

const benches = fs.readdirSync(path.join(root, 'bench')).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? []);
/** Benches whose scenarios can be run separately. */
const WITH_SCENARIOS = ['console', 'fleet', 'turns', 'webhooks'];
/** Benches that read the sources with the compiler. */
const NEEDS_DEVELOPMENT = ['patterns'];
const selected = [];
let unknown;
for (const word of process.argv.slice(2)) {
  const last = selected.at(-1);
  if (benches.includes(word)) selected.push({ name: word, scenarios: [] });
  else if (WITH_SCENARIOS.includes(last?.name)) last.scenarios.push(word);
  else unknown ??= word;
}
if (unknown) {
  console.error(`There is no bench "${unknown}". Use one of: ${benches.join(', ')}`);
  process.exit(2);
}

try {
  const runs = selected.length > 0 ? selected : benches.map((name) => ({ name, scenarios: [] }));
  await ensureInstalled({ development: runs.some(({ name }) => NEEDS_DEVELOPMENT.includes(name)) });
  const dist = await build({ use: true });
  let failed = 0;
  for (const { name, scenarios } of runs) {
    if ((await run(path.join(dist, 'bench', `${name}.js`), scenarios)) !== 0) failed++;
  }
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', program, ...args], { cwd: root, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
