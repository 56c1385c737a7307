import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from './until.js';

/** Whether `redis-server` is on the PATH; tests that need it say so and leave it out where it is not. */
export const redisFound = spawnSync('redis-server', ['--version']).status === 0;

/** A private Redis that keeps nothing. */
export class TestRedis {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly directory: string,
  ) {}

  static async start(): Promise<TestRedis> {
    const directory = mkdtempSync(join(tmpdir(), 'parley-redis-'));
    const port = await freePort();
    const child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory],
      { stdio: 'ignore' },
    );
    const url = `redis://127.0.0.1:${port}`;
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await until('redis answers', async () => (await client.ping().catch(() => null)) === 'PONG');
    client.disconnect();
    return new TestRedis(url, child, directory);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
