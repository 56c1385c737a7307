import type { ContactIdentity } from '../../contacts/contact-ref.js';
import { MOVED_TO_TOP } from '../../conversations/conversation-key.queries.js';
import type { Tx } from '../../database/unit-of-work.js';
import { idRange } from '../../values/record-id.js';
import { MAY_SEND } from '../campaign.queries.js';
import type { PersonalRecipient } from './personal-body.js';

/** A worker's request to claim recipients of one campaign. */
export interface ClaimRequest {
  readonly accountId: string;
  readonly campaignId: string;
  readonly businessPhoneId: string;
  readonly templateName: string;
  /** The text a person would read. */
  readonly content: string;
  /** The id for the batch in flight. */
  readonly batchId: string;
  /** One new message id per recipient that may be claimed. */
  readonly messageIds: readonly string[];
  /** Recipients before this position are skipped: this worker has already claimed them. */
  readonly fromPosition: number;
  /** Whether this may be the campaign's first claim. */
  readonly starts: boolean;
}

/** When claims are made and when they expire. */
export interface ClaimTimes {
  readonly at: Date;
  /** When a worker that has not finished is presumed dead and the outcomes unknown. */
  readonly leaseUntil: Date;
  /** When outcomes that are still unknown become failures; after the lease. */
  readonly settleAt: Date;
}

/** A claimed recipient, with the message that is about to be sent to it. */
export interface ClaimedRow extends ContactIdentity, PersonalRecipient {
  readonly batchId: string;
  readonly contactId: string;
  readonly messageId: string;
  readonly position: number;
  /** Attempts made, including this one. */
  readonly attempts: number;
  readonly firstAttemptAt: Date;
  readonly optedIn: boolean;
  readonly deleted: boolean;
}

/**
 * Claims due recipients of running campaigns. From now on, only an outcome tells whether they were sent to. Their
 * messages, conversations and batches in flight commit with the claim, in one statement for all campaigns. A recipient
 * whose earlier attempt provably sent nothing keeps its message. Each claim rereads whether the campaign is running,
 * the account active, and the contact opted in and not deleted. Pipeline statement: each request names its tenant.
 */
