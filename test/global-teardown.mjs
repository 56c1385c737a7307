// Runs once after all tests. A server given from outside (TEST_PG_URL) is left as it was found.
import { dropDatabases } from '../scripts/test-postgres.mjs';

export default async function globalTeardown() {
  if (globalThis.__testPostgres) {
    await globalThis.__testPostgres.leave();
    delete process.env.TEST_PG_URL;
  } else {
    await dropDatabases(process.env.TEST_PG_URL, [process.env.TEST_RUN], { keep: false });
  }
}
