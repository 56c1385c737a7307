import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { isInstalled } from './commands.js';
import { freePort } from './free-port.js';
import { closed, opened } from './left-open.js';
import { Hopeless, until } from './until.js';

/** Whether `redis-server` is on the PATH; without it, the tests that need it are skipped. */
export const redisFound = isInstalled('redis-server');

/** After these the server is killed, and a command has failed. */
const HALT_TIMEOUT_MS = 30_000;
const COMMAND_TIMEOUT_MS = 10_000;
/** Ports that are tried before a server that ends at once has another reason. */
const MAX_TRIES = 5;

/** Runs a private Redis without persistence. */
export class TestRedis {
  private constructor(
    private readonly port: number,
    private readonly directory: string,
    private child: ChildProcess,
  ) {}

  static async start(): Promise<TestRedis> {
    const directory = mkdtempSync(join(tmpdir(), 'parley-redis-'));
    for (let tries = 1; ; tries += 1) {
      const port = await freePort();
      const redis = new TestRedis(port, directory, run(port, directory));
      try {
        await redis.answers();
        opened(redis, 'a TestRedis', () => redis.stop());
        return redis;
      } catch (error) {
        // Somebody may have taken the port in the meantime.
        const isOver = hasEnded(redis.child);
        await redis.halt();
        if (isOver && tries < MAX_TRIES) continue;
        rmSync(directory, { recursive: true, force: true });
        throw error;
      }
    }
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Stops the server; {@link restart} starts an empty one on the same port. */
  async halt(): Promise<void> {
    const { child } = this;
    if (hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    const force = setTimeout(() => child.kill('SIGKILL'), HALT_TIMEOUT_MS);
    await ended;
    clearTimeout(force);
  }

  /** Clients know the port, so it waits for that if somebody has it. */
  async restart(): Promise<void> {
    await until('redis runs again', async () => {
      await this.halt();
      this.child = run(this.port, this.directory);
      // An end is no reason to give up: who has the port may let it go.
      await this.answers().catch((error: Error) => {
        throw new Error(error.message, { cause: error });
      });
      return true;
    });
  }

  /** Suspends the server: connections stay open, but commands get no reply until {@link resume}. */
  silence(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    closed(this);
    await this.halt();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Waits until our own server answers, which says its pid; on its port there may be another. */
  private async answers(): Promise<void> {
    const { child } = this;
    const client = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => 20,
      commandTimeout: COMMAND_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await until('redis answers', async () => {
        if (hasEnded(child)) throw new Hopeless(`redis-server ended with ${child.exitCode ?? child.signalCode}`);
        const [, pid] = /^process_id:(\d+)/m.exec(await client.info('server')) ?? [];
        return Number(pid) === child.pid;
      });
    } finally {
      client.disconnect();
    }
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const run = (port: number, directory: string): ChildProcess =>
  spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory],
    { stdio: 'ignore' },
  );
