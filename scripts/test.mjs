// `npm test`: installs what is missing, builds (some tests start the real program) and runs jest.
// `--faults` runs the fault suite instead; everything else is passed on to jest.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

const rest = process.argv.slice(2);
const faults = rest.includes('--faults');

try {
  await ensureInstalled({ development: true });
  await build();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const config = faults ? ['--config', 'jest.faults.config.js'] : [];
// jest's own process group and terminal: Ctrl-C reaches it directly, and its exit code is ours.
const child = spawn(process.execPath, [jest, ...config, ...rest.filter((argument) => argument !== '--faults')], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 1));
