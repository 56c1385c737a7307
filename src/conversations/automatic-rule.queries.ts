import type { Database, Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationKey } from './conversation-key.queries.js';
import { WINDOW_MS } from './service-window.js';
import type { LockedConversation } from './transition.queries.js';

/** The part of a message that its conversation stores. */
export interface InboundSummary extends ConversationKey {
  readonly preview: string;
  /** The message's own timestamp; the latest one counts. */
  readonly at: Date;
}

/** What a message says about whether the contact waits for an answer: a reaction changes nothing, opting out ends it. */
export type Waiting = 'begins' | 'unchanged' | 'ends';

/** {@link InboundSummary} of a message that a contact sent. */
export interface ArrivedSummary extends InboundSummary {
  readonly waiting: Waiting;
}

/** A conversation after an inbound message, locked. */
export interface InboundConversation extends LockedConversation {
  /** Whether the contact had not written in it before. */
  readonly isFirst: boolean;
  /** Whether the assignee exists and is still active. */
  readonly assigneeActive: boolean;
}

/**
 * Keeps the preview of the latest message, of the new one (`excluded`) and those before (`t`). The network's times are
 * whole seconds: within one, the order of arrival decides.
 */
const LATEST_PREVIEW = `last_message_preview = CASE WHEN date_trunc('second', t.last_message_at) > excluded.last_message_at
                                     THEN t.last_message_preview ELSE excluded.last_message_preview END`;

/**
 * Records an inbound message in its conversation: creates it if necessary, opens the service window and moves it to the
 * top. A message that opens a new window allows another automatic reply, unless the business has answered it already.
 *
 * What the conversation was before is read under the lock, so that of two first messages only one is the first. The
 * count makes the insert wait for that.
 */
export async function recordInbound(
  accountId: string,
  message: ArrivedSummary,
  db: Database,
): Promise<InboundConversation> {
  const { contactId, businessPhoneId, at, preview, waiting } = message;
  const row = await db.row<InboundConversation>(
    `WITH before AS MATERIALIZED (
       SELECT last_inbound_at FROM conversations
       WHERE account_id = $1 AND contact_id = $2 AND business_phone_id = $3
       FOR NO KEY UPDATE
     )
     INSERT INTO conversations AS t
       (account_id, contact_id, business_phone_id, last_message_at, last_message_preview, last_inbound_at, waiting_since)
     SELECT $1::uuid, $2::uuid, $3::uuid, $4::timestamptz, $5::text, $4::timestamptz,
            CASE WHEN $7::text = 'begins' THEN $4::timestamptz END
     FROM (SELECT count(*) FROM before) AS locked
     ON CONFLICT ON CONSTRAINT conversations_pkey DO UPDATE
     SET waiting_since = CASE WHEN $7 <> 'ends' THEN coalesce(t.waiting_since, excluded.waiting_since) END,
         answer_id = CASE WHEN $7 = 'unchanged' THEN t.answer_id END,
         last_inbound_at = greatest(t.last_inbound_at, excluded.last_inbound_at),
         auto_replied_at = CASE WHEN t.last_inbound_at > excluded.last_inbound_at - $6::float8 * interval '1 millisecond'
                                  OR t.auto_replied_at >= excluded.last_inbound_at
                                THEN t.auto_replied_at END,
         ${LATEST_PREVIEW},
         last_message_at = greatest(t.last_message_at, excluded.last_message_at)
     RETURNING t.contact_id, t.business_phone_id, t.status, t.assigned_to, t.changed_at,
               NOT EXISTS (SELECT FROM before WHERE last_inbound_at IS NOT NULL) AS is_first,
               EXISTS (SELECT FROM users u WHERE u.id = t.assigned_to AND u.status = 'active') AS assignee_active`,
    [accountId, contactId, businessPhoneId, at, preview, WINDOW_MS, waiting],
  );
  if (row === null) throw new Error('a conversation was neither found nor created');
  return row;
}

