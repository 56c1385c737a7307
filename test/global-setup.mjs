// Runs once before all tests: starts the run's own PostgreSQL (scripts/test-run.mjs). TEST_PG_MAJOR=16
// or 17 asks for that version instead of the one that Parley brings.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from '../scripts/build.mjs';
import { extensionFiles, findExtensions } from '../scripts/extensions.mjs';
import { root } from '../scripts/install.mjs';
import { beginRun, startDatabase } from '../scripts/test-run.mjs';

/** Of all properties; FC_SEED draws others. */
const FAST_CHECK_SEED = 20_260_131;
const CHILD_TIMEOUT_MS = 120_000;

export default async function globalSetup() {
  process.env.FC_SEED ??= String(FAST_CHECK_SEED);
  if (!Number.isSafeInteger(Number(process.env.FC_SEED)))
    throw new Error(`FC_SEED is no integer: ${process.env.FC_SEED}`);
  console.log(`Properties draw from FC_SEED=${process.env.FC_SEED}.`);
  const folder = process.env.TEST_RUN ?? (await ownRun());
  const { TEST_PG_DURABLE, TEST_PG_MAJOR } = process.env;
  const { url, day } = await startDatabase(folder, {
    durable: TEST_PG_DURABLE === '1',
    major: Number(TEST_PG_MAJOR) || undefined,
    schema: schemaHash(),
    migrate,
  });
  process.env.TEST_PG_URL = url;
  process.env.TEST_DAY = day;
  process.env.TEST_DESCRIPTION = path.join(root, 'docs/openapi.json');
  if (findExtensions().length > 0) await describeExtensions();
}

/** When jest was not started by scripts/test.mjs. global-teardown.mjs ends it. */
async function ownRun() {
  const folder = await beginRun();
  globalThis.__testRun = folder;
  process.env.TEST_RUN = folder;
  process.env.TMPDIR = folder;
  return folder;
}

/** With the command that an operator uses. */
async function migrate(url) {
  const cli = path.join(await build(), 'src/cli.js');
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [cli, 'migrate'], {
    env,
    timeout: CHILD_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
}

/** The tests hold answers against a description that includes extensions. */
async function describeExtensions() {
  const file = path.join(process.env.TEST_RUN, 'openapi.json');
  const generate = path.join(root, 'scripts/generate-openapi.mjs');
  const limit = { timeout: CHILD_TIMEOUT_MS, killSignal: 'SIGKILL' };
  await promisify(execFile)(process.execPath, [generate, '--out', file], limit);
  process.env.TEST_DESCRIPTION = file;
}

/** Names the schema, and the cluster that holds it. */
function schemaHash() {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'scripts/pg.mjs']) hash.update(fs.readFileSync(path.join(root, file)));
  const folders = ['migrations', 'src/database'].map((directory) => path.join(root, directory));
  for (const folder of [...folders, ...findExtensions().map((extension) => extension.folder)]) {
    for (const file of extensionFiles(folder).sort()) {
      if (/\.(?:ts|sql)$/.test(file)) hash.update(`${file}\0`).update(fs.readFileSync(path.join(folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
