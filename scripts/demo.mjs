// `npm run demo`: runs a whole campaign in its own sandbox, from a bare checkout. `npm run demo -- --watch` runs one
// after the other in the sandbox of `npm start`, to be watched; with `--inbox` customers write to it, to be answered.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { holdDataDirectory } from './data-directory.mjs';
import { ensureInstalled, requireNode, root } from './install.mjs';

const USAGE = 'npm run demo [-- --watch [--people 1200] | -- --inbox]';
/** Recipients of each campaign that is watched: a minute. */
const PEOPLE = 1200;
const MAX_PEOPLE = 10_000;

requireNode();
const { kind, people } = readArguments(process.argv.slice(2));
try {
  process.exit(await (kind === 'demo' ? demo() : beside(kind)));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

function readArguments([first, option, text, ...others]) {
  if (first === undefined) return { kind: 'demo' };
  if (first === '--inbox') {
    if (option !== undefined) refuse(`There is no argument "${option}".`);
    return { kind: 'inbox' };
  }
  if (first !== '--watch') refuse(`There is no argument "${first}".`);
  if (option === undefined) return { kind: 'watch', people: PEOPLE };
  if (option !== '--people') refuse(`There is no argument "${option}".`);
  const people = /^[1-9]\d*$/.test(text ?? '') ? Number(text) : 0;
  if (people === 0 || people > MAX_PEOPLE) {
    refuse(`--people must be a whole number from 1 to ${MAX_PEOPLE} (got ${JSON.stringify(text ?? '')}).`);
  }
  if (others.length > 0) refuse(`There is no argument "${others[0]}".`);
  return { kind: 'watch', people };
}

function refuse(what) {
  console.error(`${what} Use: ${USAGE}`);
  process.exit(2);
}

async function demo() {
  const dataDir = path.join(root, '.parley-demo');
  const lock = holdDataDirectory(dataDir);
  process.once('exit', () => lock.release());
  const load = await builtModule();
  // Each demo starts fresh: first remove what an earlier one left, its database in the background.
  const { removePostgres } = await import('./pg.mjs');
  await removePostgres({ dataDir, inBackground: true });
  for (const name of fs.readdirSync(dataDir)) {
    // Keep the simulator's record: the sandbox needs it to stop a simulator that is still running.
    if (/^(?:lock|simulator\.json|postgres\.old-.*)$/.test(name)) continue;
    fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
  const { runDemo } = await load('main');
  return runDemo({ dataDir });
}

/** Plays in the sandbox that runs. */
async function beside(name) {
  const load = await builtModule();
  const { runInbox, runWatch } = await load(name);
  const dataDir = path.resolve(process.env.DATA_DIR || path.join(root, '.parley'));
  return name === 'inbox' ? runInbox({ dataDir }) : runWatch({ dataDir, people });
}

/** Builds. @returns what loads a module of the demo */
async function builtModule() {
  await ensureInstalled();
  const dist = await build({ use: true });
  process.setSourceMapsEnabled(true);
  return (name) => import(pathToFileURL(path.join(dist, 'sandbox', 'demo', `${name}.js`)).href);
}
