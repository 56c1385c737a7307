import { MOVED_TO_TOP } from '../../conversations/conversation-key.queries.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import { columnList, fieldOf, TEXT_COLUMNS } from '../../people/contact-columns.js';
import type { ContactIdentity } from '../../people/contact-ref.js';
import { PHONE_WAITS } from '../../sending/slots/phone-wait.queries.js';
import { idRange } from '../../values/record-id.js';
import type { CampaignStatus } from '../campaign.entity.js';
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
  readonly groupId: string;
  /** One new message id per recipient that may be claimed. */
  readonly messageIds: readonly string[];
  /** Recipients before this position are skipped: this worker has already claimed them. */
  readonly fromPosition: number;
  /** Whether this may be the campaign's first claim. */
  readonly starts: boolean;
  /** Whether the phone waits, and this tries it. */
  readonly isProbe: boolean;
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
  readonly groupId: string;
  readonly contactId: string;
  readonly messageId: string;
  readonly position: number;
  /** Its own one-time code, encrypted. */
  readonly code: string | null;
  /** Attempts made, including this one. */
  readonly attempts: number;
  readonly optedIn: boolean;
  readonly deleted: boolean;
  /** The contact that the recipient's was merged into; its recipient is about to follow. */
  readonly mergedInto: string | null;
  /** The number by which the network knows the contact, if it differs from ours. */
  readonly waId: string | null;
}

/**
 * Claims due recipients of running campaigns. From now on, only an outcome tells whether they were sent to. Their
 * messages, conversations and batches in flight commit with the claim, in one statement for all campaigns. A recipient
 * whose earlier attempt provably sent nothing keeps its message. Each claim rereads whether the campaign is running,
 * the account active, and the contact opted in and not deleted. One that was merged waits until its recipient
 * has moved; where the contact that stays is a recipient too it does not move, and counts as deleted.
 * Pipeline statement: each request names its tenant.
 */
export function claimRecipients(
  requests: readonly ClaimRequest[],
  { at, leaseUntil, settleAt }: ClaimTimes,
  db: Database,
): Promise<ClaimedRow[]> {
  const of = <T>(read: (request: ClaimRequest) => T): T[] => requests.map(read);
  let ids = 0;
  const offsets = of(({ messageIds }) => {
    ids += messageIds.length;
    return ids - messageIds.length;
  });
  const campaignIds = of(({ campaignId }) => campaignId);
  return db.rows<ClaimedRow>(
    `WITH wanted AS MATERIALIZED (
       SELECT w.*
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::integer[], $8::integer[],
                   $9::integer[], $10::boolean[], $17::boolean[])
              AS w (account_id, campaign_id, business_phone_id, template_name, content, group_id, from_position, most,
                    id_offset, starts, is_probe)
       JOIN campaigns g ON g.account_id = w.account_id AND g.id = w.campaign_id AND ${MAY_SEND}
         AND (w.is_probe OR NOT ${PHONE_WAITS})
       JOIN accounts a ON a.id = w.account_id AND a.status = 'active'
     ), due AS MATERIALIZED (
       SELECT w.*, r.contact_id, r.position,
              w.id_offset + row_number() OVER (PARTITION BY w.group_id ORDER BY r.position) AS number
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
       SET state = 'claimed', attempts = r.attempts + 1,
           due_at = NULL, message_id = coalesce(r.message_id, ($11::uuid[])[d.number])
       FROM due d JOIN contacts c ON c.account_id = d.account_id AND c.id = d.contact_id
         AND (c.merged_into IS NULL
              OR EXISTS (SELECT FROM campaign_recipients k
                         WHERE k.account_id = d.account_id AND k.campaign_id = d.campaign_id AND k.contact_id = c.merged_into
                           AND k.campaign_id >= $15 AND k.campaign_id <= $16))
       WHERE r.account_id = d.account_id AND r.campaign_id = d.campaign_id AND r.contact_id = d.contact_id
         AND r.campaign_id >= $15 AND r.campaign_id <= $16
       RETURNING d.account_id, d.campaign_id, d.business_phone_id, d.template_name, d.content, d.group_id, d.starts,
                 r.contact_id, r.message_id, r.position, r.attempts,
                 r.message_id = ($11::uuid[])[d.number] AS is_new, r.personal, r.code, c.phone_number, c.wa_id, c.user_id,
                 ${columnList('c', TEXT_COLUMNS)}, c.opted_in, c.deleted_at IS NOT NULL AS deleted, c.merged_into
     ), conversation AS (
       INSERT INTO conversations AS t (account_id, contact_id, business_phone_id, last_message_at, last_message_preview)
       SELECT DISTINCT ON (account_id, contact_id, business_phone_id)
              account_id, contact_id, business_phone_id, $12::timestamptz, content
       FROM claimed WHERE is_new ORDER BY account_id, contact_id, business_phone_id
       ${MOVED_TO_TOP}
     ), message AS (
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                             template_name, campaign_id, reference, status, created_at)
       SELECT account_id, message_id, 'out', contact_id, business_phone_id, 'template', content, template_name, campaign_id,
              personal ->> 'reference', 'pending', $12
       FROM claimed WHERE is_new
     ), in_flight AS (
       INSERT INTO sends_in_flight (account_id, id, campaign_id, message_ids, lease_until, settle_at)
       SELECT account_id, group_id, campaign_id, array_agg(message_id), $13::timestamptz, $14::timestamptz
       FROM claimed GROUP BY account_id, group_id, campaign_id
     ), started AS (
       UPDATE campaigns g SET started_at = $12
       FROM (SELECT DISTINCT account_id, campaign_id FROM claimed WHERE starts) s
       WHERE g.account_id = s.account_id AND g.id = s.campaign_id AND g.started_at IS NULL
     )
     SELECT group_id AS "groupId", contact_id AS "contactId", message_id AS "messageId", position, attempts,
            personal, code, phone_number AS "phoneNumber", wa_id AS "waId",
            user_id AS "userId", ${TEXT_COLUMNS.map((name) => `${name} AS "${fieldOf(name)}"`).join(', ')},
            opted_in AS "optedIn", deleted, merged_into AS "mergedInto"
     FROM claimed`,
    [
      of(({ accountId }) => accountId),
      campaignIds,
      of(({ businessPhoneId }) => businessPhoneId),
      of(({ templateName }) => templateName),
      of(({ content }) => content),
      of(({ groupId }) => groupId),
      of(({ fromPosition }) => fromPosition),
      of(({ messageIds }) => messageIds.length),
      offsets,
      of(({ starts }) => starts),
      requests.flatMap(({ messageIds }) => messageIds),
      at,
      leaseUntil,
      settleAt,
      ...idRange(campaignIds),
      of(({ isProbe }) => isProbe),
    ],
  );
}

