// `npm test`: installs missing dependencies, builds (some tests start the real program) and runs jest.
// `--faults` runs the fault suite instead, `--core` the tests for every supported PostgreSQL (TEST_PG_MAJOR=16 or 17
// selects an older one). All other arguments are passed to jest.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { bundleTestLibraries } from './test-libraries.mjs';
import { beginRun, endRun } from './test-run.mjs';

const rest = process.argv.slice(2);
const suite = ['faults', 'core'].find((name) => rest.includes(`--${name}`));

let folder;
try {
  await ensureInstalled({ development: true });
  await build();
  process.env.TEST_LIBRARIES = await bundleTestLibraries();
  folder = await beginRun();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const config = suite ? ['--config', `jest.${suite}.config.js`] : [];
const authority = path.join(root, 'test', 'support', 'certificates', 'authority.pem');
// --forceExit: what a test has left open must not keep jest from ending when its tests have ended.
// jest shares our terminal and process group, so Ctrl-C reaches it directly; we exit with its exit code.
const child = spawn(
  process.execPath,
  [jest, ...config, '--forceExit', ...rest.filter((argument) => argument !== `--${suite}`)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_RUN: folder, TMPDIR: folder, NODE_EXTRA_CA_CERTS: authority },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
const code = await new Promise((resolve) => {
  child.once('error', (error) => {
    console.error(error.message);
    resolve(1);
  });
  child.once('exit', resolve);
});
// Also what jest has left because it was killed.
await endRun(folder);
process.exit(code ?? 1);
