import path from 'node:path';
import pg from 'pg';
import { MIGRATIONS } from '../../migrations/index.js';
import { CORE_LEDGER } from '../../src/database/schema/ledgers.js';
import { awaitDatabase } from '../../src/database/schema/schema-state.js';
import { FaultProcess } from '../faults/fault-process.js';
import { Program, ROOT } from '../sandbox/program.js';
import { run } from '../support/commands.js';
import { emptyDatabase, freshDatabase, workerDatabase } from '../support/database.js';
import { inherited } from '../support/inherited.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { eventually, until, within } from '../support/until.js';
import { serviceEnvironment } from './service-environment.js';

const PROGRAMS = { 'a start': ['src/main.js'], migrate: ['src/cli.js', 'migrate'] };
type ProgramName = keyof typeof PROGRAMS;

/** How long a program may take to end on a busy machine, milliseconds. */
const END_MS = 90_000;

/** Runs a built program to completion. */
const runProgram = (name: ProgramName, databaseUrl: string, env: Readonly<Record<string, string>> = {}) => {
  const [file = '', ...args] = PROGRAMS[name];
  return run(process.execPath, [path.join(ROOT, 'dist', file), ...args], {
    env: { ...inherited(), ...serviceEnvironment(databaseUrl, env) },
  });
};

const refusal = (line: RegExp) => ({
  status: 1,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^${line.source}\n$`)) as string,
});

const execute = async (databaseUrl: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const tablesOf = async (databaseUrl: string): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
    return rows.length;
  } finally {
    await client.end();
  }
};

/** Makes a database look like an older server: its sessions find another `current_setting` first. */
const ageTo = (databaseUrl: string, number: number, version: string): Promise<void> =>
  execute(
    databaseUrl,
    `CREATE SCHEMA aged;
     CREATE FUNCTION aged.current_setting(name text) RETURNS text LANGUAGE sql RETURN
       CASE name WHEN 'server_version_num' THEN '${number}' WHEN 'server_version' THEN '${version}'
                 ELSE pg_catalog.current_setting(name) END;
     DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = aged, pg_catalog, public', current_database()); END $$`,
  );

/** Starts a service whose database refuses connections, and waits until it has logged that. */
const startWithoutDatabase = async () => {
  const url = await workerDatabase();
  const proxy = started(await TcpProxy.start(url));
  proxy.refuse();
  const service = Program.module("await import('./dist/src/main.js')", serviceEnvironment(proxy.through(url)));
  await service.until('it waits', () => service.stdout.includes('waiting for the database'));
  return { proxy, service };
};

/** Stopped after each test, even if it fails. */
const parts: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Program.killAll();
  await FaultProcess.killAll();
  for (const part of parts.splice(0)) await part.stop();
});
const started = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
  parts.push(part);
  return part;
};

/** How a program ended that was told to. */
const endOf = ({ exit }: Program) => within(END_MS, () => exit, new Error('it did not end'));

describe('a start', () => {
  it('refuses a database without a schema, and does not change it', async () => {
    const url = await emptyDatabase();
    expect(runProgram('a start', url)).toEqual(
      refusal(/the database has no schema yet: run `npm run migrate` first \(`parley migrate` in the image\)/),
    );
    expect(await tablesOf(url)).toBe(0);
  });

  it('refuses a schema that is older than the release', async () => {
    const url = await freshDatabase();
    const newest = MIGRATIONS.at(-1)?.name ?? '';
    await execute(url, `DELETE FROM schema_migrations WHERE name = '${newest}'`);
    expect(runProgram('a start', url)).toEqual(
      refusal(new RegExp(`the database schema is older than this release: it lacks ${newest}\\..*`)),
    );
  });

  it('refuses a MEDIA_STORE where it cannot write', async () => {
    // Not even root can make a directory below a file.
    const MEDIA_STORE = 'directory:/dev/null/media';
    expect(runProgram('a start', await workerDatabase(), { MEDIA_STORE })).toEqual(
      refusal(/MEDIA_STORE: cannot write to \/dev\/null\/media: .*ENOTDIR.*/),
    );
  });

  it('waits for an unavailable database, logs that once, and starts when it is back', async () => {
    const { proxy, service } = await startWithoutDatabase();
    await proxy.heal();
    const listening = () => /Parley listens on (\S+)/.exec(service.stdout)?.[1];
    const baseUrl = await service.until('it listens', listening);
    await until('it is ready', async () => (await fetch(`${baseUrl}/health/ready`)).status === 200);
    expect(service.stdout.match(/waiting for the database/g)).toHaveLength(1);
    service.kill('SIGTERM');
    expect(await endOf(service)).toBe(0);
  });

  it('can be interrupted while it waits for the database', async () => {
    const { service } = await startWithoutDatabase();
    service.kill('SIGTERM');
    expect(await endOf(service)).toBe(0);
  });

  it.each([
    ['refuses', /^connect ECONNREFUSED/],
    ['is silent', /^the database in DATABASE_URL did not answer within 0.2 s: /],
  ])('gives up on a database that %s for too long', async (fault, message) => {
    const url = await workerDatabase();
    const proxy = started(await TcpProxy.start(url));
    if (fault === 'refuses') proxy.refuse();
    else proxy.silence({ newConnections: 'hang' });
    const said: string[] = [];
    await expect(
      awaitDatabase({ url: proxy.through(url), isPooled: false }, [CORE_LEDGER], (reason) => said.push(reason), 200),
    ).rejects.toThrow(message);
  });

  (redisFound ? it : it.skip)('serves requests although Redis is away', async () => {
    const redis = await TestRedis.start();
    await redis.stop();
    const { process, baseUrl } = await FaultProcess.service(
      serviceEnvironment(await workerDatabase(), { REDIS_URL: redis.url }),
    );
    await eventually(async () => {
      const ready = await fetch(`${baseUrl}/health/ready`);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        { status: 'ok', checks: { database: 'ok', schema: 'ok', queue: 'unavailable' } },
      ]);
    });
    await process.stop();
  });
});

describe.each(['a start', 'migrate'] as const)('%s', (program) => {
  it('refuses a server that is older than PostgreSQL 16', async () => {
    const url = await (program === 'migrate' ? emptyDatabase() : freshDatabase());
    await ageTo(url, 150_004, '15.4');
    expect(runProgram(program, url)).toEqual(refusal(/Parley needs PostgreSQL 16 or newer; this server is 15\.4\./));
    if (program === 'migrate') expect(await tablesOf(url)).toBe(0);
  });

  it('refuses a schema that a newer release has made', async () => {
    const url = await freshDatabase();
    await execute(url, "INSERT INTO schema_migrations (timestamp, name) VALUES (9, 'AddTomorrow9')");
    expect(runProgram(program, url)).toEqual(
      refusal(/this release of Parley is too old for the database schema: it does not know AddTomorrow9\..*/),
    );
  });
});
