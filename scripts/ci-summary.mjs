// Prints what failed, and as the last line of .ci/run the totals of jest's JSON results (`<step>.json`, the step's name
// in lower case with dashes). A failed step without a failed test counts as one failure.
import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const EXCERPT_LINES = 15;
const EXCERPT_COLUMNS = 200;

const [directory, ...failedSteps] = process.argv.slice(2);
const results = new Map(
  fs
    .readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [path.basename(file, '.json'), JSON.parse(fs.readFileSync(path.join(directory, file), 'utf8'))]),
);
// Test files that could not run have no tests, so each counts as one failure.
const failuresOf = (result) => (result ? result.numFailedTests + result.numRuntimeErrorTestSuites : 0);
/** Where and why a test failed: the log above is long, and often cut. */
const excerptOf = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*(?:node_modules|node:)/.test(line))
    .slice(0, EXCERPT_LINES)
    .map((line) => `    ${line.slice(0, EXCERPT_COLUMNS)}`)
    .join('\n');
let passed = 0;
const resultOf = (step) => results.get(step.toLowerCase().replaceAll(' ', '-'));
const otherwise = failedSteps.filter((step) => failuresOf(resultOf(step)) === 0);
let failed = otherwise.length;
for (const step of otherwise) console.log(`failed: ${step}`);
for (const [step, result] of results) {
  passed += result.numPassedTests;
  failed += failuresOf(result);
  for (const { name, status, assertionResults } of result.testResults) {
    const file = `failed in ${step}: ${path.relative('.', name)}`;
    const tests = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of tests) {
      console.log(`${file} › ${fullName}`);
      for (const message of failureMessages) console.log(excerptOf(message));
    }
    if (status === 'failed' && tests.length === 0) console.log(file);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
