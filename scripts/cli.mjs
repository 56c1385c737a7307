// `npm run -s cli -- <noun> <verb> …`: runs a command from a bare checkout. Only the command itself writes to stdout.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

process.env.DATA_DIR = path.resolve(process.env.DATA_DIR || path.join(root, '.parley'));
try {
  await ensureInstalled();
  const dist = await build();
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(path.join(dist, 'src', 'cli.js')).href);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
