// The last line of .ci/run: sums jest's JSON results (<step>.json). A step that failed without a failed test to show for
// it counts as one failure.
import fs from 'node:fs';
import path from 'node:path';

const [directory, ...failedSteps] = process.argv.slice(2);
const results = new Map(
  fs
    .readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [path.basename(file, '.json'), JSON.parse(fs.readFileSync(path.join(directory, file), 'utf8'))]),
);
// Files that could not run at all have no tests to count.
const failuresOf = (result) => (result ? result.numFailedTests + result.numRuntimeErrorTestSuites : 0);
let passed = 0;
let failed = failedSteps.filter((step) => failuresOf(results.get(step)) === 0).length;
for (const result of results.values()) {
  passed += result.numPassedTests;
  failed += failuresOf(result);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
