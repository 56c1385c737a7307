// Follows docs/extending.md in a copy of the checkout: types, house rules, the description of the API, and the tests of
// the module that the page adds. `node scripts/try-extending.mjs` also runs lint, import order, and the tests that
// compare the module with the database, the documentation and all other routes.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** It takes about a minute on a quiet machine, because it builds Parley and checks its types. */
const LIMIT_MS = 300_000;

const ROOT = path.resolve(__dirname, '../..');

describe('docs/extending.md', () => {
  it(
    'adds a module that works',
    () => {
      const script = path.join(ROOT, 'scripts/try-extending.mjs');
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--short'], { encoding: 'utf8' });
      expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: expect.not.stringContaining('FAILED') });
    },
    LIMIT_MS,
  );
});
