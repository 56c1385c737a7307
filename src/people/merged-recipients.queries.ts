import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

// The recipients of campaigns when two contacts become one: nobody gets a campaign twice, and nobody pays for what is
// not sent.

/** Two contacts that are merged, and the campaigns to look at. */
export interface MergedPair {
  readonly keptId: RecordId;
  readonly goneId: RecordId;
  readonly campaignIds: readonly RecordId[];
}

/** What became of the recipients of a merged contact. */
export interface MovedRecipients {
  readonly staying: readonly RecordId[];
  readonly messageIds: readonly RecordId[];
}

/** A recipient that is locked. */
interface LockedRecipient {
  readonly campaignId: RecordId;
  readonly contactId: RecordId;
  readonly state: 'pending' | 'claimed' | 'cancelled';
  readonly messageId: RecordId | null;
  readonly creditReturned: boolean;
}

/**
 * Moves the recipients of a merged contact. Where the person is in a campaign under several contacts, the recipients stay
 * where they are, and those that were not sent to are cancelled: all if another one was, or else all but one. One that is
 * being sent to counts as sent to. Finds nothing more to do when it is repeated.
 */
export async function moveRecipients(accountId: string, pair: MergedPair, tx: Tx): Promise<MovedRecipients> {
  const { keptId, goneId, campaignIds } = pair;
  if (campaignIds.length === 0) return { staying: [], messageIds: [] };
  const byCampaign = new Map<RecordId, LockedRecipient[]>();
  for (const recipient of await lockRecipients(accountId, pair, tx)) {
    byCampaign.set(recipient.campaignId, [...(byCampaign.get(recipient.campaignId) ?? []), recipient]);
  }
  const staying: RecordId[] = [];
  const moving: LockedRecipient[] = [];
  const unsent: LockedRecipient[] = [];
  for (const [campaignId, own] of byCampaign) {
    const gone = own.find(({ contactId }) => contactId === goneId);
    if (gone !== undefined) {
      if (own.some(({ contactId }) => contactId === keptId)) staying.push(campaignId);
      else moving.push(gone);
    }
    unsent.push(...spareOf(own, keptId));
  }
  if (unsent.length > 0) await cancelRecipients(accountId, unsent, tx);
  if (moving.length > 0) {
    await tx.affected(
      `UPDATE campaign_recipients SET contact_id = $2
       WHERE account_id = $1 AND contact_id = $3 AND campaign_id = ANY ($4::uuid[])`,
      [accountId, keptId, goneId, moving.map(({ campaignId }) => campaignId)],
    );
  }
  return { staying, messageIds: moving.flatMap(({ messageId }) => messageId ?? []) };
}

/** Of the recipients of one person in a campaign, those that must not be sent to. */
function spareOf(own: readonly LockedRecipient[], keptId: RecordId): LockedRecipient[] {
  const pending = own.filter(({ state }) => state === 'pending');
  if (own.some(({ state }) => state === 'claimed')) return pending;
  const spared = pending.find(({ contactId }) => contactId === keptId) ?? pending[0];
  return pending.filter((recipient) => recipient !== spared);
}

/** Locks the recipients of both contacts, and of those that lead to them, in the order of all writers. */
const lockRecipients = (
  accountId: string,
  { keptId, goneId, campaignIds }: MergedPair,
  tx: Tx,
): Promise<LockedRecipient[]> =>
  tx.rows<LockedRecipient>(
    `SELECT campaign_id, contact_id, state, message_id, credit_returned FROM campaign_recipients
     WHERE account_id = $1 AND campaign_id = ANY ($4::uuid[])
       AND contact_id = ANY (ARRAY(SELECT $2::uuid UNION SELECT $3::uuid UNION
                                   SELECT c.id FROM contacts c WHERE c.account_id = $1 AND c.merged_into IN ($2, $3)))
     ORDER BY campaign_id, contact_id FOR UPDATE`,
    [accountId, keptId, goneId, campaignIds],
  );

/**
 * Cancels recipients that were provably not sent to. Campaigns are locked, so that none of them starts meanwhile and
 * reserves credits for what is cancelled. The credit of an untouched recipient comes back now, that of one that was tried
 * when its message is settled, as for a campaign that is cancelled.
 */
async function cancelRecipients(accountId: string, unsent: readonly LockedRecipient[], tx: Tx): Promise<void> {
  await tx.rows(`SELECT id FROM campaigns WHERE account_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR SHARE`, [
    accountId,
    unsent.map(({ campaignId }) => campaignId),
  ]);
  await tx.affected(
    `WITH cancelled AS (
       UPDATE campaign_recipients r
       SET state = 'cancelled', due_at = NULL, credit_returned = r.credit_returned OR r.message_id IS NULL
       FROM unnest($2::uuid[], $3::uuid[], $4::boolean[]) AS u (campaign_id, contact_id, refunds)
       WHERE r.account_id = $1 AND r.campaign_id = u.campaign_id AND r.contact_id = u.contact_id
       RETURNING r.campaign_id, r.message_id, u.refunds
     ), given_up AS (
       INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, settle_at, unsent)
       SELECT $1, new_record_id(), campaign_id, ARRAY[message_id], now(), true FROM cancelled WHERE message_id IS NOT NULL
     )
     INSERT INTO wallet_entries (account_id, id, kind, amount, campaign_id)
     SELECT g.account_id, new_record_id(), 'refund', g.price, g.id
     FROM cancelled c
     JOIN campaigns g ON g.account_id = $1 AND g.id = c.campaign_id
     JOIN accounts a ON a.id = g.account_id
     WHERE c.refunds AND g.price > 0`,
    [
      accountId,
      unsent.map(({ campaignId }) => campaignId),
      unsent.map(({ contactId }) => contactId),
      unsent.map(({ messageId, creditReturned }) => messageId === null && !creditReturned),
    ],
  );
}
