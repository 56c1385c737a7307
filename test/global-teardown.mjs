// Runs once after all tests. A run that scripts/test.mjs has begun is ended by it.
import { endRun } from '../scripts/test-run.mjs';

export default async function globalTeardown() {
  if (globalThis.__testRun !== undefined) await endRun(globalThis.__testRun);
}
