import { lowestIdAt, PARTITIONED_TABLES, partitionNamed } from '../database/schema/partitions.js';
import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

/** The partitioned tables whose rows are counted by triggers. */
export type CountedTable = 'messages' | 'webhook_deliveries';

/** The counters of one subject in one partition. */
export interface PartitionCounts {
  /** The lowest id in the partition. */
  readonly since: RecordId;
  /** Exclusive. */
  readonly until: RecordId;
  /** Exact counts by kind; '' is all rows, and kinds that count nothing are absent. */
  readonly amounts: ReadonlyMap<string, number>;
}

/**
 * Reads the counters of a partitioned table for one subject, newest partition first. Only partitions that are still
 * attached count, so expired rows leave the totals at the moment they leave the table. The names are made from the
 * catalog and each is looked up by key, which costs the same however many rows are counted.
 *
 * @param kinds the suffixes of the counters besides the one of all rows
 */
export async function countsByPartition(
  accountId: RecordId,
  table: CountedTable,
  subjectId: RecordId,
  kinds: readonly string[],
  tx: Tx,
): Promise<PartitionCounts[]> {
  const rows = await tx.rows<{ partition: string; kind: string; amount: number }>(
    `SELECT p.partition, k.kind, sum(n.amount)::float8 AS amount
     FROM (
       SELECT c.relname::text AS partition FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = '${table}'::regclass AND NOT i.inhdetachpending
     ) p
     CROSS JOIN unnest($3::text[]) AS k (kind)
     JOIN counter_amounts n
       ON n.account_id = $1 AND n.counter = CASE k.kind WHEN '' THEN p.partition ELSE p.partition || '.' || k.kind END
          AND n.subject_id = $2
     GROUP BY 1, 2`,
    [accountId, subjectId, ['', ...kinds]],
  );
  const amounts = new Map<string, Map<string, number>>();
  for (const { partition, kind, amount } of rows) {
    const known = amounts.get(partition) ?? new Map<string, number>();
    amounts.set(partition, known.set(kind, amount));
  }
  return [...amounts]
    .flatMap(([name, found]) => {
      const range = rangeOf(table, name);
      return range === null ? [] : [{ ...range, amounts: found }];
    })
    .sort((a, b) => (a.since < b.since ? 1 : -1));
}

function rangeOf(table: CountedTable, name: string): Pick<PartitionCounts, 'since' | 'until'> | null {
  const partitioned = PARTITIONED_TABLES.find((each) => each.table === table);
  const partition = partitioned === undefined ? null : partitionNamed(partitioned, name);
  return partition === null ? null : { since: lowestIdAt(partition.from), until: lowestIdAt(partition.until) };
}
