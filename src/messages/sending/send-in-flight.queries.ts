import { arrayLiteral } from '../../database/sql/array-literal.js';
import type { Tx } from '../../database/unit-of-work.js';
import { idRange } from '../../values/record-id.js';

/** Messages handed to the network together, as long as the outcome of some may be unknown. */
export interface InFlightBatch {
  readonly accountId: string;
  readonly id: string;
  /** Null for single sends. */
  readonly campaignId: string | null;
  readonly messageIds: readonly string[];
  /** Until then a campaign's worker may still be at it; null: nobody is. */
  readonly leaseUntil: Date | null;
  /** When messages of which nothing was learned count as failed. */
  readonly settleAt: Date;
  /** True: they were provably not sent, and will not be. */
  readonly unsent?: boolean;
}

/** Which messages of a batch stayed unknown. */
export interface UnknownSends {
  readonly messageIds: readonly string[];
  /** When they count as failed. */
  readonly settleAt: Date;
}

/** Stores batches, in the transaction that commits their messages. Pipeline statement: each batch names its tenant. */
export async function insertInFlight(batches: readonly InFlightBatch[], tx: Tx): Promise<void> {
  await tx.affected(
    `INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, lease_until, settle_at, unsent)
     SELECT b.account_id, b.id, b.campaign_id, b.message_ids::uuid[], b.lease_until, b.settle_at, b.unsent
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::boolean[])
       AS b (account_id, id, campaign_id, message_ids, lease_until, settle_at, unsent)
     ORDER BY b.account_id, b.id`,
    [
      batches.map(({ accountId }) => accountId),
      batches.map(({ id }) => id),
      batches.map(({ campaignId }) => campaignId),
      // An array of arrays would have to be a rectangle.
      batches.map(({ messageIds }) => arrayLiteral(messageIds)),
      batches.map(({ leaseUntil }) => leaseUntil),
      batches.map(({ settleAt }) => settleAt),
      batches.map(({ unsent }) => unsent === true),
    ],
  );
}

/**
 * Ends the work on a batch. Does nothing when the sweep was faster.
 *
 * @param unknown the messages whose outcome stayed unknown: only they are left in the batch; null: there are none, and
 * the batch goes
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

/** Whether a batch is due: nobody works on it, and its time is up. */
const DUE = `b.settle_at <= now() AND (b.lease_until IS NULL OR b.lease_until < now())`;

/**
 * The batches whose time is up, the oldest first; one that a worker still holds a lease on waits for the lease. Nothing is
 * locked: looking at a batch twice changes nothing. Pipeline statement, all tenants.
 */
export function takeExpiredBatches(limit: number, tx: Tx): Promise<InFlightBatch[]> {
  return tx.rows<InFlightBatch>(
    `SELECT b.account_id, b.id, b.campaign_id, b.message_ids, b.lease_until, b.settle_at, b.unsent
     FROM sends_in_flight b
     WHERE ${DUE}
     ORDER BY b.settle_at
     LIMIT $1`,
    [limit],
  );
}

/** A message of an expired batch of which nothing was learned. */
export interface LostSend {
  readonly accountId: string;
  readonly messageId: string;
  /** Whether its recipient was cancelled, which says that it was provably not sent. */
  readonly cancelled: boolean;
}

/**
 * Which messages of expired batches are lost: nothing was learned of them. Those of a campaign whose recipient is pending
 * are provably unsent and wait for their next try. Pipeline statement: each message names its tenant.
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
 * Deletes batches that are settled, unless their time was set anew since they were read. Pipeline statement: each batch
 * names its tenant.
 */
export async function dropBatches(batches: readonly Pick<InFlightBatch, 'accountId' | 'id'>[], tx: Tx): Promise<void> {
  await tx.affected(
    `DELETE FROM sends_in_flight WHERE (account_id, id) IN (
       SELECT b.account_id, b.id
       FROM sends_in_flight b
       JOIN unnest($1::uuid[], $2::uuid[]) AS settled (account_id, id) ON b.account_id = settled.account_id AND b.id = settled.id
       WHERE ${DUE}
       ORDER BY b.account_id, b.id
       FOR UPDATE OF b SKIP LOCKED)`,
    [batches.map(({ accountId }) => accountId), batches.map(({ id }) => id)],
  );
}