/**
 * Records in its conversation what the business sent with the phone app. It is an answer, so it uses up the automatic
 * reply to what the contact wrote before, and the contact waits no longer, unless they wrote only after it. A resolved
 * conversation stays resolved.
 */
export async function recordEcho(
  accountId: string,
  { contactId, businessPhoneId, at, preview }: InboundSummary,
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `INSERT INTO conversations AS t
       (account_id, contact_id, business_phone_id, last_message_at, last_message_preview, auto_replied_at)
     VALUES ($1, $2, $3, $4, $5, $4)
     ON CONFLICT ON CONSTRAINT conversations_pkey DO UPDATE
     SET auto_replied_at = greatest(t.auto_replied_at, excluded.auto_replied_at),
         waiting_since = CASE WHEN date_trunc('second', t.waiting_since) > excluded.last_message_at THEN t.waiting_since END,
         ${LATEST_PREVIEW},
         last_message_at = greatest(t.last_message_at, excluded.last_message_at)`,
    [accountId, contactId, businessPhoneId, at, preview],
  );
}

/**
 * Picks the agent who gets a conversation in which a contact of the account writes for the first time; null when the rule is off or no member is active.
 * The rotation row stays locked until the transaction ends, so concurrent turns are even and a rolled-back turn is not
 * lost. `organisations` itself is only read. The agent is locked too: a deactivation either waits, or has already
 * happened and the next agent is chosen.
 */
export async function takeNextAgent(accountId: string, tx: Tx): Promise<RecordId | null> {
  const row = await tx.row<{ lastUserId: RecordId | null }>(
    `INSERT INTO assignment_rotations AS r (organisation_id, last_user_id)
     SELECT o.id, (SELECT u.id FROM users u WHERE u.organisation_id = o.id AND u.status = 'active'
                   ORDER BY u.id LIMIT 1 FOR SHARE)
     FROM accounts a JOIN organisations o ON o.id = a.organisation_id
     WHERE a.id = $1 AND o.auto_inbound
     ON CONFLICT ON CONSTRAINT assignment_rotations_pkey DO UPDATE
     SET last_user_id = coalesce(
           (SELECT u.id FROM users u
            WHERE u.organisation_id = r.organisation_id AND u.status = 'active' AND u.id > r.last_user_id
            ORDER BY u.id LIMIT 1 FOR SHARE),
           excluded.last_user_id)
     RETURNING r.last_user_id`,
    [accountId],
  );
  return row?.lastUserId ?? null;
}

/** An automatic reply to send, and the agent who then gets the conversation, if any. */
export interface ClaimedReply {
  readonly text: string;
  readonly agentId: RecordId | null;
}

/**
 * Claims the automatic reply of this window, once. Requires an open, unassigned conversation whose service window is
 * open, in an active account with the rule. Returns the rule's agent only if active, and locks them.
 */
export function claimReply(
  accountId: string,
  { contactId, businessPhoneId }: ConversationKey,
  at: Date,
  tx: Tx,
): Promise<ClaimedReply | null> {
  return tx.row<ClaimedReply>(
    `UPDATE conversations t SET auto_replied_at = $4
     FROM accounts a JOIN organisations o ON o.id = a.organisation_id
     WHERE t.account_id = $1 AND t.contact_id = $2 AND t.business_phone_id = $3 AND a.id = t.account_id
       AND a.status = 'active' AND o.auto_reply IS NOT NULL
       AND t.status = 'open' AND t.assigned_to IS NULL AND t.auto_replied_at IS NULL
       AND t.last_inbound_at > $4::timestamptz - $5::float8 * interval '1 millisecond'
     RETURNING o.auto_reply AS text,
               (SELECT u.id FROM users u
                WHERE u.organisation_id = o.id AND u.id = o.auto_reply_user_id AND u.status = 'active'
                FOR SHARE) AS agent_id`,
    [accountId, contactId, businessPhoneId, at, WINDOW_MS],
  );
}
