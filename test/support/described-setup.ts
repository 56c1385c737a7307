// Runs in every test file (jest.config.js): fails the file when Parley gave an answer that docs/openapi.json does not
// describe. Files that never call Parley do not load the checker.
import { FILE_CHECKS } from './file-checks.js';

afterAll(() => {
  for (const check of FILE_CHECKS) check();
});
