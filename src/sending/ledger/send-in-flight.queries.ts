import { arrayLiteral } from '../../database/sql/array-literal.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import { idRange } from '../../values/record-id.js';
import type { SendInFlight } from './send-in-flight.entity.js';

/** A row of `sends_in_flight`. */
export interface InFlightBatch extends Readonly<Omit<SendInFlight, 'messageIds' | 'unsent'>> {
  readonly messageIds: readonly string[];
  readonly unsent?: boolean;
}

/** The messages of a batch whose outcome stayed unknown. */
export interface UnknownSends {
  readonly messageIds: readonly string[];
  /** When they count as failed. */
  readonly settleAt: Date;
}

/** Stores batches whose messages are committed already. Pipeline statement: each batch names its tenant. */
export async function insertInFlight(batches: readonly InFlightBatch[], db: Database): Promise<void> {
  await db.affected(
    `INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, lease_until, settle_at, unsent)
     SELECT b.account_id, b.id, b.campaign_id, b.message_ids::uuid[], b.lease_until, b.settle_at, b.unsent
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::boolean[])
       AS b (account_id, id, campaign_id, message_ids, lease_until, settle_at, unsent)
     ORDER BY b.account_id, b.id`,
    [
      batches.map(({ accountId }) => accountId),
      batches.map(({ id }) => id),
      batches.map(({ campaignId }) => campaignId),
      // PostgreSQL requires all rows of a two-dimensional array to have the same length.
      batches.map(({ messageIds }) => arrayLiteral(messageIds)),
      batches.map(({ leaseUntil }) => leaseUntil),
      batches.map(({ settleAt }) => settleAt),
      batches.map(({ unsent }) => unsent === true),
    ],
  );
}

/**
 * Finishes a batch; does nothing if the sweep already has.
 *
 * @param unknown the messages whose outcome stayed unknown, which stay in the batch; null deletes the batch
 */
export async function settleInFlight(
  accountId: string,
  batchId: string,
  unknown: UnknownSends | null,
  tx: Tx,
): Promise<void> {
  if (unknown === null) {
    await tx.affected('DELETE FROM sends_in_flight WHERE account_id = $1 AND id = $2', [accountId, batchId]);
    return;
  }
  await tx.affected(
    `UPDATE sends_in_flight SET message_ids = $3, lease_until = NULL, settle_at = $4
     WHERE account_id = $1 AND id = $2`,
    [accountId, batchId, unknown.messageIds, unknown.settleAt],
  );
}

/** Whether a batch is due: its deadline has passed, and no worker holds a lease. */
const DUE = `b.settle_at <= now() AND (b.lease_until IS NULL OR b.lease_until < now())`;

/** A look: whether any batch is due. */
export const EXPIRED_BATCH = `SELECT true FROM sends_in_flight b WHERE ${DUE} ORDER BY b.settle_at LIMIT 1`;

/**
 * The batches past their deadline, oldest first, except those a worker holds a lease on. Pipeline statement, all tenants.
 *
 * @param without accounts to leave out
 */
export function findExpiredBatches(limit: number, without: readonly string[], db: Database): Promise<InFlightBatch[]> {
  return db.rows<InFlightBatch>(
    `SELECT b.account_id, b.id, b.campaign_id, b.message_ids, b.lease_until, b.settle_at, b.unsent
     FROM sends_in_flight b
     WHERE ${DUE} AND b.account_id <> ALL ($2::uuid[])
     ORDER BY b.settle_at
     LIMIT $1`,
    [limit, without],
  );
}

/** A message of an expired batch without any report. */
export interface LostSend {
  readonly accountId: string;
  readonly messageId: string;
  /** Whether its recipient was cancelled, which proves that it was not sent. */
  readonly cancelled: boolean;
}

/**
 * The messages of expired batches without any report. Campaign messages whose recipient is pending are left out: they
 * are provably unsent and wait for their next attempt. Pipeline statement: each message names its tenant.
 */
export async function findLostSends(batches: readonly InFlightBatch[], tx: Tx): Promise<LostSend[]> {
  const accountOf = new Map(
    batches.flatMap(({ accountId, messageIds }) => messageIds.map((messageId) => [messageId, accountId] as const)),
  );
  const messageIds = [...accountOf.keys()];
  return tx.rows<LostSend>(
    `SELECT m.account_id, m.id AS message_id, r.state IS NOT DISTINCT FROM 'cancelled' AS cancelled
     FROM unnest($1::uuid[], $2::uuid[]) AS sent (account_id, id)
     JOIN messages m ON m.account_id = sent.account_id AND m.id = sent.id
     LEFT JOIN campaign_recipients r
       ON r.account_id = m.account_id AND r.campaign_id = m.campaign_id AND r.contact_id = m.contact_id
     WHERE m.id >= $3 AND m.id <= $4 AND m.seen = 0 AND r.state IS DISTINCT FROM 'pending'`,
    [[...accountOf.values()], messageIds, ...idRange(messageIds)],
  );
}

/**
 * Takes expired batches, which end with the transaction: whoever puts their recipients back takes them, too, and only one
 * can. Those that somebody else has, or has settled, are left out.
 *
 * @returns the ids of those taken
 */
export async function takeExpired(
  accountId: string,
  batchIds: readonly string[],
  tx: Tx,
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ id: string }>(
    `DELETE FROM sends_in_flight WHERE account_id = $1 AND id IN (
       SELECT b.id FROM sends_in_flight b
       WHERE b.account_id = $1 AND b.id = ANY ($2::uuid[]) AND ${DUE}
       ORDER BY b.id
       FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [accountId, batchIds],
  );
  return new Set(rows.map(({ id }) => id));
}
