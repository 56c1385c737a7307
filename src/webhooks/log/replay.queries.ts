import type { Database, Tx } from '../../database/unit-of-work.js';
import { EVERY_EVENT } from '../../manifest/event-manifest.js';
import { WebhookReplay } from '../webhook-replay.entity.js';
import { WebhookTestEvent } from '../webhooks.events.js';

/** Starts a replay unless one is already running for the endpoint. @returns whether it was started */
export async function startReplay(
  replay: Omit<WebhookReplay, 'replayed' | 'startedAt' | 'finishedAt' | 'cancelled'>,
  tx: Tx,
): Promise<boolean> {
  const { accountId, endpointId, since, kinds, doneUntil, endsBefore } = replay;
  const started = await tx.affected(
    `INSERT INTO webhook_replays AS r (account_id, endpoint_id, since, kinds, done_until, ends_before)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT webhook_replays_pkey DO UPDATE
       SET since = excluded.since, kinds = excluded.kinds, done_until = excluded.done_until,
           ends_before = excluded.ends_before, replayed = 0, started_at = now(), finished_at = NULL, cancelled = false
       WHERE r.finished_at IS NOT NULL`,
    [accountId, endpointId, since, kinds, doneUntil, endsBefore],
  );
  return started === 1;
}

/** Ends the running replay of an endpoint, after the step in progress. @returns whether there was one */
export async function cancelReplay(accountId: string, endpointId: string, tx: Tx): Promise<boolean> {
  const cancelled = await tx.affected(
    `UPDATE webhook_replays SET finished_at = now(), cancelled = true
     WHERE account_id = $1 AND endpoint_id = $2 AND finished_at IS NULL`,
    [accountId, endpointId],
  );
  return cancelled === 1;
}

/** An endpoint to which past events are being replayed. */
export type RunningReplay = Pick<WebhookReplay, 'accountId' | 'endpointId'>;

const RUNNING = `webhook_replays r
     JOIN webhook_endpoints w ON w.account_id = r.account_id AND w.id = r.endpoint_id
     WHERE r.finished_at IS NULL AND w.status = 'active' AND w.deleted_at IS NULL`;
/** A look: whether any replay is running. */
export const RUNNING_REPLAY = `SELECT true FROM ${RUNNING} LIMIT 1`;

/** Running replays whose endpoints are active. A pipeline statement over all accounts. */
export function findRunningReplays(db: Database): Promise<RunningReplay[]> {
  return db.rows<RunningReplay>(`SELECT r.account_id, r.endpoint_id FROM ${RUNNING}`);
}

/** A replay locked by this process. */
export type LockedReplay = Pick<WebhookReplay, 'kinds' | 'doneUntil' | 'endsBefore'>;

/** Locks the running replay of an endpoint until the end of `tx`; null when there is none or another process has it. */
export function lockReplay(accountId: string, endpointId: string, tx: Tx): Promise<LockedReplay | null> {
  return tx.row<LockedReplay>(
    `SELECT kinds, done_until, ends_before FROM webhook_replays
     WHERE account_id = $1 AND endpoint_id = $2 AND finished_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`,
    [accountId, endpointId],
  );
}

/** Whether an endpoint has at least `limit` pending deliveries. */
export async function hasPending(accountId: string, endpointId: string, limit: number, tx: Tx): Promise<boolean> {
  const row = await tx.row<{ pending: number }>(
    `SELECT count(*)::int AS pending FROM (
       SELECT FROM webhook_deliveries
       WHERE account_id = $1 AND endpoint_id = $2 AND status = 'pending' LIMIT $3) waiting`,
    [accountId, endpointId, limit],
  );
  return (row?.pending ?? 0) >= limit;
}

/** The result of one step of a replay. */
export interface ReplayStep {
  /** Deliveries created. */
  readonly made: number;
  /** The last event looked at; null when there were none left. */
  readonly lastId: string | null;
}

/**
 * Looks at the next `limit` events of the log and creates deliveries of those with a replayed kind. Test events
 * went to one endpoint, so "every event" does not include them.
 */
export async function replayEvents(
  accountId: string,
  endpointId: string,
  { kinds, doneUntil, endsBefore }: LockedReplay,
  limit: number,
  tx: Tx,
): Promise<ReplayStep> {
  const row = await tx.row<ReplayStep>(
    `WITH next AS MATERIALIZED (
       SELECT id, kind FROM events
       WHERE account_id = $1 AND id > $3 AND id < $4
       ORDER BY id LIMIT $6
     ), made AS (
       INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, kind, retries_left)
       SELECT w.account_id, new_record_id(), w.id, next.id, next.kind, w.retry_count
       FROM next JOIN webhook_endpoints w ON w.account_id = $1 AND w.id = $2
       WHERE next.kind = ANY ($5::text[]) OR ('${EVERY_EVENT}' = ANY ($5::text[]) AND next.kind <> '${WebhookTestEvent.kind}')
       RETURNING id
     )
     SELECT (SELECT count(*)::int FROM made) AS made, (SELECT id FROM next ORDER BY id DESC LIMIT 1) AS last_id`,
    [accountId, endpointId, doneUntil, endsBefore, kinds, limit],
  );
  return row ?? { made: 0, lastId: null };
}

/** Stores a replay's progress; it is finished when no events were left. */
export async function recordReplayStep(
  accountId: string,
  endpointId: string,
  { made, lastId }: ReplayStep,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE webhook_replays
     SET replayed = replayed + $3, done_until = coalesce($4, done_until),
         finished_at = CASE WHEN $4::uuid IS NULL THEN now() END
     WHERE account_id = $1 AND endpoint_id = $2`,
    [accountId, endpointId, made, lastId],
  );
}
