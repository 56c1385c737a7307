import type { Database, Tx } from '../database/unit-of-work.js';

/** A table that has outgrown the planner's statistics. */
export interface OutgrownTable {
  readonly name: string;
  /** Approximate number of rows. */
  readonly size: number;
}

/** Smaller tables are left to autovacuum: any plan will do. */
const MIN_ROWS = 500;
/** Tables with fewer pages at their last analysis are also judged by their size on disk, which is never stale. */
const SMALL_PAGES = 64;
/** An analysis is due when a small table has this many 8 KiB pages more than twice the known ones. */
const MIN_NEW_PAGES = 24;

/** A look: how many bytes have been written ahead, ever. Tables that grow make it grow. */
export const BYTES_WRITTEN = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`;

/**
 * Tables and partitions with at least twice the rows of their last analysis, smallest first. The database's row counts
 * lag by about a second, so small tables are also judged by their size on disk: one that fills suddenly is found
 * immediately. Tables of another owner are left out, because only their owner may analyze them.
 */
export function findOutgrownTables(db: Database): Promise<OutgrownTable[]> {
  return db.rows<OutgrownTable>(
    `SELECT c.relname AS name, s.size
     FROM pg_class c
     CROSS JOIN LATERAL (
       SELECT pg_stat_get_live_tuples(c.oid) AS size, pg_stat_get_mod_since_analyze(c.oid) AS changed,
              coalesce(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) AS analyzed_at
     ) s
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND pg_has_role(c.relowner, 'USAGE')
       AND (s.size >= $1 AND s.changed >= s.size / 2 AND (s.size >= 2 * c.reltuples OR s.analyzed_at IS NULL)
            OR c.relpages < $2 AND pg_relation_size(c.oid) / 8192 >= 2 * c.relpages + $3)
     ORDER BY s.size`,
    [MIN_ROWS, SMALL_PAGES, MIN_NEW_PAGES],
  );
}

/** The statistics target for a growing table: a fifth of the default, because it is soon analyzed again. */
const SAMPLING = 20;

/**
 * Analyzes a table, which makes every connection plan its statements on it again. Skips a locked table. Needs a
 * transaction.
 */
export async function analyze({ name }: OutgrownTable, tx: Tx): Promise<void> {
  await tx.affected(`SET LOCAL default_statistics_target = ${SAMPLING}`);
  await tx.affected(`ANALYZE (SKIP_LOCKED) ${name}`);
}