/** The status of a campaign, which nothing changes until the transaction ends; null: it is gone. */
export async function lockStatus(accountId: string, campaignId: string, tx: Tx): Promise<CampaignStatus | null> {
  const row = await tx.row<{ status: CampaignStatus }>(
    'SELECT status FROM campaigns WHERE account_id = $1 AND id = $2 FOR SHARE',
    [accountId, campaignId],
  );
  return row?.status ?? null;
}

/** A recipient that was provably not sent to. */
export interface PostponedRecipient {
  readonly contactId: string;
  /** The message it keeps. A recipient that has been given another message since is not put back. */
  readonly messageId: string;
  readonly dueAt: Date;
  /** Whether no attempt was made, so that none counts. */
  readonly isUntried: boolean;
  /** Whether `dueAt` is not the time of a retry. */
  readonly isHeld: boolean;
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
    `UPDATE campaign_recipients r
     SET state = 'pending', due_at = p.due_at, held = p.held, attempts = CASE WHEN p.is_untried THEN r.attempts - 1 ELSE r.attempts END
     FROM unnest($3::uuid[], $4::uuid[], $5::timestamptz[], $6::boolean[], $7::boolean[])
            AS p (contact_id, message_id, due_at, is_untried, held)
     WHERE r.account_id = $1 AND r.campaign_id = $2 AND r.contact_id = p.contact_id AND r.message_id = p.message_id
       AND r.state = 'claimed'
     RETURNING r.message_id`,
    [
      accountId,
      campaignId,
      of(({ contactId }) => contactId),
      of(({ messageId }) => messageId),
      of(({ dueAt }) => dueAt),
      of(({ isUntried }) => isUntried),
      of(({ isHeld }) => isHeld),
    ],
  );
  return new Set(rows.map(({ messageId }) => messageId));
}

/** Which of the batches are in the database and not settled. Pipeline statement: each batch names its tenant. */
export async function findGroups(
  batches: readonly { readonly accountId: string; readonly groupId: string }[],
  db: Database,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `SELECT b.id
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (account_id, id)
     JOIN sends_in_flight b ON b.account_id = wanted.account_id AND b.id = wanted.id`,
    [batches.map(({ accountId }) => accountId), batches.map(({ groupId }) => groupId)],
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks a batch in flight until the transaction ends, whether or not its lease has expired, and returns its message
 * ids; null when it was settled or never committed.
 */
export async function lockGroup(accountId: string, groupId: string, tx: Tx): Promise<string[] | null> {
  const row = await tx.row<{ messageIds: string[] }>(
    'SELECT message_ids FROM sends_in_flight WHERE account_id = $1 AND id = $2 FOR UPDATE',
    [accountId, groupId],
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
 * Ends expired leases, presuming their workers dead. Their messages may have been sent, so they are never sent again:
 * status reports or the horizon settle them. Pipeline statement, all tenants.
 */
export function endExpiredLeases(db: Database): Promise<number> {
  return db.affected(
    `UPDATE sends_in_flight SET lease_until = NULL WHERE (account_id, id) IN (
       SELECT account_id, id FROM sends_in_flight WHERE lease_until < now() ORDER BY account_id, id FOR UPDATE SKIP LOCKED)`,
  );
}
