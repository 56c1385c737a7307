import type { Pool, PoolClient } from 'pg';
import { DAY, now } from '../../values/clock.js';
import { timeOfRecordId } from '../../values/record-id.js';
import { ADVISORY_LOCK } from '../sql/advisory-locks.js';
import { SQLSTATE } from '../sql/sqlstate.js';

/** A table partitioned by the time in its rows' ids. */
export interface PartitionedTable {
  readonly table: string;
  readonly period: 'day' | 'month';
  /** Percent of each page that inserts fill; the rest is for HOT updates. */
  readonly fillfactor: number;
  /** The fraction of dead rows that triggers autovacuum; 0.2 by default. */
  readonly vacuumAt?: number;
}

/** The partitioned tables. Those with the same period are dropped in this order. */
export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  { table: 'campaign_recipients', period: 'month', fillfactor: 70, vacuumAt: 0.05 },
  { table: 'messages', period: 'month', fillfactor: 45 },
  { table: 'webhook_attempts', period: 'day', fillfactor: 100 },
  { table: 'webhook_deliveries', period: 'day', fillfactor: 70, vacuumAt: 0.05 },
  { table: 'events', period: 'day', fillfactor: 100 },
];

/** One partition, for rows created from `from` (inclusive) until `until` (exclusive). */
export interface Partition {
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
}

/** How long creating a partition waits for its lock, milliseconds. Only other schema changes hold that lock. */
const LOCK_TIMEOUT_MS = 2000;

/** The partition for rows created at `at`. */
export function partitionAt({ table, period }: PartitionedTable, at: Date): Partition {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const [from, until] =
    period === 'day'
      ? [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)]
      : [Date.UTC(year, month), Date.UTC(year, month + 1)];
  const digits = new Date(from)
    .toISOString()
    .slice(0, period === 'day' ? 10 : 7)
    .replaceAll('-', '');
  return { name: `${table}_${digits}`, from: new Date(from), until: new Date(until) };
}

/** The partition with this name, as {@link partitionAt} names it; null for any other name. */
export function partitionNamed(table: PartitionedTable, name: string): Partition | null {
  const digits = name.startsWith(`${table.table}_`) ? name.slice(table.table.length + 1) : '';
  if (!(table.period === 'day' ? /^\d{8}$/ : /^\d{6}$/).test(digits)) return null;
  const day = digits.slice(6) || '01';
  return partitionAt(table, new Date(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${day}T00:00:00Z`));
}

/** The partitions for rows created from `from` until `until`. */
export function partitionsBetween(table: PartitionedTable, from: Date, until: Date): Partition[] {
  const found: Partition[] = [];
  for (let at = from; at < until; at = found.at(-1)?.until ?? until) found.push(partitionAt(table, at));
  return found;
}

/**
 * Creates the partitions that do not exist yet. Each is created as a separate table and then attached, which neither
 * waits for the table's readers and writers nor blocks them.
 *
 * @throws the database's error (55P03) when another schema change takes too long
 */
export async function createPartitions(
  pool: Pool,
  table: PartitionedTable,
  partitions: readonly Partition[],
): Promise<void> {
  const client = await pool.connect();
  try {
    const attached = await attachedAmong(client, partitions);
    for (const partition of partitions) {
      if (!attached.has(partition.name)) await createPartition(client, table, partition);
    }
  } finally {
    client.release();
  }
}

async function attachedAmong(client: PoolClient, partitions: readonly Partition[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT c.relname AS name FROM unnest($1::text[]) AS n JOIN pg_class c ON c.oid = to_regclass(n) WHERE c.relispartition',
    [partitions.map(({ name }) => name)],
  );
  return new Set(rows.map(({ name }) => name));
}

/** How far ahead partitions are created, milliseconds. */
const AHEAD_MS = 7 * DAY;

/**
 * Creates the partitions for yesterday, today and the coming week. Any number of processes may call it concurrently.
 */
export async function createUpcomingPartitions(pool: Pool, today = now()): Promise<void> {
  const [from, until] = [new Date(today.getTime() - DAY), new Date(today.getTime() + AHEAD_MS)];
  for (const table of PARTITIONED_TABLES) await createPartitions(pool, table, partitionsBetween(table, from, until));
}

async function createPartition(
  client: PoolClient,
  { table, fillfactor, vacuumAt = 0.2 }: PartitionedTable,
  partition: Partition,
): Promise<void> {
  const { name, from, until } = partition;
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK.creatingPartitions})`);
    const { rows } = await client.query<{ attached: boolean }>(
      `SELECT relispartition AS attached FROM pg_class WHERE oid = to_regclass('${name}')`,
    );
    const create = `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) WITH (fillfactor = ${fillfactor}, autovacuum_vacuum_scale_factor = ${vacuumAt})`;
    const attach = `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${lowestIdAt(from)}') TO ('${lowestIdAt(until)}')`;
    if (rows.length === 0) {
      await client.query(create);
      await client.query(attach);
    } else if (rows[0]?.attached !== true && !(await reattach(client, attach))) {
      await client.query(`DROP TABLE ${name}`);
      await client.query(create);
      await client.query(attach);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Reattaches a detached partition that is needed after all. It had expired when it was detached, so the caller may drop
 * it if the table's columns have changed since.
 *
 * @returns false if they have
 */
async function reattach(client: PoolClient, attach: string): Promise<boolean> {
  await client.query('SAVEPOINT detached');
  try {
    await client.query(attach);
    return true;
  } catch (error) {
    if (faultOf(error).code !== SQLSTATE.datatypeMismatch) throw error;
    await client.query('ROLLBACK TO SAVEPOINT detached');
    return false;
  }
}

/** The lowest possible id of a record created at `at` or later, for turning a time range into an id range. */
export function lowestIdAt(at: Date): string {
  const digits = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-0000-0000-000000000000`;
}

/** The driver's error for a row without a partition. */
interface MissingPartition {
  readonly code?: string;
  readonly table?: string;
  readonly message?: string;
  readonly detail?: string;
}

const faultOf = (error: unknown): MissingPartition =>
  ((error as { driverError?: MissingPartition })?.driverError ?? error ?? {}) as MissingPartition;

/** Whether a statement failed because there is no partition for one of its rows; nothing was committed. */
export function isMissingPartition(error: unknown): boolean {
  const { code, message } = faultOf(error);
  return code === SQLSTATE.checkViolation && message?.startsWith('no partition of relation') === true;
}

/** One transaction may write to all partitioned tables, on both sides of midnight. */
const MAX_RETRIES = 2 * PARTITIONED_TABLES.length;

/** Runs `work`. When a partition is missing for one of its rows, creates it and runs `work` again from the start. */
export async function withPartitions<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      if (retries === MAX_RETRIES || !isMissingPartition(error)) throw error;
      await createMissingPartition(pool, error);
    }
  }
}

/** Creates the partition that `error` reports as missing. @throws `error` itself when the row's time is implausible */
async function createMissingPartition(pool: Pool, error: unknown): Promise<void> {
  const { table: name, detail } = faultOf(error);
  const table = PARTITIONED_TABLES.find((each) => each.table === name);
  const id = /\(([0-9a-f-]{36})\)/.exec(detail ?? '')?.[1];
  const at = id === undefined ? null : timeOfRecordId(id);
  if (table === undefined || at === null || Math.abs(at.getTime() - now().getTime()) > MAX_OFFSET_MS) throw error;
  await createPartitions(pool, table, [partitionAt(table, at)]);
}

/** Parley creates no rows further than this from now, so a wrong clock must not create partitions for them. */
const MAX_OFFSET_MS = 400 * DAY;