export function claimRecipients(
  requests: readonly ClaimRequest[],
  { at, leaseUntil, settleAt }: ClaimTimes,
  tx: Tx,
): Promise<ClaimedRow[]> {
  const of = <T>(read: (request: ClaimRequest) => T): T[] => requests.map(read);
  let ids = 0;
  const offsets = of(({ messageIds }) => {
    ids += messageIds.length;
    return ids - messageIds.length;
  });
  const campaignIds = of(({ campaignId }) => campaignId);
  return tx.rows<ClaimedRow>(
    `WITH wanted AS MATERIALIZED (
       SELECT w.*
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::integer[], $8::integer[],
                   $9::integer[], $10::boolean[])
              AS w (account_id, campaign_id, business_phone_id, template_name, content, batch_id, from_position, most,
                    id_offset, starts)
       JOIN campaigns g ON g.account_id = w.account_id AND g.id = w.campaign_id AND ${MAY_SEND}
       JOIN accounts a ON a.id = w.account_id AND a.status = 'active'
     ), due AS MATERIALIZED (
       SELECT w.*, r.contact_id, r.position,
              w.id_offset + row_number() OVER (PARTITION BY w.batch_id ORDER BY r.position) AS number
       FROM wanted w CROSS JOIN LATERAL (
         SELECT p.contact_id, p.position FROM campaign_recipients p
         WHERE p.account_id = w.account_id AND p.campaign_id = w.campaign_id AND p.campaign_id >= $15 AND p.campaign_id <= $16
           AND p.state = 'pending' AND p.position >= w.from_position AND (p.due_at IS NULL OR p.due_at <= now())
           AND NOT p.credit_returned
         ORDER BY p.position
         LIMIT w.most
         FOR UPDATE SKIP LOCKED
       ) r
     ), claimed AS (
       UPDATE campaign_recipients r
       SET state = 'claimed', attempts = r.attempts + 1, first_attempt_at = coalesce(r.first_attempt_at, $12),
           due_at = NULL, message_id = coalesce(r.message_id, ($11::uuid[])[d.number])
       FROM due d JOIN contacts c ON c.account_id = d.account_id AND c.id = d.contact_id
       WHERE r.account_id = d.account_id AND r.campaign_id = d.campaign_id AND r.contact_id = d.contact_id
         AND r.campaign_id >= $15 AND r.campaign_id <= $16
       RETURNING d.account_id, d.campaign_id, d.business_phone_id, d.template_name, d.content, d.batch_id, d.starts,
                 r.contact_id, r.message_id, r.position, r.attempts, r.first_attempt_at,
                 r.message_id = ($11::uuid[])[d.number] AS is_new, r.personal, c.phone_number, c.user_id, c.first_name,
                 c.last_name, c.email, c.company, c.opted_in, c.deleted_at IS NOT NULL AS deleted
     ), conversation AS (
       INSERT INTO conversations AS t (account_id, contact_id, business_phone_id, last_message_at, last_message_preview)
       SELECT DISTINCT ON (account_id, contact_id, business_phone_id)
              account_id, contact_id, business_phone_id, $12::timestamptz, content
       FROM claimed WHERE is_new ORDER BY account_id, contact_id, business_phone_id
       ${MOVED_TO_TOP}
     ), message AS (
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                             template_name, campaign_id, status, created_at)
       SELECT account_id, message_id, 'out', contact_id, business_phone_id, 'template', content, template_name, campaign_id,
              'pending', $12
       FROM claimed WHERE is_new
     ), in_flight AS (
       INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, lease_until, settle_at)
       SELECT account_id, batch_id, campaign_id, array_agg(message_id), $13::timestamptz, $14::timestamptz
       FROM claimed GROUP BY account_id, batch_id, campaign_id
     ), started AS (
       UPDATE campaigns g SET started_at = $12
       FROM (SELECT DISTINCT account_id, campaign_id FROM claimed WHERE starts) s
       WHERE g.account_id = s.account_id AND g.id = s.campaign_id AND g.started_at IS NULL
     )
     SELECT batch_id, contact_id, message_id, position, attempts, first_attempt_at, personal, phone_number, user_id,
            first_name, last_name, email, company, opted_in, deleted
     FROM claimed`,
    [
      of(({ accountId }) => accountId),
      campaignIds,
      of(({ businessPhoneId }) => businessPhoneId),
      of(({ templateName }) => templateName),
      of(({ content }) => content),
      of(({ batchId }) => batchId),
      of(({ fromPosition }) => fromPosition),
      of(({ messageIds }) => messageIds.length),
      offsets,
      of(({ starts }) => starts),
      requests.flatMap(({ messageIds }) => messageIds),
      at,
      leaseUntil,
      settleAt,
      ...idRange(campaignIds),
    ],
  );
}

/** Whether a campaign is running; if so, nothing can stop it until the transaction ends. */
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
  /** The message it keeps. A recipient that has been given another message since is not put back. */
  readonly messageId: string;
  readonly dueAt: Date;
}

/**
 * Puts recipients back that were provably not sent to; they keep their messages. A recipient merged into another
 * contact in the meantime is found by its message, which has moved to that contact.
 *
 * @returns the message ids of the recipients that were put back
 */
export async function postponeRecipients(
  accountId: string,
  campaignId: string,
  postponed: readonly PostponedRecipient[],
  tx: Tx,
): Promise<Set<string>> {
  const putBack = await postpone(accountId, campaignId, postponed, tx);
  const others = postponed.filter(({ messageId }) => !putBack.has(messageId));
  if (others.length === 0) return putBack;
  const moved = await tx.rows<{ messageId: string; contactId: string }>(
    'SELECT id AS message_id, contact_id FROM messages WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND id >= $3 AND id <= $4',
    [accountId, others.map(({ messageId }) => messageId), ...idRange(others.map(({ messageId }) => messageId))],
  );
  const contactOf = new Map(moved.map(({ messageId, contactId }) => [messageId, contactId]));
  const merged = others.flatMap((recipient) => {
    const contactId = contactOf.get(recipient.messageId);
    return contactId === undefined || contactId === recipient.contactId ? [] : [{ ...recipient, contactId }];
  });
  if (merged.length === 0) return putBack;
  return new Set([...putBack, ...(await postpone(accountId, campaignId, merged, tx))]);
}

