import type { Tx } from '../database/unit-of-work.js';
import type { CampaignDelta, CampaignSettlement } from '../messages/campaign-progress.js';

/**
 * Moves the counters of campaigns, locked in the order of their ids. Pipeline statement: each delta names its tenant and
 * matches that tenant's row alone.
 */
export async function moveCounters(deltas: readonly CampaignDelta[], tx: Tx): Promise<void> {
  const of = <T>(read: (delta: CampaignDelta) => T): T[] => deltas.map(read);
  const accountIds = of(({ accountId }) => accountId);
  const campaignIds = of(({ campaignId }) => campaignId);
  if (deltas.length > 1) {
    await tx.rows(
      `SELECT 1 FROM campaigns g JOIN unnest($1::uuid[], $2::uuid[]) AS d (account_id, id)
         ON g.account_id = d.account_id AND g.id = d.id
       ORDER BY g.id FOR NO KEY UPDATE OF g`,
      [accountIds, campaignIds],
    );
  }
  await tx.affected(
    `UPDATE campaigns g
     SET sent_count = g.sent_count + d.sent, delivered_count = g.delivered_count + d.delivered,
         read_count = g.read_count + d.read, failed_count = g.failed_count + d.failed
     FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[], $6::int[])
       AS d (account_id, id, sent, delivered, read, failed)
     WHERE g.account_id = d.account_id AND g.id = d.id`,
    [
      accountIds,
      campaignIds,
      of(({ sent }) => sent),
      of(({ delivered }) => delivered),
      of(({ read }) => read),
      of(({ failed }) => failed),
    ],
  );
}

/**
 * Gives credits back for messages that the network did not take and charges them again when it did after all, each once
 * per recipient and round (D30). Wallets are locked in the order of their accounts. Pipeline statement.
 *
 * @param entryIds a fresh id for each settlement
 */
export async function settleCredits(
  settlements: readonly CampaignSettlement[],
  entryIds: readonly string[],
  tx: Tx,
): Promise<void> {
  const moved = await tx.rows<{ account_id: string; amount: number }>(
    `INSERT INTO wallet_entries (account_id, id, kind, amount, campaign_id, recipient_id, attempt)
     SELECT s.account_id, s.id, CASE WHEN s.accepted THEN 'charge' ELSE 'refund' END,
            CASE WHEN s.accepted THEN -g.price ELSE g.price END, g.id, r.id, r.round
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[]) AS s (account_id, id, recipient_id, accepted)
     JOIN campaign_recipients r ON r.account_id = s.account_id AND r.id = s.recipient_id
     JOIN campaigns g ON g.account_id = r.account_id AND g.id = r.campaign_id
     WHERE g.price > 0
     ON CONFLICT ON CONSTRAINT wallet_entries_movement_key DO NOTHING
     RETURNING account_id, amount`,
    [
      settlements.map(({ accountId }) => accountId),
      entryIds,
      settlements.map(({ recipientId }) => recipientId),
      settlements.map(({ accepted }) => accepted),
    ],
  );
  const sums = new Map<string, number>();
  for (const { account_id: accountId, amount } of moved) sums.set(accountId, (sums.get(accountId) ?? 0) + amount);
  for (const [accountId, amount] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await tx.affected('UPDATE wallets SET balance = balance + $2 WHERE account_id = $1', [accountId, amount]);
  }
}
