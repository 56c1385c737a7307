import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import type { ConversationKey } from './conversation-key.queries.js';
import { WINDOW_MS } from './service-window.js';
import type { LockedConversation } from './transition.queries.js';

/** The part of an inbound message that its conversation stores. */
export interface InboundSummary extends ConversationKey {
  readonly preview: string;
  /** The message's own timestamp; the latest one counts. */
  readonly at: Date;
  /** False for system notices, which the contact did not write. */
  readonly opensWindow: boolean;
}

/** A conversation after an inbound message, locked. */
export interface InboundConversation extends LockedConversation {
  /** Whether this message created the conversation. */
  readonly isNew: boolean;
  /** Whether the assignee exists and is still active. */
  readonly assigneeActive: boolean;
}

/**
 * Records an inbound message in its conversation: creates it if necessary, opens the service window and moves it to the
 * top. A message that opens a new window allows another automatic reply. `xmax = 0` identifies an inserted row, because
 * ON CONFLICT locks an existing row and thereby sets its `xmax`.
 */
export async function recordInbound(accountId: string, message: InboundSummary, tx: Tx): Promise<InboundConversation> {
  const { contactId, businessPhoneId, at, preview, opensWindow } = message;
  const row = await tx.row<InboundConversation>(
    `INSERT INTO conversations AS t
       (account_id, contact_id, business_phone_id, last_message_at, last_message_preview, last_inbound_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT conversations_pkey DO UPDATE
     SET last_inbound_at = greatest(t.last_inbound_at, excluded.last_inbound_at),
         auto_replied_at = CASE WHEN excluded.last_inbound_at IS NULL
                                  OR t.last_inbound_at > excluded.last_inbound_at - $7::float8 * interval '1 millisecond'
                                THEN t.auto_replied_at END,
         last_message_preview = CASE WHEN t.last_message_at > excluded.last_message_at
                                     THEN t.last_message_preview ELSE excluded.last_message_preview END,
         last_message_at = greatest(t.last_message_at, excluded.last_message_at)
     RETURNING t.contact_id, t.business_phone_id, t.status, t.assigned_to, t.changed_at, t.xmax = 0 AS is_new,
               EXISTS (SELECT FROM users u WHERE u.id = t.assigned_to AND u.status = 'active') AS assignee_active`,
    [accountId, contactId, businessPhoneId, at, preview, opensWindow ? at : null, WINDOW_MS],
  );
  if (row === null) throw new Error('a conversation was neither found nor created');
  return row;
}

/**
 * Picks the agent who gets a new inbound conversation of the account; null when the rule is off or no member is active.
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
