import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { lowestIdAt } from '../../src/database/schema/partitions.js';
import { Pipeline, UnitOfWork } from '../../src/database/unit-of-work.js';
import { MANIFEST } from '../../src/rooms.js';
import { Metrics } from '../../src/runtime/metrics.js';
import { PartitionSweep } from '../../src/upkeep/partition.sweep.js';
import { newRecordId, type RecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/** A record id as created at `at`. */
export const idAt = (at: Date): RecordId => `${lowestIdAt(at).slice(0, 14)}7${newRecordId().slice(15)}`;

/** A test's own database, with the objects of upkeep and a foreign session. */
export class UpkeepDatabase {
  private readonly clients: pg.Client[] = [];

  private constructor(
    readonly url: string,
    private readonly dataSource: DataSource,
    readonly unitOfWork: UnitOfWork,
    readonly pipeline: Pipeline,
    readonly foreign: pg.Client,
  ) {}

  static async open(): Promise<UpkeepDatabase> {
    Logger.overrideLogger(false);
    const url = await freshDatabase();
    const dataSource = await createDataSource({ url, poolSize: 8 }).initialize();
    const foreign = new pg.Client({ connectionString: url });
    await foreign.connect();
    return new UpkeepDatabase(url, dataSource, new UnitOfWork(dataSource), new Pipeline(dataSource), foreign);
  }

  async close(): Promise<void> {
    for (const client of [this.foreign, ...this.clients]) await client.end();
    await this.pipeline.onApplicationShutdown();
    await this.dataSource.destroy();
  }

  /** Opens another foreign session with its own settings. */
  async connect(options: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url, options });
    await client.connect();
    this.clients.push(client);
    return client;
  }

  /** Runs the partition sweep once with this environment. */
  sweepPartitions(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const environment = loadEnvironment(MANIFEST, {
      DATABASE_URL: this.url,
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: 'secret',
      NETWORK_VERIFY_TOKEN: 'token',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...env,
    });
    return new PartitionSweep(this.unitOfWork, environment, new Metrics()).sweep();
  }

  /** Sweeps until these tables are gone: what is in use, such as by the server's own upkeep, stays until the next sweep. */
  async sweepUntilGone(tables: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
    await until(`${tables.join(', ')} are dropped`, async () => {
      await this.sweepPartitions(env);
      const found = await Promise.all(tables.map((table) => this.exists(table)));
      return !found.includes(true);
    });
  }

  /** Partitions of a table, oldest first. */
  async partitionsOf(table: string): Promise<string[]> {
    const { rows } = await this.foreign.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
       WHERE inhparent = $1::regclass AND NOT inhdetachpending ORDER BY 1`,
      [table],
    );
    return rows.map(({ name }) => name);
  }

  async exists(table: string): Promise<boolean> {
    const { rows } = await this.foreign.query('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
    return rows[0].found;
  }

  async count(sql: string, parameters: unknown[] = []): Promise<number> {
    const { rows } = await this.foreign.query<{ count: string }>(`SELECT count(*) ${sql}`, parameters);
    return Number(rows[0]?.count);
  }

  /** Drops every partition of a table, as if no worker had run for a long time. */
  async dropPartitions(table: string): Promise<void> {
    for (const name of await this.partitionsOf(table)) await this.foreign.query(`DROP TABLE ${name}`);
  }

  /** The statement that logs an event, and its parameters. */
  event(id: RecordId, accountId: RecordId = newRecordId()): [sql: string, parameters: unknown[]] {
    return [
      `INSERT INTO events (account_id, id, occurred_at, kind, body) VALUES ($1, $2, now(), 'test', '{}')`,
      [accountId, id],
    ];
  }

  countEvents(id: RecordId): Promise<number> {
    return this.count('FROM events WHERE id = $1', [id]);
  }
}
