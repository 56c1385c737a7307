// Runs once before all tests: gives them a real PostgreSQL (TEST_PG_URL) and names this run's databases. TEST_PG_MAJOR=16
// or 17 asks for that version instead of the one that Parley brings.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { extensionFiles, findExtensions } from '../scripts/extensions.mjs';
import { root } from '../scripts/install.mjs';
import { joinTestPostgres } from '../scripts/test-postgres.mjs';

/** Of all properties; FC_SEED draws others. */
const FAST_CHECK_SEED = 20_260_131;

export default async function globalSetup() {
  process.env.FC_SEED ??= String(FAST_CHECK_SEED);
  if (!Number.isSafeInteger(Number(process.env.FC_SEED)))
    throw new Error(`FC_SEED is no integer: ${process.env.FC_SEED}`);
  console.log(`Properties draw from FC_SEED=${process.env.FC_SEED}.`);
  if (process.env.TEST_PG_URL) {
    process.env.TEST_PG_EXTERNAL = '1';
    process.env.TEST_RUN = `${process.pid}_${randomBytes(3).toString('hex')}`;
  } else {
    const { TEST_PG_DURABLE, TEST_PG_MAJOR } = process.env;
    const server = await joinTestPostgres({
      durable: TEST_PG_DURABLE === '1',
      major: Number(TEST_PG_MAJOR) || undefined,
    });
    globalThis.__testPostgres = server;
    process.env.TEST_PG_URL = server.url;
    process.env.TEST_RUN = server.run;
  }
  process.env.TEST_TEMPLATE = `template_${schemaHash()}`;
  process.env.TEST_DESCRIPTION = path.join(root, 'docs/openapi.json');
  if (findExtensions().length > 0) await describeExtensions();
}

/** The tests hold answers against a description that includes extensions. */
async function describeExtensions() {
  const file = path.join(os.tmpdir(), `parley-openapi-${process.pid}.json`);
  const generate = path.join(root, 'scripts/generate-openapi.mjs');
  await promisify(execFile)(process.execPath, [generate, '--out', file]);
  process.env.TEST_DESCRIPTION = file;
}

/** Names the migrated template database: another schema, another template; the same schema, no migration at all. */
function schemaHash() {
  const hash = createHash('sha256');
  const folders = ['migrations', 'src/database'].map((directory) => path.join(root, directory));
  for (const folder of [...folders, ...findExtensions().map((extension) => extension.folder)]) {
    for (const file of extensionFiles(folder).sort()) {
      if (/\.(?:ts|sql)$/.test(file)) hash.update(`${file}\0`).update(fs.readFileSync(path.join(folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
