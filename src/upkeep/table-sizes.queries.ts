import type { Database } from '../database/unit-of-work.js';

/** A table, with all its partitions. */
export interface TableSize {
  readonly name: string;
  /** Approximate number of rows, from the database's statistics. */
  readonly rows: number;
  /** On disk, with indexes. */
  readonly bytes: number;
  /** The oldest partition, or null when there is none. */
  readonly oldestPartition: string | null;
  /** The column that gives a row's age, an id or a time; null when rows have no time. */
  readonly ageColumn: string | null;
  readonly ageIsId: boolean;
  readonly hasAccount: boolean;
}

/**
 * All tables, by name. The age of a row comes from an id that follows the account in its key, or from a time column.
 */
export function findTableSizes(db: Database): Promise<TableSize[]> {
  return db.rows<TableSize>(
    `SELECT c.relname AS name, s.rows, s.bytes, s.oldest_partition, a.name AS age_column,
            coalesce(a.is_id, false) AS age_is_id,
            EXISTS (SELECT FROM pg_attribute k WHERE k.attrelid = c.oid AND k.attname = 'account_id') AS has_account
     FROM pg_class c
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(CASE WHEN l.live > 0 THEN l.live ELSE greatest(p.reltuples, 0) END), 0)::float8 AS rows,
              coalesce(sum(pg_total_relation_size(p.oid)), 0)::float8 AS bytes,
              min(p.relname) FILTER (WHERE p.oid <> c.oid) AS oldest_partition
       FROM (SELECT relid FROM pg_partition_tree(c.oid) UNION SELECT c.oid) t
       JOIN pg_class p ON p.oid = t.relid AND p.relkind = 'r'
       CROSS JOIN LATERAL (SELECT pg_stat_get_live_tuples(p.oid) AS live) l
     ) s
     LEFT JOIN LATERAL (
       SELECT k.attname AS name, k.atttypid = 'uuid'::regtype AS is_id
       FROM pg_attribute k
       LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
       WHERE k.attrelid = c.oid
         AND (k.atttypid = 'uuid'::regtype AND k.attname IN ('id', 'campaign_id', 'delivery_id', 'event_id')
                AND k.attnum IN (i.indkey[0], i.indkey[1])
              OR k.atttypid = 'timestamptz'::regtype AND k.attname IN ('created_at', 'received_at', 'held_from', 'started_at'))
       ORDER BY k.atttypid <> 'uuid'::regtype, k.attnum LIMIT 1
     ) a ON true
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY c.relname`,
  );
}

/** The columns of {@link TableSize} that locate the oldest row. */
type Aged = Pick<TableSize, 'name' | 'ageColumn' | 'ageIsId' | 'hasAccount'>;

/** The lowest id or the earliest time of some accounts' rows; null when there are none. */
export async function findOldest(
  accountIds: readonly string[],
  table: Aged,
  db: Database,
): Promise<string | Date | null> {
  const { name, ageColumn, ageIsId } = table;
  // Ids are looked up in the primary key, account by account, which is fast for tables of any size.
  const row = await db.row<{ oldest: string | Date | null }>(
    ageIsId
      ? `SELECT o.${ageColumn} AS oldest FROM unnest($1::uuid[]) AS a (id)
         CROSS JOIN LATERAL (SELECT t.${ageColumn} FROM ${name} t WHERE t.account_id = a.id ORDER BY t.${ageColumn} LIMIT 1) o
         ORDER BY o.${ageColumn} LIMIT 1`
      : `SELECT min(t.${ageColumn}) AS oldest FROM ${name} t WHERE t.account_id = ANY ($1::uuid[])`,
    [accountIds],
  );
  return row?.oldest ?? null;
}

/** Like {@link findOldest}, for a table without accounts. */
export async function findOldestWithoutAccount({ name, ageColumn }: Aged, db: Database): Promise<string | Date | null> {
  const row = await db.row<{ oldest: string | Date }>(
    `SELECT t.${ageColumn} AS oldest FROM ${name} t ORDER BY t.${ageColumn} LIMIT 1`,
  );
  return row?.oldest ?? null;
}

/** The id of the oldest unhandled callback, with or without an account. All tenants. */
export async function findOldestUnhandledCallback(db: Database): Promise<string | null> {
  const row = await db.row<{ id: string }>('SELECT id FROM unhandled_callbacks ORDER BY id LIMIT 1');
  return row?.id ?? null;
}
