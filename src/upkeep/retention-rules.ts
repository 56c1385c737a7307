import type { Retention } from '../config/environment.js';
import type { Partition, PartitionedTable } from '../database/schema/partitions.js';
import { DAY } from '../values/clock.js';
import { type RecordId, timeOfRecordId } from '../values/record-id.js';

/** What decides how long rows are kept. */
export interface RetentionBounds {
  /** Daily partitions are kept from this time on. */
  readonly day: Date;
  /** Monthly ones; null: for ever. */
  readonly month: Date | null;
  /** When campaigns were made whose recipients are still needed. */
  readonly kept: readonly Date[];
  /** When the oldest running campaign was made, whose messages may be of any time since; null: none runs. */
  readonly oldestRunning: Date | null;
}

/** A campaign whose recipients are still needed: it is not over, or was not long ago. */
export interface KeptCampaign {
  readonly id: RecordId;
  readonly isRunning: boolean;
}

/** @param campaigns those whose recipients are still needed, of all accounts, the oldest first */
export function retentionBounds(
  { retentionDays, messageRetentionDays }: Retention,
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
 * Whether every row that a partition may hold is older than it has to be kept. A campaign that is not over, or was not long ago,
 * keeps the month of its recipients, and while it runs all months that may hold its messages. A draft that nobody sends keeps no more than
 * its own month.
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
