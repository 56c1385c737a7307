import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

it('ends what it begins', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'own-'));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const server = createServer().listen(0, '127.0.0.1');
  const timer = setInterval(() => undefined, 1000);
  await once(server, 'listening');
  clearInterval(timer);
  server.close();
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});
