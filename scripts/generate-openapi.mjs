// Writes docs/openapi.json from the routes and their decorators; `--check` only says whether it differs. It reads the
// compiled sources, so it builds first, and needs no database.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

const TARGET = 'docs/openapi.json';

await ensureInstalled();
const dist = await build({ use: true });
const { describeOffline } = await import(
  pathToFileURL(path.join(dist, 'src/api-description/offline-description.js')).href
);
const wanted = `${JSON.stringify(await describeOffline(), null, 2)}\n`;
const file = path.join(root, TARGET);
if (!process.argv.includes('--check')) {
  fs.writeFileSync(file, wanted);
} else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== wanted) {
  console.log(`${TARGET} is out of date: run node scripts/generate-openapi.mjs`);
  process.exitCode = 1;
}
// Nothing was started, but some constructors of libraries keep timers.
process.exit();
