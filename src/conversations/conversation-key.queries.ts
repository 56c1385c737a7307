import type { Database, Tx } from '../database/unit-of-work.js';
import type { ContactRef } from '../people/contact-ref.js';
import { isNamed } from '../people/person-keys.js';
import { WINDOW_MS } from './service-window.js';

/** Names a conversation within its account. */
export interface ConversationKey {
  readonly contactId: string;
  readonly businessPhoneId: string;
}

/**
 * The ON CONFLICT clause for an outgoing message in an existing conversation (`t`): it moves to the top, and a resolved
 * one stays resolved. Statements must insert conversations in key order, so that two batches cannot deadlock.
 */
export const MOVED_TO_TOP = `ON CONFLICT ON CONSTRAINT conversations_pkey DO UPDATE
       SET last_message_at = greatest(t.last_message_at, excluded.last_message_at),
           last_message_preview = excluded.last_message_preview`;

/**
 * SQL: the conversation (`t`) of a contact (`c`) with a business phone, or the most recently active one if no phone is
 * given. `$1` is the account, `$2` names the contact, `$3` is the phone or null.
 */
export const chosenConversation = (by: ContactRef['by']): string =>
  `FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     WHERE c.account_id = $1 AND ${isNamed('c', by, '$2')} AND ($3::uuid IS NULL OR t.business_phone_id = $3)
     ORDER BY t.active_at DESC, t.business_phone_id DESC
     LIMIT 1`;

/** {@link MOVED_TO_TOP} by a message, `answer_id`, that somebody wrote to the contact: they wait no longer, unless it fails. */
export const ANSWERED = `${MOVED_TO_TOP},
           answer_id = CASE WHEN t.waiting_since IS NULL THEN t.answer_id ELSE excluded.answer_id END,
           waited_since = coalesce(t.waiting_since, t.waited_since), waiting_since = NULL`;

/**
 * CTEs: whoever was answered by a single message that the CTE `stored` has let fail waits again, unless a later message to
 * them may still arrive: then that one is the answer. Conversations are locked in key order, after their messages.
 */
export const WAITING_AGAIN = `, failed AS (
       SELECT account_id, id, contact_id, business_phone_id FROM stored WHERE status = 'failed' AND campaign_id IS NULL
     ), unanswered AS MATERIALIZED (
       SELECT t.account_id, t.contact_id, t.business_phone_id, f.id
       FROM failed f
       JOIN conversations t ON t.account_id = f.account_id AND t.contact_id = f.contact_id
                           AND t.business_phone_id = f.business_phone_id
       WHERE t.answer_id = f.id AND t.status = 'open' AND t.waiting_since IS NULL
       ORDER BY t.account_id, t.contact_id, t.business_phone_id
       FOR NO KEY UPDATE OF t
     ), waiting AS (
       UPDATE conversations t
       SET answer_id = coalesce(later.id, t.answer_id), waiting_since = CASE WHEN later.id IS NULL THEN t.waited_since END
       FROM unanswered u
       LEFT JOIN LATERAL (
         SELECT m.id FROM messages m
         WHERE m.account_id = u.account_id AND m.contact_id = u.contact_id AND m.business_phone_id = u.business_phone_id
           AND m.id > u.id AND m.direction = 'out' AND m.campaign_id IS NULL AND m.message_type <> 'reaction'
           AND m.status <> 'failed' AND NOT EXISTS (SELECT FROM failed f WHERE f.id = m.id)
         ORDER BY m.id LIMIT 1
       ) later ON true
       WHERE t.account_id = u.account_id AND t.contact_id = u.contact_id AND t.business_phone_id = u.business_phone_id
     )`;

/**
 * CTEs: a single message of the CTE `stored` that had failed has arrived after all, so whoever it answered waits no longer,
 * unless they have written since. Conversations are locked in key order, after their messages.
 */
export const ANSWERED_AFTER_ALL = `, arrived AS MATERIALIZED (
       SELECT t.account_id, t.contact_id, t.business_phone_id
       FROM stored s
       JOIN conversations t ON t.account_id = s.account_id AND t.contact_id = s.contact_id
                           AND t.business_phone_id = s.business_phone_id
       WHERE s.status <> 'failed' AND s.campaign_id IS NULL AND t.answer_id = s.id AND t.waiting_since = t.waited_since
       ORDER BY t.account_id, t.contact_id, t.business_phone_id
       FOR NO KEY UPDATE OF t
     ), answered AS (
       UPDATE conversations t SET waiting_since = NULL
       FROM arrived a
       WHERE t.account_id = a.account_id AND t.contact_id = a.contact_id AND t.business_phone_id = a.business_phone_id
     )`;

/** Nobody waits any more in a conversation. */
export async function endWaiting(
  accountId: string,
  { contactId, businessPhoneId }: ConversationKey,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE conversations t SET waiting_since = NULL, answer_id = NULL
     WHERE t.account_id = $1 AND t.contact_id = $2 AND t.business_phone_id = $3
       AND (t.waiting_since IS NOT NULL OR t.answer_id IS NOT NULL)`,
    [accountId, contactId, businessPhoneId],
  );
}

/**
 * Returns when a contact last wrote to a business phone; null if it never did. A deleted contact keeps its
 * conversations, and so its service window.
 */
export async function findLastInbound(
  accountId: string,
  contact: ContactRef,
  businessPhoneId: string,
  db: Database,
): Promise<Date | null> {
  const row = await db.row<{ lastInboundAt: Date | null }>(
    `SELECT t.last_inbound_at
     FROM contacts c JOIN conversations t ON t.account_id = c.account_id AND t.contact_id = c.id
     WHERE c.account_id = $1 AND ${isNamed('c', contact.by, '$2')} AND t.business_phone_id = $3`,
    [accountId, contact.value, businessPhoneId],
  );
  return row?.lastInboundAt ?? null;
}

/** When the service windows of contacts with a business phone close; those whose window is not open are missing. */
export async function findOpenWindows(
  accountId: string,
  businessPhoneId: string,
  contactIds: readonly string[],
  db: Database,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.rows<{ contactId: string; lastInboundAt: Date }>(
    `SELECT contact_id, last_inbound_at FROM conversations
     WHERE account_id = $1 AND business_phone_id = $2 AND contact_id = ANY ($3::uuid[])
       AND last_inbound_at > now() - interval '24 hours'`,
    [accountId, businessPhoneId, contactIds],
  );
  return new Map(
    rows.map(({ contactId, lastInboundAt }) => [contactId, new Date(lastInboundAt.getTime() + WINDOW_MS)]),
  );
}

/** Replaces what a conversation shows of one of its messages, if that is the last one. */
export async function replacePreview(
  accountId: string,
  { contactId, businessPhoneId }: ConversationKey,
  { at, from, to }: { readonly at: Date; readonly from: readonly string[]; readonly to: string },
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE conversations t SET last_message_preview = $6
     WHERE t.account_id = $1 AND t.contact_id = $2 AND t.business_phone_id = $3
       AND date_trunc('second', t.last_message_at) = date_trunc('second', $4::timestamptz)
       AND t.last_message_preview = ANY ($5::text[])`,
    [accountId, contactId, businessPhoneId, at, from, to],
  );
}
