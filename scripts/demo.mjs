// `npm run demo`: a campaign from beginning to end in a sandbox of its own, from a bare checkout.
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
  // Fresh each time: what an earlier demo left, running or not, goes first; the big part of it meanwhile.
  const { removePostgres } = await import('./pg.mjs');
  await removePostgres({ dataDir, inBackground: true });
  for (const name of fs.readdirSync(dataDir)) {
    // The simulator's record stays until the sandbox has made sure that the simulator is gone.
    if (/^(?:lock|simulator\.json|postgres\.old-.*)$/.test(name)) continue;
    fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
  const { runDemo } = await import(pathToFileURL(path.join(dist, 'sandbox', 'demo', 'main.js')).href);
  process.exit(await runDemo({ dataDir }));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
