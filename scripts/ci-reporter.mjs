// A jest reporter for .ci/run: appends a line of JSON to the file CI_EVENTS for each test file that starts or ends, with
// the seconds it took, for each test that fails, and when all files have run. scripts/ci-events.mjs reads them.
import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Titles of failures that belong to no test. */
const COULD_NOT_RUN = '(could not run)';
const AFTER_ITS_TESTS = '(after its tests)';

export default class CiReporter {
  onTestFileStart({ path: file }) {
    append('started', file, {});
  }

  onTestFileResult({ path: file }, { testResults, testExecError, failureMessage, numPassingTests, perfStats }) {
    for (const { status, ancestorTitles, title, failureMessages } of testResults) {
      if (status !== 'failed') continue;
      fail(file, [...ancestorTitles, title].join(' › '), failureMessages.join('\n'));
    }
    if (testExecError) {
      const title = testResults.length === 0 ? COULD_NOT_RUN : AFTER_ITS_TESTS;
      fail(file, title, testExecError.stack || testExecError.message || failureMessage || '');
    }
    append('ended', file, { passed: numPassingTests, seconds: Math.round(perfStats.runtime / 1000) });
  }

  onRunComplete() {
    append('finished');
  }
}

function fail(file, title, message) {
  append('failed', file, { title: title.replace(/\s+/g, ' '), message: stripVTControlCharacters(message) });
}

function append(event, file, details) {
  const line = JSON.stringify({ event, file: file && path.relative(process.cwd(), file), ...details });
  fs.appendFileSync(process.env.CI_EVENTS, `${line}\n`);
}
