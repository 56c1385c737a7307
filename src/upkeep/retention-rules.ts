import type { Retention } from '../config/environment.js';
import type { Partition, PartitionedTable } from '../database/schema/partitions.js';
import { DAY } from '../values/clock.js';
import { type RecordId, timeOfRecordId } from '../values/record-id.js';

/** The bounds that decide which partitions have expired. */
export interface RetentionBounds {
  /** Daily partitions that end before this have expired. */
  readonly day: Date;
  /** The same for monthly partitions; null: never. */
  readonly month: Date | null;
  /** Creation times of campaigns whose recipients are still needed. */
  readonly kept: readonly Date[];
  /** Creation time of the oldest running campaign, whose messages may be of any later time; null: none is running. */
  readonly oldestRunning: Date | null;
}

/** A campaign whose recipients are still needed: it is unfinished or finished only recently. */
export interface KeptCampaign {
  readonly id: RecordId;
  readonly isRunning: boolean;
}

/** @param campaigns those whose recipients are still needed, of all accounts, the oldest first */
export function retentionBounds(
  { retentionDays, messageRetentionDays }: Pick<Retention, 'retentionDays' | 'messageRetentionDays'>,
  now: Date,
  campaigns: readonly KeptCampaign[],
): RetentionBounds {
  const before = (days: number): Date => new Date(now.getTime() - days * DAY);
  const oldestRunning = campaigns.find(({ isRunning }) => isRunning);
  return {
    day: before(retentionDays),
    month: messageRetentionDays === 0 ? null : before(messageRetentionDays),
    kept: campaigns.map(({ id }) => timeOfRecordId(id)),
    oldestRunning: oldestRunning === undefined ? null : timeOfRecordId(oldestRunning.id),
  };
}

/**
 * Whether every row that a partition may hold is past its retention. An unfinished or recently finished campaign keeps
 * the month of its recipients; a running one also keeps every month that may hold its messages. An unsent draft keeps
 * only its own month.
 */
export function isExpired(
  { table, period }: Pick<PartitionedTable, 'table' | 'period'>,
  { from, until }: Pick<Partition, 'from' | 'until'>,
  bounds: RetentionBounds,
): boolean {
  const bound = bounds[period];
  if (bound === null || until > bound) return false;
  if (period === 'day') return true;
  if (table === 'messages') return bounds.oldestRunning === null || until <= bounds.oldestRunning;
  return !bounds.kept.some((at) => at >= from && at < until);
}
