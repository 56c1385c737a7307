import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { isInstalled } from './commands.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

/** Whether `redis-server` is on the PATH; without it, the tests that need it are skipped. */
export const redisFound = isInstalled('redis-server');

/** After these the server is killed, and a command has failed. */
const HALT_TIMEOUT_MS = 10_000;
const COMMAND_TIMEOUT_MS = 5_000;

/** Runs a private Redis without persistence. */
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

  /** Stops the server; {@link restart} starts an empty one on the same port. */
  async halt(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    const force = setTimeout(() => child.kill('SIGKILL'), HALT_TIMEOUT_MS);
    await ended;
    clearTimeout(force);
  }

  async restart(): Promise<void> {
    this.child = run(this.port, this.directory);
    await this.answers();
  }

  /** Suspends the server: connections stay open, but commands get no reply until {@link resume}. */
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
    const client = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => 20,
      commandTimeout: COMMAND_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await until('redis answers', async () => (await client.ping().catch(() => null)) === 'PONG');
    } finally {
      client.disconnect();
    }
  }
}

const run = (port: number, directory: string): ChildProcess =>
  spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory],
    { stdio: 'ignore' },
  );
