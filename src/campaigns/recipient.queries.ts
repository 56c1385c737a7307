import type { Tx } from '../database/unit-of-work.js';

/** A recipient that a worker has taken in hand. */
export interface ClaimedRecipient {
  readonly id: string;
  readonly contact_id: string;
  readonly message_id: string | null;
  /** Attempts made, this one included. */
  readonly attempts: number;
  readonly first_attempt_at: Date;
  readonly phone_number: string;
  readonly opted_in: boolean;
  readonly deleted: boolean;
}

/**
 * Takes due recipients of a running campaign and marks them *sending*: from now on, whether they were sent to is known
 * only from an outcome. Whether they may still be sent to is read here, at each claim (D82).
 *
 * @param leaseMs after which a worker without a sign of life has left their outcome unknown
 */
export function claimRecipients(
  accountId: string,
  campaignId: string,
  most: number,
  leaseMs: number,
  tx: Tx,
): Promise<ClaimedRecipient[]> {
  return tx.rows<ClaimedRecipient>(
    `WITH due AS MATERIALIZED (
       SELECT r.id FROM campaign_recipients r
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending' AND r.due_at <= now()
         AND EXISTS (SELECT 1 FROM campaigns g JOIN accounts a ON a.id = g.account_id
                     WHERE g.account_id = $1 AND g.id = $2 AND g.status = 'running' AND NOT g.paused
                       AND a.status = 'active')
       ORDER BY r.due_at, r.id
       LIMIT $3
       FOR UPDATE OF r SKIP LOCKED
     )
     UPDATE campaign_recipients r
     SET state = 'sending', attempts = r.attempts + 1, first_attempt_at = coalesce(r.first_attempt_at, now()),
         lease_until = now() + $4::float8 * interval '1 millisecond'
     FROM due, contacts c
     WHERE r.account_id = $1 AND r.id = due.id AND c.account_id = $1 AND c.id = r.contact_id
     RETURNING r.id, r.contact_id, r.message_id, r.attempts, r.first_attempt_at, c.phone_number, c.opted_in,
               c.deleted_at IS NOT NULL AS deleted`,
    [accountId, campaignId, most, leaseMs],
  );
}

/** Points recipients at the messages that were made for them. */
export async function attachMessages(
  accountId: string,
  recipientIds: readonly string[],
  messageIds: readonly string[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE campaign_recipients r SET message_id = m.message_id
     FROM unnest($2::uuid[], $3::uuid[]) AS m (id, message_id)
     WHERE r.account_id = $1 AND r.id = m.id`,
    [accountId, recipientIds, messageIds],
  );
}

/** Starts the horizon of messages anew, because they are about to be tried again. */
export async function postponeSettling(
  accountId: string,
  messageIds: readonly string[],
  settleAt: Date,
  tx: Tx,
): Promise<void> {
  await tx.affected('UPDATE messages SET settle_at = $3 WHERE account_id = $1 AND id = ANY($2::uuid[])', [
    accountId,
    messageIds,
    settleAt,
  ]);
}

/** What became of one attempt. */
export interface RecipientOutcome {
  readonly id: string;
  readonly state: 'dispatched' | 'failed' | 'pending';
  /** When a recipient that goes back to pending is due. */
  readonly dueAt: Date | null;
  readonly errorCode: number | null;
  readonly errorMessage: string | null;
}

/** Stores what became of attempts. A lease that has expired meanwhile has left the outcome to the message's reports. */
export async function storeOutcomes(accountId: string, outcomes: readonly RecipientOutcome[], tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE campaign_recipients r
     SET state = o.state, due_at = coalesce(o.due_at, r.due_at), lease_until = NULL, error_code = o.error_code,
         error_message = o.error_message
     FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::int[], $6::text[])
       AS o (id, state, due_at, error_code, error_message)
     WHERE r.account_id = $1 AND r.id = o.id AND r.state = 'sending'`,
    [
      accountId,
      outcomes.map(({ id }) => id),
      outcomes.map(({ state }) => state),
      outcomes.map(({ dueAt }) => dueAt),
      outcomes.map(({ errorCode }) => errorCode),
      outcomes.map(({ errorMessage }) => errorMessage),
    ],
  );
}

/** Stamps when the worker took the first recipient (D27). */
export async function stampStarted(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    'UPDATE campaigns SET started_at = now() WHERE account_id = $1 AND id = $2 AND started_at IS NULL',
    [accountId, campaignId],
  );
}

/**
 * Lets go of recipients whose worker gave no sign of life: they may have been sent to, so they are never sent to again,
 * and the reports or the horizon of their messages settle them. Pipeline statement, all tenants.
 */
export function releaseExpiredLeases(tx: Tx): Promise<{ account_id: string; campaign_id: string }[]> {
  return tx.rows(
    `UPDATE campaign_recipients SET state = 'dispatched', lease_until = NULL
     WHERE state = 'sending' AND lease_until < now()
     RETURNING account_id, campaign_id`,
  );
}

/** Running campaigns, and whether they have recipients to send to right now. Pipeline statement, all tenants. */
export function findRunningCampaigns(tx: Tx): Promise<{ account_id: string; id: string; due: boolean }[]> {
  return tx.rows(
    `SELECT g.account_id, g.id,
            NOT g.paused AND EXISTS (SELECT 1 FROM campaign_recipients r
                                     WHERE r.account_id = g.account_id AND r.campaign_id = g.id
                                       AND r.state = 'pending' AND r.due_at <= now()) AS due
     FROM campaigns g WHERE g.status = 'running'`,
  );
}
