import type { Database } from '../database/unit-of-work.js';

/** Channel on which a worker announces that it has given up the lease. */
export const LEASE_CHANNEL = 'parley_sweep_lease';
/** Channel on which the worker that sweeps names the sweeps that have work for every worker, separated by commas. */
export const SWEEPS_CHANNEL = 'parley_sweeps';

/** What a worker that asked for the lease has got. */
export interface LeaseAnswer {
  readonly isMine: boolean;
  /** Milliseconds until the lease that was there ends; not positive: it has ended. */
  readonly endsInMs: number;
}

/**
 * Takes or renews the lease, unless another process has it: one whose lease has not ended, and whose session is there. The
 * database's clock decides; a lease that ends later than a fresh one would is left from a clock that has since been set
 * back. Losing it in a crash of the database does no harm, so the commit waits for no disk.
 *
 * @param session the pid of a database session that ends with this process; null if there is none now
 */
export async function claimLease(
  holder: string,
  session: number | null,
  leaseMs: number,
  db: Database,
): Promise<LeaseAnswer> {
  const answer = await db.row<LeaseAnswer>(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     ), claimed AS (
       UPDATE sweep_lease l
       SET holder = $1, held_until = clock_timestamp() + $2::float8 * interval '1 millisecond', session = $3
       FROM unsynced
       WHERE (l.holder <> $1 AND l.held_until BETWEEN clock_timestamp()
                AND clock_timestamp() + $2::float8 * interval '1 millisecond') IS NOT TRUE
         OR l.session IS NOT NULL AND NOT EXISTS (SELECT FROM pg_stat_get_activity(l.session))
       RETURNING l.only_row
     )
     SELECT EXISTS (SELECT FROM claimed) AS is_mine,
            coalesce(extract(epoch FROM held_until - clock_timestamp())::float8 * 1000, 0) AS ends_in_ms
     FROM sweep_lease`,
    [holder, leaseMs, session],
  );
  return answer ?? { isMine: false, endsInMs: 0 };
}

/** Gives up the lease and tells the other workers. Does nothing if another process has it. */
export async function releaseLease(holder: string, db: Database): Promise<void> {
  await db.rows(
    `WITH released AS (
       UPDATE sweep_lease SET holder = NULL, held_until = NULL, session = NULL WHERE holder = $1 RETURNING only_row
     )
     SELECT pg_notify('${LEASE_CHANNEL}', $1::uuid::text) FROM released`,
    [holder],
  );
}

/** Tells every worker which sweeps have work for it. */
export async function announceSweeps(names: readonly string[], db: Database): Promise<void> {
  await db.rows(
    `WITH unsynced AS MATERIALIZED (
       SELECT set_config('synchronous_commit', 'off', true)
     )
     SELECT pg_notify('${SWEEPS_CHANNEL}', $1) FROM unsynced`,
    [names.join(',')],
  );
}

/**
 * Answers the looks of several sweeps with one statement.
 *
 * @returns what each found, as text; null: nothing
 */
export async function lookFor(looks: readonly string[], db: Database): Promise<readonly (string | null)[]> {
  const row = await db.row<{ found: (string | null)[] }>(
    `SELECT ARRAY[${looks.map((look) => `(${look})::text`).join(', ')}] AS found`,
  );
  return row?.found ?? [];
}
