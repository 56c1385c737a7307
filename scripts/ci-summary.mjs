// Prints the last line of .ci/run: the totals of jest's JSON results (<step>.json). A failed step without a failed test
// counts as one failure.
import fs from 'node:fs';
import path from 'node:path';

const [directory, ...failedSteps] = process.argv.slice(2);
const results = new Map(
  fs
    .readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [path.basename(file, '.json'), JSON.parse(fs.readFileSync(path.join(directory, file), 'utf8'))]),
);
// Test files that could not run have no tests, so each counts as one failure.
const failuresOf = (result) => (result ? result.numFailedTests + result.numRuntimeErrorTestSuites : 0);
let passed = 0;
let failed = failedSteps.filter((step) => failuresOf(results.get(step)) === 0).length;
for (const result of results.values()) {
  passed += result.numPassedTests;
  failed += failuresOf(result);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
