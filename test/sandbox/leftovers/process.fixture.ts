import { spawn } from 'node:child_process';
import { once } from 'node:events';

it('leaves a process', () =>
  once(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true }), 'spawn'));