async function postpone(
  accountId: string,
  campaignId: string,
  postponed: readonly PostponedRecipient[],
  tx: Tx,
): Promise<Set<string>> {
  const ordered = [...postponed].sort((a, b) => (a.contactId < b.contactId ? -1 : 1));
  const of = <T>(read: (recipient: PostponedRecipient) => T): T[] => ordered.map(read);
  const rows = await tx.rows<{ messageId: string }>(
    `UPDATE campaign_recipients r SET state = 'pending', due_at = p.due_at
     FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[]) AS p (contact_id, message_id, due_at)
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = p.contact_id AND r.message_id = p.message_id
       AND r.state = 'claimed'
     RETURNING r.message_id`,
    [
      accountId,
      campaignId,
      of(({ contactId }) => contactId),
      of(({ messageId }) => messageId),
      of(({ dueAt }) => dueAt),
    ],
  );
  return new Set(rows.map(({ messageId }) => messageId));
}

/** Which of the batches are in the database and not settled. Pipeline statement: each batch names its tenant. */
export async function findBatches(
  batches: readonly { readonly accountId: string; readonly batchId: string }[],
  tx: Tx,
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `SELECT b.id
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (account_id, id)
     JOIN sends_in_flight b ON b.account_id = wanted.account_id AND b.id = wanted.id`,
    [batches.map(({ accountId }) => accountId), batches.map(({ batchId }) => batchId)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks a batch in flight until the transaction ends, whether or not its lease has expired, and returns its message
 * ids; null when it was settled or never committed.
 */
export async function lockBatch(accountId: string, batchId: string, tx: Tx): Promise<string[] | null> {
  const row = await tx.row<{ messageIds: string[] }>(
    'SELECT message_ids FROM sends_in_flight WHERE account_id = $1 AND id = $2 FOR UPDATE',
    [accountId, batchId],
  );
  return row?.messageIds ?? null;
}

/** Undoes the claim of recipients, except that they keep their messages. */
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
 * Gives up recipients waiting for a retry in a campaign that is no longer running. Their messages were provably not
 * sent, and the sweep fails them as such. If the campaign was cancelled, they are cancelled. The caller has locked the
 * campaign.
 */
export async function giveUpPostponed(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  await tx.affected(
    `WITH given_up AS (
       UPDATE campaign_recipients r
       SET state = CASE g.status WHEN 'cancelled' THEN 'cancelled' ELSE 'claimed' END, due_at = NULL
       FROM campaigns g
       WHERE g.account_id = $1 AND g.id = $2
         AND r.account_id = $1 AND r.campaign_id = $2 AND r.state = 'pending' AND r.message_id IS NOT NULL
       RETURNING r.message_id
     ), part AS (
       SELECT message_id, row_number() OVER () / ${MESSAGES_PER_ROW} AS number FROM given_up
     )
     INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, settle_at, unsent)
     SELECT $1, new_record_id(), $2, array_agg(message_id), now(), true FROM part GROUP BY number`,
    [accountId, campaignId],
  );
}

/** Messages per row of `sends_in_flight` when many are given up together. */
export const MESSAGES_PER_ROW = 200;

/**
 * Ends expired leases, presuming their workers dead. Their messages may have been sent, so they are never sent again:
 * status reports or the horizon settle them. Pipeline statement, all tenants.
 */
export function endExpiredLeases(tx: Tx): Promise<number> {
  return tx.affected(
    `UPDATE sends_in_flight SET lease_until = NULL WHERE (account_id, id) IN (
       SELECT account_id, id FROM sends_in_flight WHERE lease_until < now() ORDER BY account_id, id FOR UPDATE SKIP LOCKED)`,
  );
}
