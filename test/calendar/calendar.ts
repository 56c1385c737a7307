import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { MIGRATIONS } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { CORE_LEDGER } from '../../src/database/schema/ledgers.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { MANIFEST } from '../../src/rooms.js';
import { emptyDatabase } from '../support/database.js';
import { World } from '../support/world.js';

/** A migration that changes a partitioned table. {@link Calendar.deploy} starts from the schema before it. */
const CHANGES_PARTITIONS = 'AddAdmissions1790000000048';

/** Moves the clocks of a database and of this process, and stops and starts a service with its network in between. */
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
    // These shadow the built-in functions, including in column defaults and functions created later.
    await client.query(`
      CREATE TABLE calendar (ahead interval NOT NULL);
      INSERT INTO calendar VALUES ('0');
      CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
        RETURN pg_catalog.now() + (SELECT ahead FROM public.calendar);
      CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
        RETURN pg_catalog.clock_timestamp() + (SELECT ahead FROM public.calendar);
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`);
    await migrate(databaseUrl, MANIFEST);
    return new Calendar(databaseUrl, client, await mkdtemp(path.join(tmpdir(), 'parley-network-')));
  }

  async close(): Promise<void> {
    try {
      await this.stop();
    } finally {
      globalThis.Date = Calendar.machine;
      await this.client.end();
      await rm(this.directory, { recursive: true, force: true });
    }
  }

  /** Starts the service. Its network keeps its state across restarts. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<World> {
    this.world = await World.start({ env, databaseUrl: this.databaseUrl, networkDirectory: this.directory });
    return this.world;
  }

  async stop(): Promise<void> {
    await this.world?.stop();
    this.world = null;
  }

  /** Moves both clocks ahead by `ms` milliseconds. */
  async pass(ms: number): Promise<void> {
    this.moveMachine(ms);
    await this.moveDatabase(ms);
  }

  /** Moves both clocks to `at`. */
  async moveTo(at: Date): Promise<void> {
    await this.pass(at.getTime() - Date.now());
  }

  /** Moves only the database's clock, in milliseconds; negative values move it back. */
  async moveDatabase(ms: number): Promise<void> {
    await this.client.query(`UPDATE calendar SET ahead = ahead + $1::float8 * interval '1 millisecond'`, [ms]);
  }

  /** Moves only this process's clock, in milliseconds. */
  private moveMachine(ms: number): void {
    const before = globalThis.Date;
    globalThis.Date = new Proxy(before, {
      construct: (target, args) =>
        args.length === 0 ? new target(target.now() + ms) : Reflect.construct(target, args),
      get: (target, name) => (name === 'now' ? () => target.now() + ms : Reflect.get(target, name)),
    });
  }

  /**
   * Reverts the latest migrations and deploys this release over that older schema.
   *
   * @returns the migrations that ran
   */
  async deploy(): Promise<string[]> {
    const since = MIGRATIONS.findIndex(({ name }) => name === CHANGES_PARTITIONS);
    const dataSource = await createDataSource({ url: this.databaseUrl, poolSize: 2, ledger: CORE_LEDGER }).initialize();
    try {
      for (let undone = since; undone < MIGRATIONS.length; undone += 1) {
        await dataSource.undoLastMigration({ transaction: 'each' });
      }
    } finally {
      await dataSource.destroy();
    }
    return migrate(this.databaseUrl, MANIFEST);
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
