// Writes docs/queries/*.sql, the SQL that each read of contacts, groups, agents and conversations sends; `--check` only
// reports differences. It runs the compiled queries against a recorder instead of a database, so it builds first.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

const TARGET = 'docs/queries';

await ensureInstalled();
const dist = await build({ use: true, core: true });
const load = (file) => import(pathToFileURL(path.join(dist, file)).href);
const { DOCUMENTED_READS } = await load('bench/support/documented-reads.js');
const { recordStatements } = await load('bench/support/recorded-statements.js');

/** Any tenant and page will do, because the statements do not contain their parameters. */
const tenant = new Proxy({}, { get: (_, name) => String(name) });
const page = { page: 1, limit: 20 };

const documents = new Map();
for (const { room, name, requests, run } of DOCUMENTED_READS) {
  const statements = await recordStatements((tx) => run(tenant, page, tx));
  const text = statements.map(({ text: sql }) => `${dedented(sql)};\n`).join('\n');
  documents.set(room, [...(documents.get(room) ?? []), `-- ${name}\n-- ${requests}\n${text}`]);
}
const files = new Map(
  [...documents].map(([room, queries]) => [
    `${room}.sql`,
    ['-- Written by scripts/generate-queries-doc.mjs. Do not edit by hand.\n', ...queries].join('\n'),
  ]),
);

const directory = path.join(root, TARGET);
if (process.argv.includes('--check')) {
  const present = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
  for (const file of new Set([...files.keys(), ...present])) {
    const same = present.includes(file) && fs.readFileSync(path.join(directory, file), 'utf8') === files.get(file);
    if (same) continue;
    console.log(`${TARGET}/${file} is out of date: run node scripts/generate-queries-doc.mjs`);
    process.exitCode = 1;
  }
} else {
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory, { recursive: true });
  for (const [file, text] of files) fs.writeFileSync(path.join(directory, file), text);
}

/** A statement without its source indentation and without empty lines. */
function dedented(sql) {
  const [first, ...rest] = sql.split('\n').filter((line) => line.trim() !== '');
  const indentation = Math.min(...rest.map((line) => line.length - line.trimStart().length));
  return [first, ...rest.map((line) => line.slice(indentation))].map((line) => line.trimEnd()).join('\n');
}
