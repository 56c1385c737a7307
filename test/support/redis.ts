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
    private readonly port: number,
    private readonly directory: string,
    private child: ChildProcess,
  ) {}

  static async start(): Promise<TestRedis> {
    const directory = mkdtempSync(join(tmpdir(), 'parley-redis-'));
    const port = await freePort();
    const redis = new TestRedis(port, directory, run(port, directory));
    await redis.answers();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Ends the server; {@link restart} brings an empty one back at the same place. */
  async halt(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    await ended;
  }

  async restart(): Promise<void> {
    this.child = run(this.port, this.directory);
    await this.answers();
  }

  /** Connections stay open, and nothing is answered any more. */
  silence(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async answers(): Promise<void> {
    const client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await until('redis answers', async () => (await client.ping().catch(() => null)) === 'PONG');
    client.disconnect();
  }
}

const run = (port: number, directory: string): ChildProcess =>
  spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory],
    { stdio: 'ignore' },
  );

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
