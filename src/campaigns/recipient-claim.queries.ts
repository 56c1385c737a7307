import type { ContactIdentity } from '../contacts/contact-ref.js';
import { MOVED_TO_TOP } from '../conversations/thread.queries.js';
import type { Tx } from '../database/unit-of-work.js';
import { MAY_SEND } from './campaign.queries.js';

/** What a worker wants to take in hand of one campaign. */
export interface ClaimRequest {
  readonly accountId: string;
  readonly campaignId: string;
  readonly businessPhoneId: string;
  readonly templateName: string;
  /** What a person would read. */
  readonly content: string;
  /** Names the batch in flight. */
  readonly batchId: string;
  /** One fresh id for each recipient that may be claimed. */
  readonly messageIds: readonly string[];
  /** Recipients before this position are not looked at: those that this worker has claimed already. */
  readonly fromPosition: number;
  /** Whether this may be the campaign's first claim. */
  readonly starts: boolean;
  readonly at: Date;
  /** When a worker without a sign of life has left the outcomes unknown. */
  readonly leaseUntil: Date;
  /** When outcomes that stayed unknown count as failures; after the lease. */
  readonly settleAt: Date;
}

/** A recipient in hand, with the message that is about to be sent to it. */
export interface ClaimedRow extends ContactIdentity {
  readonly contactId: string;
  readonly messageId: string;
  readonly position: number;
  /** Attempts made, this one included. */
  readonly attempts: number;
  readonly firstAttemptAt: Date;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly optedIn: boolean;
  readonly deleted: boolean;
}

/**
 * Takes due recipients of a running campaign in hand: from now on, whether they were sent to is known only from an outcome.
 * Their messages, threads and the batch in flight commit with them, in one statement. A recipient that was tried before,
 * and provably not sent to, keeps its message. Locked rows are found again by their place, without an index: a campaign's
 * recipients are in one partition. Whether the campaign runs, the account is active and the contact may be
 * sent to is read here, at each claim. The limit is written out: the planner takes an unknown one for a tenth of the
 * campaign, and would read all of it.
 */
export function claimRecipients(request: ClaimRequest, tx: Tx): Promise<ClaimedRow[]> {
  return tx.rows<ClaimedRow>(
    `WITH due AS MATERIALIZED (
       SELECT r.ctid AS place, r.contact_id, r.position FROM campaign_recipients r
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending' AND r.position >= $3
         AND (r.due_at IS NULL OR r.due_at <= now())
         AND EXISTS (SELECT FROM campaigns g JOIN accounts a ON a.id = g.account_id
                     WHERE g.account_id = $1 AND g.id = $2 AND ${MAY_SEND} AND a.status = 'active')
       ORDER BY r.position
       LIMIT ${request.messageIds.length}
       FOR UPDATE OF r SKIP LOCKED
     ), numbered AS (
       SELECT place, contact_id, row_number() OVER (ORDER BY position) AS number FROM due
     ), claimed AS (
       UPDATE campaign_recipients r
       SET state = 'claimed', attempts = r.attempts + 1, first_attempt_at = coalesce(r.first_attempt_at, $5),
           due_at = NULL, message_id = coalesce(r.message_id, ($4::uuid[])[n.number])
       FROM numbered n, contacts c
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.ctid = n.place AND c.account_id = $1 AND c.id = n.contact_id
       RETURNING r.contact_id, r.message_id, r.position, r.attempts, r.first_attempt_at, r.message_id = ($4::uuid[])[n.number] AS is_new,
                 c.phone_number, c.user_id, c.first_name, c.last_name, c.opted_in, c.deleted_at IS NOT NULL AS deleted
     ), thread AS (
       INSERT INTO conversations AS t (account_id, contact_id, business_phone_id, last_message_at, last_message_preview)
       SELECT $1, contact_id, $6, $5::timestamptz, $7 FROM claimed WHERE is_new ORDER BY contact_id
       ${MOVED_TO_TOP}
     ), message AS (
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                             template_name, campaign_id, status, created_at)
       SELECT $1, message_id, 'out', contact_id, $6, 'template', $7, $8, $2, 'pending', $5 FROM claimed WHERE is_new
     ), in_flight AS (
       INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, lease_until, settle_at)
       SELECT $1, $9, $2, array_agg(message_id), $10::timestamptz, $11::timestamptz FROM claimed HAVING count(*) > 0
     ), started AS (
       UPDATE campaigns SET started_at = $5
       WHERE $12 AND account_id = $1 AND id = $2 AND started_at IS NULL AND EXISTS (SELECT FROM claimed)
     )
     SELECT contact_id, message_id, position, attempts, first_attempt_at, phone_number, user_id, first_name, last_name,
            opted_in, deleted
     FROM claimed`,
    [
      request.accountId,
      request.campaignId,
      request.fromPosition,
      request.messageIds,
      request.at,
      request.businessPhoneId,
      request.content,
      request.templateName,
      request.batchId,
      request.leaseUntil,
      request.settleAt,
      request.starts,
    ],
  );
}

