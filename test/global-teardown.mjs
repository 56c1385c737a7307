// Runs once after all tests. A server given from outside (TEST_PG_URL) is left as it was found.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findExtensions } from '../scripts/extensions.mjs';
import { dropDatabases } from '../scripts/test-postgres.mjs';

export default async function globalTeardown() {
  if (findExtensions().length > 0) fs.rmSync(process.env.TEST_DESCRIPTION, { force: true });
  // test/support/media-directory.ts
  fs.rmSync(path.join(os.tmpdir(), `parley-media-${process.env.TEST_RUN}`), { recursive: true, force: true });
  if (globalThis.__testPostgres) {
    await globalThis.__testPostgres.leave();
    delete process.env.TEST_PG_URL;
  } else {
    await dropDatabases(process.env.TEST_PG_URL, [process.env.TEST_RUN], { keep: false });
  }
}
