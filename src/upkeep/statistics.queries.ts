import type { Tx } from '../database/unit-of-work.js';

/** A table that has outgrown what the planner knows of it. */
export interface OutgrownTable {
  readonly name: string;
  /** About how many rows it has. */
  readonly size: number;
}

/** Smaller tables are left to autovacuum: any plan will do. */
const MIN_ROWS = 500;
/** Tables of at most so many pages when they were last analyzed are also judged by their size on disk, which lags by nothing. */
const SMALL_PAGES = 64;
/** So many pages more than twice the known ones, of 8 KiB, are worth an analysis. */
const MIN_NEW_PAGES = 24;

/**
 * Tables and partitions with at least twice the rows that they had when they were last analyzed, smallest first. What
 * the database counts lags by about a second; the size of small tables is looked at as well, so that one that fills at
 * once is found at once. Tables of another owner are left out: only their owner may analyze them.
 */
export function findOutgrownTables(tx: Tx): Promise<OutgrownTable[]> {
  return tx.rows<OutgrownTable>(
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

/** How closely a growing table is looked at, a fifth of the usual: soon it is analyzed again. */
const SAMPLING = 20;

/**
 * Counts anew what a table holds, and makes every connection plan its statements on it again. Skips a table in use by
 * another such command. Needs a transaction.
 */
export async function analyze({ name }: OutgrownTable, tx: Tx): Promise<void> {
  await tx.affected(`SET LOCAL default_statistics_target = ${SAMPLING}`);
  await tx.affected(`ANALYZE (SKIP_LOCKED) ${name}`);
}
