import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { until } from '../support/until.js';
import { isRunning, Program, removeDataDirectory, temporaryDirectory } from './program.js';

interface Started {
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  readonly adopted: boolean;
  readonly directory: string;
}

// Starts the cluster, reports how, and stops it on SIGTERM; SIGKILL leaves the server running.
const LAUNCHER = {
  setup: `
    import { startPostgres } from './scripts/pg.mjs';
    const server = await startPostgres({ dataDir: process.env.DATA_DIR });`,
  announce: 'JSON.stringify(server)',
  leave: 'await server.stop();',
};

/** How long the server may take to connect, and for one statement, on a busy machine, milliseconds. */
const DATABASE_TIMEOUT_MS = 60_000;

const isRoot = process.getuid?.() === 0;

describe('the private PostgreSQL', () => {
  let home: string;
  let dataDir: string;

  beforeEach(() => {
    home = temporaryDirectory();
    // Like a typical checkout: other users may traverse it.
    chmodSync(home, 0o755);
    dataDir = path.join(home, '.parley');
  });

  afterEach(async () => {
    await Program.killAll();
    removeDataDirectory(dataDir);
    rmSync(home, { recursive: true, force: true });
  });

  async function launch(): Promise<{ program: Program; server: Started }> {
    const program = Program.resident(LAUNCHER, { DATA_DIR: dataDir });
    const line = await program.until('a server', () => /^(\{.*\})\n/.exec(program.stdout)?.[1]);
    return { program, server: JSON.parse(line) as Started };
  }

  async function query<Row>(url: string, sql: string): Promise<Row[]> {
    const limits = { connectionTimeoutMillis: DATABASE_TIMEOUT_MS, query_timeout: DATABASE_TIMEOUT_MS };
    const client = new pg.Client({ connectionString: url, ...limits });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  it('keeps data and address across a clean stop, and is durable', async () => {
    const first = await launch();
    await query(first.server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    first.program.kill('SIGTERM');
    expect(await first.program.exit).toBe(0);
    expect(isRunning(first.server.pid)).toBe(false);

    const second = await launch();
    expect(second.server).toMatchObject({ url: first.server.url, adopted: false });
    expect(await query(second.server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    const settings = await query<{ setting: string }>(
      second.server.url,
      "SELECT setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')",
    );
    expect(settings.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
  });

  it('is adopted by a new launcher when the old one was killed, and then stops with it', async () => {
    const first = await launch();
    first.program.kill('SIGKILL');
    await first.program.exit;
    const second = await launch();
    expect(second.server).toMatchObject({ pid: first.server.pid, url: first.server.url, adopted: true });
    second.program.kill('SIGTERM');
    expect(await second.program.exit).toBe(0);
    // Its parent is gone, so init reaps it at some point.
    await until('the server is gone', () => !isRunning(first.server.pid));
  });

  it('recovers when launcher and server were killed together', async () => {
    const first = await launch();
    await query(first.server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    first.program.kill('SIGKILL');
    process.kill(first.server.pid, 'SIGKILL');
    const second = await launch();
    expect(second.server.adopted).toBe(false);
    expect(await query(second.server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('starts despite a pid file whose pid now belongs to another program', async () => {
    const first = await launch();
    first.program.kill('SIGKILL');
    process.kill(first.server.pid, 'SIGKILL');
    await until('the server to end', () => !isRunning(first.server.pid));
    const pidFile = path.join(first.server.directory, 'data', 'postmaster.pid');
    const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
    writeFileSync(pidFile, [process.pid, ...rest].join('\n'));
    expect((await launch()).server.adopted).toBe(false);
    expect(isRunning(process.pid)).toBe(true);
  });

  it('starts again after the first start was killed while creating the cluster', async () => {
    const place = path.join(dataDir, 'postgres');
    const isUnderWay = () => existsSync(place) && readdirSync(place).some((name) => name.startsWith('data.new'));
    // On a busy machine the cluster may be complete before the kill: then another one is begun.
    await until('it was killed in time', async () => {
      removeDataDirectory(dataDir);
      const first = Program.resident(LAUNCHER, { DATA_DIR: dataDir });
      await first.until('the cluster to be under way or complete', () => isUnderWay() || first.stdout !== '');
      first.kill('SIGKILL');
      await first.exit;
      return isUnderWay();
    });
    expect((await launch()).server.adopted).toBe(false);
  });

  (isRoot ? it : it.skip)('runs for root also under a home that nobody else can enter', async () => {
    const closed = path.join(home, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    const outer = dataDir;
    dataDir = path.join(closed, '.parley');
    const { program, server } = await launch();
    expect(statSync(path.join(server.directory, 'data')).uid).not.toBe(0);
    expect(server.directory.startsWith(closed)).toBe(false);
    program.kill('SIGTERM');
    await program.exit;
    removeDataDirectory(dataDir);
    expect(existsSync(server.directory)).toBe(false);
    dataDir = outer;
  });

  it('denies access to other users', async () => {
    const { server } = await launch();
    const url = new URL(server.url);
    url.password = 'guess';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(path.join(dataDir, 'postgres.json')).mode & 0o077).toBe(0);
  });
});