/** Whether a batch in flight is still its worker's: nobody else decides about it until the transaction ends. */
export async function lockBatch(accountId: string, batchId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    'SELECT id FROM sends_in_flight WHERE account_id = $1 AND id = $2 AND lease_until >= now() FOR UPDATE',
    [accountId, batchId],
  );
  return row !== null;
}

/** Whether a campaign runs, and then it is not stopped until the transaction ends. */
export async function lockRunning(accountId: string, campaignId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row<{ isRunning: boolean }>(
    `SELECT status = 'running' AS is_running FROM campaigns WHERE account_id = $1 AND id = $2 FOR SHARE`,
    [accountId, campaignId],
  );
  return row?.isRunning === true;
}

/** A recipient that was provably not sent to. */
export interface PostponedRecipient {
  readonly contactId: string;
  readonly dueAt: Date;
}

/**
 * Puts recipients back that were provably not sent to; they keep their messages.
 *
 * @returns the contacts of those that were put back
 */
export async function postponeRecipients(
  accountId: string,
  campaignId: string,
  postponed: readonly PostponedRecipient[],
  tx: Tx,
): Promise<Set<string>> {
  const ordered = [...postponed].sort((a, b) => (a.contactId < b.contactId ? -1 : 1));
  const rows = await tx.rows<{ contactId: string }>(
    `UPDATE campaign_recipients r SET state = 'pending', due_at = p.due_at
     FROM unnest($3::uuid[], $4::timestamptz[]) AS p (contact_id, due_at)
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = p.contact_id AND r.state = 'claimed'
     RETURNING r.contact_id`,
    [accountId, campaignId, ordered.map(({ contactId }) => contactId), ordered.map(({ dueAt }) => dueAt)],
  );
  return new Set(rows.map(({ contactId }) => contactId));
}

/**
 * The messages of a batch that its worker never got to, or null when it was never committed. Whether its lease holds does not
 * matter: nobody but its worker knows that nothing was sent.
 */
export async function lockUnsentBatch(accountId: string, batchId: string, tx: Tx): Promise<string[] | null> {
  const row = await tx.row<{ messageIds: string[] }>(
    'SELECT message_ids FROM sends_in_flight WHERE account_id = $1 AND id = $2 FOR UPDATE',
    [accountId, batchId],
  );
  return row?.messageIds ?? null;
}

/** Puts recipients back as they were before their claim, but for their messages, which they keep. */
export async function putBackUnsent(
  accountId: string,
  campaignId: string,
  messageIds: readonly string[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE campaign_recipients SET state = 'pending', attempts = attempts - 1
     WHERE account_id = $1 AND campaign_id = $2 AND state = 'claimed' AND message_id = ANY ($3::uuid[])`,
    [accountId, campaignId, messageIds],
  );
}

/**
 * Gives up recipients of a stopped campaign that wait for another try: their messages were provably not sent, and the
 * sweep fails them as such.
 */
export async function giveUpPostponed(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH given_up AS (
       UPDATE campaign_recipients SET state = 'claimed', due_at = NULL
       WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending' AND message_id IS NOT NULL
       RETURNING message_id
     ), part AS (
       SELECT message_id, row_number() OVER () / ${GIVEN_UP_TOGETHER} AS number FROM given_up
     )
     INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, settle_at, unsent)
     SELECT $1, new_record_id(), $2, array_agg(message_id), now(), true FROM part GROUP BY number`,
    [accountId, campaignId],
  );
}

/** Messages in one row in flight. */
const GIVEN_UP_TOGETHER = 200;

/**
 * Ends the leases of workers that gave no sign of life: what they had in hand may have been sent, so it is never sent
 * again, and reports or the horizon settle it. Pipeline statement, all tenants.
 */
export function endExpiredLeases(tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE sends_in_flight SET lease_until = NULL WHERE (account_id, id) IN (
       SELECT account_id, id FROM sends_in_flight WHERE lease_until < now() ORDER BY account_id, id FOR UPDATE SKIP LOCKED)`,
  );
}
