import type { Tx } from './unit-of-work.js';

/** Makes the partitions of today and the days around it, and drops those older than `keepDays`. Safe at any time. */
export async function rollDailyPartitions(keepDays: number, tx: Tx): Promise<void> {
  await tx.rows('SELECT roll_daily_partitions($1)', [keepDays]);
}
