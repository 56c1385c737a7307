import { enterMovement, lockWallet } from '../../accounts/wallet.queries.js';
import type { Tx } from '../../database/unit-of-work.js';
import { badRequest } from '../../errors/domain-error.js';
import type { CreditSettlement } from '../../messages/outcomes/campaign-credits.js';
import { idRange } from '../../values/record-id.js';

/**
 * Refunds credits for messages the network did not accept, and charges them again if it accepted them after all.
 * Flipping the recipient's `credit_returned` flag ensures that each credit moves only once. There is one ledger entry
 * per campaign and kind. Recipients are locked in id order. Pipeline statement: each settlement names its tenant.
 */
export async function settleCredits(settlements: readonly CreditSettlement[], tx: Tx): Promise<void> {
  const of = <T>(read: (settlement: CreditSettlement) => T): T[] => settlements.map(read);
  const campaignIds = of(({ campaignId }) => campaignId);
  await tx.affected(
    `WITH held AS MATERIALIZED (
       SELECT r.account_id, r.campaign_id, r.contact_id, s.accepted
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::boolean[])
              AS s (account_id, campaign_id, contact_id, message_id, accepted)
       JOIN campaign_recipients r
         ON r.account_id = s.account_id AND r.campaign_id = s.campaign_id AND r.contact_id = s.contact_id
       WHERE r.campaign_id >= $6 AND r.campaign_id <= $7 AND r.message_id = s.message_id AND r.credit_returned = s.accepted
       ORDER BY r.campaign_id, r.contact_id
       FOR NO KEY UPDATE OF r
     ), settled AS (
       UPDATE campaign_recipients r SET credit_returned = NOT held.accepted
       FROM held
       WHERE r.account_id = held.account_id AND r.campaign_id = held.campaign_id AND r.contact_id = held.contact_id
         AND r.campaign_id >= $6 AND r.campaign_id <= $7
       RETURNING r.account_id, r.campaign_id, held.accepted
     )
     INSERT INTO wallet_entries (account_id, id, kind, amount, campaign_id)
     SELECT s.account_id, new_record_id(), CASE WHEN s.accepted THEN 'charge' ELSE 'refund' END,
            sum(CASE WHEN s.accepted THEN -g.price ELSE g.price END), s.campaign_id
     FROM settled s JOIN campaigns g ON g.account_id = s.account_id AND g.id = s.campaign_id
     WHERE g.price > 0
     GROUP BY s.account_id, s.campaign_id, s.accepted`,
    [
      of(({ accountId }) => accountId),
      campaignIds,
      of(({ contactId }) => contactId),
      of(({ messageId }) => messageId),
      of(({ accepted }) => accepted),
      ...idRange(campaignIds),
    ],
  );
}

/**
 * Cancels untouched recipients and refunds their credits with one ledger entry, unless the account has been deleted. A
 * recipient is untouched while it is pending and has no message. Before the campaign starts its price is zero, so nothing
 * is refunded.
 */
export async function cancelUntouched(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    refunding(
      `SET credit_returned = true, state = 'cancelled'
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending' AND r.message_id IS NULL AND NOT r.credit_returned`,
    ),
    [accountId, campaignId],
  );
}

/**
 * Refunds the credits of all pending recipients of a campaign that has stopped, in the same way. Those who were tried
 * provably got nothing: they keep their message, and start anew when the campaign goes on.
 */
export async function refundPending(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    refunding(
      `SET credit_returned = true, attempts = 0,
           due_at = CASE WHEN r.message_id IS NULL THEN r.due_at END
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending' AND NOT r.credit_returned`,
    ),
    [accountId, campaignId],
  );
}

const refunding = (change: string): string =>
  `WITH returned AS (
       UPDATE campaign_recipients r ${change}
       RETURNING r.contact_id
     )
     INSERT INTO wallet_entries (account_id, id, kind, amount, campaign_id)
     SELECT g.account_id, new_record_id(), 'refund', g.price * (SELECT count(*) FROM returned), g.id
     FROM campaigns g JOIN accounts a ON a.id = g.account_id
     WHERE g.account_id = $1 AND g.id = $2 AND g.price > 0 AND EXISTS (SELECT FROM returned)`;

/** How many recipients are to be sent to: those of contacts that were merged since the campaign was made are cancelled. */
export async function countPending(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  const row = await tx.row<{ pending: number }>(
    `SELECT count(*)::integer AS pending FROM campaign_recipients
     WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending'`,
    [accountId, campaignId],
  );
  return row?.pending ?? 0;
}

/**
 * Marks credits of pending recipients, refunded when their campaign stopped, as reserved again. The caller takes them
 * out of the wallet.
 *
 * @returns the number of recipients affected
 */
export function reclaimCredits(accountId: string, campaignId: string, tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE campaign_recipients SET credit_returned = false
     WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending' AND credit_returned`,
    [accountId, campaignId],
  );
}

/**
 * Reserves credits for a campaign.
 *
 * @throws DomainError 400 when there are too few
 */
export async function reserveCredits(accountId: string, campaignId: string, credits: number, tx: Tx): Promise<void> {
  if (credits === 0) return;
  const balance = (await lockWallet(accountId, tx)) ?? 0;
  if (balance < credits) {
    throw badRequest(`insufficient wallet credits: the campaign needs ${credits}, the wallet holds ${balance}`);
  }
  await enterMovement(accountId, { kind: 'reserve', amount: -credits, campaignId }, tx);
}
