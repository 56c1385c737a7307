import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { MIGRATIONS } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { emptyDatabase } from '../support/database.js';
import { World } from '../support/world.js';

/** The last migration but others that changes a partitioned table: a deployment before it has something to do there. */
const CHANGES_PARTITIONS = 'AddAdmissions1790000000048';

/**
 * A database whose clock a test can move, the clock of this machine as this process reads it, and a service with its network
 * that is stopped and started in between.
 */
export class Calendar {
  private static readonly machine = globalThis.Date;
  private world: World | null = null;

  private constructor(
    readonly databaseUrl: string,
    private readonly client: pg.Client,
    private readonly directory: string,
  ) {}

  static async open(): Promise<Calendar> {
    const databaseUrl = await emptyDatabase();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    // What is found first in the search path is taken: also by column defaults and functions that are made from now on.
    await client.query(`
      CREATE TABLE calendar (ahead interval NOT NULL);
      INSERT INTO calendar VALUES ('0');
      CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
        RETURN pg_catalog.now() + (SELECT ahead FROM public.calendar);
      CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
        RETURN pg_catalog.clock_timestamp() + (SELECT ahead FROM public.calendar);
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`);
    await migrate(databaseUrl);
    return new Calendar(databaseUrl, client, await mkdtemp(path.join(tmpdir(), 'parley-network-')));
  }

  async close(): Promise<void> {
    await this.stop();
    globalThis.Date = Calendar.machine;
    await this.client.end();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Starts the service. Its network remembers what it knew before. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<World> {
    this.world = await World.start({ env, databaseUrl: this.databaseUrl, networkDirectory: this.directory });
    return this.world;
  }

  async stop(): Promise<void> {
    await this.world?.stop();
    this.world = null;
  }

  /** So many milliseconds pass at once, for everybody. */
  async pass(ms: number): Promise<void> {
    this.moveMachine(ms);
    await this.moveDatabase(ms);
  }

  /** It is `at`, for everybody. */
  async moveTo(at: Date): Promise<void> {
    await this.pass(at.getTime() - Date.now());
  }

  /** The clock of the database alone is set ahead, or back. */
  async moveDatabase(ms: number): Promise<void> {
    await this.client.query(`UPDATE calendar SET ahead = ahead + $1::float8 * interval '1 millisecond'`, [ms]);
  }

  /** The clock of this machine alone is set ahead, or back. */
  private moveMachine(ms: number): void {
    const before = globalThis.Date;
    globalThis.Date = new Proxy(before, {
      construct: (target, args) =>
        args.length === 0 ? new target(target.now() + ms) : Reflect.construct(target, args),
      get: (target, name) => (name === 'now' ? () => target.now() + ms : Reflect.get(target, name)),
    });
  }

  /**
   * Deploys this release over an older one, which knew nothing of the last changes of the schema.
   *
   * @returns the migrations that ran
   */
  async deploy(): Promise<string[]> {
    const since = MIGRATIONS.findIndex(({ name }) => name === CHANGES_PARTITIONS);
    const dataSource = await createDataSource({ url: this.databaseUrl, poolSize: 2 }).initialize();
    try {
      for (let undone = since; undone < MIGRATIONS.length; undone += 1) {
        await dataSource.undoLastMigration({ transaction: 'each' });
      }
    } finally {
      await dataSource.destroy();
    }
    return migrate(this.databaseUrl);
  }

  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.client.query(sql, parameters)).rows as Row[];
  }

  async count(sql: string, parameters: unknown[] = []): Promise<number> {
    const [row] = await this.query<{ count: string }>(`SELECT count(*)::text AS count ${sql}`, parameters);
    return Number(row?.count);
  }

  /** Partitions of a table, oldest first. */
  async partitionsOf(table: string): Promise<string[]> {
    const rows = await this.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
      [table],
    );
    return rows.map(({ name }) => name);
  }
}
