// `npm start`: the sandbox, from a bare checkout. Only Node built-ins are imported before dependencies exist.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { holdDataDirectory } from './data-directory.mjs';
import { ensureInstalled, requireNode, root } from './install.mjs';

requireNode();
const dataDir = process.env.DATA_DIR ? path.resolve(process.env.DATA_DIR) : path.join(root, '.parley');
// Before all else: a second start must not even install or build under a running one.
const lock = holdDataDirectory(dataDir);
const interrupted = () => process.exit(130);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupted);
process.once('exit', () => lock.release());

try {
  await ensureInstalled();
  const dist = await build({ use: true, alongside: makeCluster });
  process.setSourceMapsEnabled(true);
  const { runSandbox } = await import(pathToFileURL(path.join(dist, 'sandbox', 'main.js')).href);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, interrupted);
  await runSandbox({ dataDir });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/** A first start compiles and makes its database cluster: seconds each, so it does both at once. */
async function makeCluster() {
  if (process.env.DATABASE_URL?.trim() || process.env.DATABASE_URL_FILE?.trim()) return;
  const { preparePostgres } = await import('./pg.mjs');
  await preparePostgres({ dataDir });
}
