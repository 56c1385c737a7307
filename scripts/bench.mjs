// `npm run bench [-- name…]`: builds, then runs bench/<name>.ts, one after the other; all of them without a name.
// What follows one and is no bench is a part of it: `npm run bench -- fleet many tiny`.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

const benches = fs.existsSync(path.join(root, 'bench'))
  ? fs.readdirSync(path.join(root, 'bench')).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
  : [];
/** Benches of several parts, which can be run by themselves. */
const PARTED = ['fleet', 'webhooks'];
const wanted = [];
let unknown;
for (const word of process.argv.slice(2)) {
  const last = wanted.at(-1);
  if (benches.includes(word)) wanted.push({ name: word, parts: [] });
  else if (PARTED.includes(last?.name)) last.parts.push(word);
  else unknown ??= word;
}
if (unknown || benches.length === 0) {
  console.error(
    `${unknown ? `There is no bench ${unknown}` : 'There are no benches'}; known: ${benches.join(', ') || 'none'}`,
  );
  process.exit(2);
}

try {
  await ensureInstalled();
  const dist = await build({ use: true });
  let failed = 0;
  for (const { name, parts } of wanted.length > 0 ? wanted : benches.map((name) => ({ name, parts: [] }))) {
    if ((await run(path.join(dist, 'bench', `${name}.js`), parts)) !== 0) failed++;
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
