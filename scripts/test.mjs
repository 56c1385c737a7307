// `npm test`: installs missing dependencies, builds (some tests start the real program) and runs jest; then, unless
// arguments choose tests, the console's tests in a browser, where Chromium is installed.
// `--faults` runs the fault suite instead, `--core` the tests for every supported PostgreSQL (TEST_PG_MAJOR=16 or 17
// selects an older one), `--console` only the console's in a browser. All other arguments are passed to jest.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { bundleTestLibraries } from './test-libraries.mjs';
import { beginRun, endRun } from './test-run.mjs';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];
const rest = process.argv.slice(2);
const suite = ['faults', 'core', 'console'].find((name) => rest.includes(`--${name}`));
const given = rest.filter((argument) => argument !== `--${suite}`);
let isStopped = false;
const isWhole = suite === undefined && given.every((argument) => argument === '--silent');

try {
  await ensureInstalled({ development: true });
  await build();
  process.env.TEST_LIBRARIES = await bundleTestLibraries();
  let code = suite === 'console' ? 0 : await run(suite);
  if (suite === 'console' || (isWhole && !isStopped)) {
    const hasBrowser = CHROMIUM.some((file) => fs.existsSync(file));
    if (hasBrowser) code = (await run('console')) || code;
    else console.log('The tests of the console in a browser were skipped: Chromium is not installed.');
  }
  process.exit(code);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/** Runs jest with the configuration of a suite, and returns its exit code. */
async function run(name) {
  const folder = await beginRun();
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const config = name ? ['--config', `jest.${name}.config.js`] : [];
  const authority = path.join(root, 'test', 'support', 'certificates', 'authority.pem');
  // --forceExit: what a test has left open must not keep jest from ending when its tests have ended.
  // jest shares our terminal and process group, so Ctrl-C reaches it directly; we exit with its exit code.
  const child = spawn(process.execPath, [jest, ...config, '--forceExit', ...given], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_RUN: folder, TMPDIR: folder, NODE_EXTRA_CA_CERTS: authority },
  });
  const stop = (signal) => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (status) => resolve(status ?? 1));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop);
  // Also what jest has left because it was killed.
  await endRun(folder);
  return code;
}
