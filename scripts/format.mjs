// `npm run format`: formats the checkout and the extensions.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findExtensions } from './extensions.mjs';
import { ensureInstalled, root } from './install.mjs';

const BIOME = path.join(root, 'node_modules/@biomejs/biome/bin/biome');

const format = (...args) =>
  spawnSync(process.execPath, [BIOME, 'check', '--write', ...args], { cwd: root, stdio: 'inherit' }).status ?? 1;

try {
  await ensureInstalled({ development: true });
  const folders = findExtensions().map(({ folder }) => folder);
  // Git may ignore extensions, or they lie elsewhere.
  const outside = folders.length > 0 ? format('--vcs-enabled=false', `--config-path=${root}`, ...folders) : 0;
  process.exitCode = format('.') || outside;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
