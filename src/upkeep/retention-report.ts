import { findAccountIds } from '../accounts/account.queries.js';
import type { Retention } from '../config/environment.js';
import {
  PARTITIONED_TABLES,
  type Partition,
  type PartitionedTable,
  partitionNamed,
} from '../database/schema/partitions.js';
import type { Tx } from '../database/unit-of-work.js';
import { DAY, now } from '../values/clock.js';
import { timeOfRecordId } from '../values/record-id.js';
import { UNHANDLED_CALLBACKS_KEPT_MS } from './expired-rows.sweep.js';
import { findKeptCampaigns } from './retention.queries.js';
import { isExpired, type RetentionBounds, retentionBounds } from './retention-rules.js';
import {
  findOldest,
  findOldestUnhandledCallback,
  findOldestWithoutAccount,
  findTableSizes,
  type TableSize,
} from './table-sizes.queries.js';

/** A table's size and retention. */
export interface TableReport {
  readonly table: string;
  /** Approximate. */
  readonly rows: number;
  /** On disk, with indexes. */
  readonly bytes: number;
  /** When its oldest row was created; null when it is empty or its rows have no time. */
  readonly oldest: Date | null;
  /** The retention in words. */
  readonly kept: string;
  /** What is deleted next, and when; null when nothing is. */
  readonly next: string | null;
  readonly at: Date | null;
}

/** Tables whose rows expire one by one. The periods mirror those in the rooms that own the tables. */
const rowsKept = ({ auditRetentionDays }: Retention): Readonly<Record<string, { kept: string; ms: number }>> => ({
  audit_entries: { kept: `${auditRetentionDays} days`, ms: auditRetentionDays * DAY },
  idempotency_keys: { kept: '24 hours', ms: DAY },
  parked_reports: { kept: '7 days', ms: 7 * DAY },
  unhandled_callbacks: { kept: '30 days', ms: UNHANDLED_CALLBACKS_KEPT_MS },
});
/** Tables whose rows are deleted for reasons other than age. */
const KEPT_UNTIL: Readonly<Record<string, string>> = {
  campaigns: 'as long as its recipients',
  contact_purges: 'until all contacts are hidden',
  counter_changes: 'until they are folded, about a second',
  erasure_runs: 'until every table has been processed',
  network_messages: 'as long as its messages',
  outbox: 'until they are fanned out, about a second',
  rate_limit_windows: 'an hour after the last request',
  sends_in_flight: 'until the outcome is known',
};
const FOR_EVER = 'for ever';
const ACCOUNT_BATCH = 1000;

/** Reports on every table of the schema. Takes a second or two, whatever their size. */
export async function reportRetention(retention: Retention, tx: Tx): Promise<TableReport[]> {
  const bounds = retentionBounds(retention, now(), await findKeptCampaigns(retention.messageRetentionDays, tx));
  const accountIds = await allAccountIds(tx);
  const reports: TableReport[] = [];
  for (const size of await findTableSizes(tx)) {
    // A detached partition that is about to be dropped.
    if (PARTITIONED_TABLES.some((table) => partitionNamed(table, size.name) !== null)) continue;
    const { name: table, rows, bytes } = size;
    const oldest = await oldestOf(size, accountIds, tx);
    reports.push({ table, rows, bytes, oldest, ...futureOf(size, oldest, retention, bounds) });
  }
  return reports;
}

type Future = Pick<TableReport, 'kept' | 'next' | 'at'>;

function futureOf(
  { name, oldestPartition }: TableSize,
  oldest: Date | null,
  retention: Retention,
  bounds: RetentionBounds,
): Future {
  const partitioned = PARTITIONED_TABLES.find(({ table }) => table === name);
  if (partitioned !== undefined) {
    const partition = partitionNamed(partitioned, oldestPartition ?? '');
    return futureOfPartition(partitioned, partition, retention, bounds);
  }
  const rule = rowsKept(retention)[name];
  if (rule === undefined) return { kept: KEPT_UNTIL[name] ?? FOR_EVER, next: null, at: null };
  const { kept, ms } = rule;
  return oldest === null
    ? { kept, next: null, at: null }
    : { kept, next: 'the oldest rows', at: new Date(oldest.getTime() + ms) };
}

function futureOfPartition(
  table: PartitionedTable,
  partition: Partition | null,
  { retentionDays, messageRetentionDays }: Retention,
  bounds: RetentionBounds,
): Future {
  const days = table.period === 'day' ? retentionDays : messageRetentionDays;
  if (days === 0) return { kept: FOR_EVER, next: null, at: null };
  const kept = `${days} days`;
  if (partition === null) return { kept, next: null, at: null };
  const at = new Date(partition.until.getTime() + days * DAY);
  const isHeld = at <= now() && !isExpired(table, partition, bounds);
  return isHeld
    ? { kept, next: `${partition.name}, once its campaigns have been finished for long enough`, at: null }
    : { kept, next: partition.name, at };
}

async function oldestOf(size: TableSize, accountIds: readonly string[], tx: Tx): Promise<Date | null> {
  if (size.name === 'unhandled_callbacks') return timeOf(await findOldestUnhandledCallback(tx));
  if (size.ageColumn === null) return null;
  if (!size.hasAccount) return timeOf(await findOldestWithoutAccount(size, tx));
  let oldest: Date | null = null;
  for (let from = 0; from < accountIds.length; from += ACCOUNT_BATCH) {
    const found = timeOf(await findOldest(accountIds.slice(from, from + ACCOUNT_BATCH), size, tx));
    if (found !== null && (oldest === null || found < oldest)) oldest = found;
  }
  return oldest;
}

const timeOf = (oldest: string | Date | null): Date | null =>
  typeof oldest === 'string' ? timeOfRecordId(oldest) : oldest;

async function allAccountIds(tx: Tx): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const found = await findAccountIds(all.at(-1) ?? null, ACCOUNT_BATCH, tx);
    all.push(...found);
    if (found.length < ACCOUNT_BATCH) return all;
  }
}
