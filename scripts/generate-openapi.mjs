// Writes docs/openapi.json from the routes and their decorators; `--check` only says whether it differs. The file is that
// of Parley itself; `--out FILE` writes one that also describes the extensions. It reads the compiled sources, so it
// builds first, and needs no database.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

const TARGET = 'docs/openapi.json';

await ensureInstalled();
const { values } = parseArgs({ options: { check: { type: 'boolean' }, out: { type: 'string' } } });
const dist = await build({ use: true, core: values.out === undefined });
const { describeOffline } = await import(
  pathToFileURL(path.join(dist, 'src/api-description/offline-description.js')).href
);
const wanted = `${JSON.stringify(await describeOffline(), null, 2)}\n`;
const file = values.out ?? path.join(root, TARGET);
if (!values.check) {
  fs.writeFileSync(file, wanted);
} else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== wanted) {
  console.log(`${TARGET} is out of date: run node scripts/generate-openapi.mjs`);
  process.exitCode = 1;
}
// Nothing was started, but some constructors of libraries keep timers.
process.exit();
