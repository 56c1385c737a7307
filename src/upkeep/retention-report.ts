import { findAccountIds } from '../accounts/account.queries.js';
import type { Retention } from '../config/environment.js';
import {
  PARTITIONED_TABLES,
  type Partition,
  type PartitionedTable,
  partitionNamed,
} from '../database/schema/partitions.js';
import type { Database } from '../database/unit-of-work.js';
import type { Manifest } from '../manifest/manifest.js';
import type { Kept } from '../manifest/room.js';
import { DAY, now } from '../values/clock.js';
import { timeOfRecordId } from '../values/record-id.js';
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

const FOR_EVER = 'for ever';
const ACCOUNT_BATCH = 1000;

/** Reports on every table of the schema. Takes a second or two, whatever their size. */
export async function reportRetention(retention: Retention, manifest: Manifest, db: Database): Promise<TableReport[]> {
  const kept = manifest.kept(retention);
  const bounds = retentionBounds(retention, now(), await findKeptCampaigns(retention.messageRetentionDays, db));
  const accountIds = await allAccountIds(db);
  const reports: TableReport[] = [];
  for (const size of await findTableSizes(db)) {
    // A detached partition that is about to be dropped.
    if (PARTITIONED_TABLES.some((table) => partitionNamed(table, size.name) !== null)) continue;
    const { name: table, rows, bytes } = size;
    const oldest = await oldestOf(size, accountIds, db);
    reports.push({
      table,
      rows,
      bytes,
      oldest,
      ...futureOf(size, oldest, retention, bounds, kept[size.name] ?? FOR_EVER),
    });
  }
  return reports;
}

type Future = Pick<TableReport, 'kept' | 'next' | 'at'>;

function futureOf(
  { name, oldestPartition }: TableSize,
  oldest: Date | null,
  retention: Retention,
  bounds: RetentionBounds,
  declared: Kept,
): Future {
  const partitioned = PARTITIONED_TABLES.find(({ table }) => table === name);
  if (partitioned !== undefined) {
    const partition = partitionNamed(partitioned, oldestPartition ?? '');
    return futureOfPartition(partitioned, partition, retention, bounds);
  }
  if (typeof declared === 'string') return { kept: declared, next: null, at: null };
  const { words: kept, ms } = declared;
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

async function oldestOf(size: TableSize, accountIds: readonly string[], db: Database): Promise<Date | null> {
  if (size.name === 'unhandled_callbacks') return timeOf(await findOldestUnhandledCallback(db));
  if (size.ageColumn === null) return null;
  if (!size.hasAccount) return timeOf(await findOldestWithoutAccount(size, db));
  let oldest: Date | null = null;
  for (let from = 0; from < accountIds.length; from += ACCOUNT_BATCH) {
    const found = timeOf(await findOldest(accountIds.slice(from, from + ACCOUNT_BATCH), size, db));
    if (found !== null && (oldest === null || found < oldest)) oldest = found;
  }
  return oldest;
}

const timeOf = (oldest: string | Date | null): Date | null =>
  typeof oldest === 'string' ? timeOfRecordId(oldest) : oldest;

async function allAccountIds(db: Database): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const found = await findAccountIds(all.at(-1) ?? null, ACCOUNT_BATCH, db);
    all.push(...found);
    if (found.length < ACCOUNT_BATCH) return all;
  }
}
