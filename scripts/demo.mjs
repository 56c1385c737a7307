// `npm run demo`: runs a whole campaign in its own sandbox, from a bare checkout.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { holdDataDirectory } from './data-directory.mjs';
import { ensureInstalled, requireNode, root } from './install.mjs';

requireNode();
const dataDir = path.join(root, '.parley-demo');
const lock = holdDataDirectory(dataDir);
process.once('exit', () => lock.release());

try {
  await ensureInstalled();
  const dist = await build({ use: true });
  process.setSourceMapsEnabled(true);
  // Each demo starts fresh: first remove what an earlier one left, its database in the background.
  const { removePostgres } = await import('./pg.mjs');
  await removePostgres({ dataDir, inBackground: true });
  for (const name of fs.readdirSync(dataDir)) {
    // Keep the simulator's record: the sandbox needs it to stop a simulator that is still running.
    if (/^(?:lock|simulator\.json|postgres\.old-.*)$/.test(name)) continue;
    fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
  const { runDemo } = await import(pathToFileURL(path.join(dist, 'sandbox', 'demo', 'main.js')).href);
  process.exit(await runDemo({ dataDir }));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
