// `npm start`: runs the sandbox from a bare checkout. Imports only Node built-ins until the dependencies are installed.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { holdDataDirectory } from './data-directory.mjs';
import { ensureInstalled, requireNode, root } from './install.mjs';

requireNode();
const dataDir = process.env.DATA_DIR ? path.resolve(process.env.DATA_DIR) : path.join(root, '.parley');
// First of all: a second start must not install or build while another one is running.
const lock = holdDataDirectory(dataDir);
const interrupted = () => process.exit(130);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupted);
process.once('exit', () => lock.release());

try {
  await ensureInstalled();
  const dist = await build({ use: true, alongside: createCluster });
  process.setSourceMapsEnabled(true);
  const { runSandbox } = await import(pathToFileURL(path.join(dist, 'sandbox', 'main.js')).href);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, interrupted);
  await runSandbox({ dataDir });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/** Compiling and creating the database cluster take seconds each, so a first start does both in parallel. */
async function createCluster() {
  if (process.env.DATABASE_URL?.trim() || process.env.DATABASE_URL_FILE?.trim()) return;
  const { preparePostgres } = await import('./pg.mjs');
  await preparePostgres({ dataDir });
}
