import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { WINDOW_MS } from './service-window.js';
import type { HeldThread } from './transition.queries.js';

/** An inbound message, as its thread tells of it. */
export interface InboundMention {
  readonly threadId: RecordId;
  readonly contactId: RecordId;
  readonly businessPhoneId: RecordId;
  readonly preview: string;
  /** The message's own time; the latest one counts (D55). */
  readonly at: Date;
  /** False for what the network says in the contact's name, which is no message of theirs. */
  readonly opensWindow: boolean;
}

/** A thread after an inbound message, locked. */
export interface InboundThread extends HeldThread {
  /** Whether this message made the thread. */
  readonly is_new: boolean;
  /** Whether somebody holds it who is still an active member. */
  readonly assignee_active: boolean;
}

/**
 * Records an inbound message in its thread: makes it, opens the service window and moves it to the top. A message that
 * opens the window anew allows another automatic reply (D35).
 */
export async function mentionInbound(accountId: string, mention: InboundMention, tx: Tx): Promise<InboundThread> {
  const row = await tx.row<InboundThread>(
    `INSERT INTO conversations AS t
       (account_id, id, contact_id, business_phone_id, last_inbound_at, last_message_at, last_message_preview)
     VALUES ($1, $2, $3, $4, $8, $5, $6)
     ON CONFLICT ON CONSTRAINT conversations_thread_key DO UPDATE
     SET last_inbound_at = greatest(t.last_inbound_at, excluded.last_inbound_at),
         auto_replied_at = CASE WHEN excluded.last_inbound_at IS NULL
                                  OR t.last_inbound_at > excluded.last_inbound_at - $7::float8 * interval '1 millisecond'
                                THEN t.auto_replied_at END,
         last_message_preview = CASE WHEN t.last_message_at > excluded.last_message_at
                                     THEN t.last_message_preview ELSE excluded.last_message_preview END,
         last_message_at = greatest(t.last_message_at, excluded.last_message_at)
     RETURNING t.id, t.id = $2 AS is_new, t.business_phone_id, t.status, t.assigned_to, t.changed_at,
               EXISTS (SELECT FROM users u WHERE u.id = t.assigned_to AND u.status = 'active') AS assignee_active`,
    [
      accountId,
      mention.threadId,
      mention.contactId,
      mention.businessPhoneId,
      mention.at,
      mention.preview,
      WINDOW_MS,
      mention.opensWindow ? mention.at : null,
    ],
  );
  if (row === null) throw new Error('a thread was neither found nor made');
  return row;
}

/**
 * Whose turn it is to be given a new inbound thread of the account, or null when the rule is off or nobody is active. The
 * organisation's row is held until the transaction ends: turns are taken one after the other, so that they are even
 * whatever runs at once, and a turn that is rolled back is not lost. `organisations` itself is only read. Whoever may
 * be chosen is held too: deactivating them waits, or has come first and they are passed over.
 */
export async function takeNextAgent(accountId: string, tx: Tx): Promise<RecordId | null> {
  const row = await tx.row<{ last_user_id: RecordId | null }>(
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
  return row?.last_user_id ?? null;
}

/** An automatic reply that is to be sent, and who is then given the thread, if anybody. */
export interface ClaimedReply {
  readonly text: string;
  readonly agent_id: RecordId | null;
}

/**
 * Claims the automatic reply of this window, once: for an open thread that nobody holds, whose window is open, in an
 * active account with that rule (D35). An agent who is no longer active is not named, and one who is stays so meanwhile.
 */
export function claimReply(accountId: string, threadId: RecordId, at: Date, tx: Tx): Promise<ClaimedReply | null> {
  return tx.row<ClaimedReply>(
    `UPDATE conversations t SET auto_replied_at = $3
     FROM accounts a JOIN organisations o ON o.id = a.organisation_id
     WHERE t.account_id = $1 AND t.id = $2 AND a.id = t.account_id
       AND a.status = 'active' AND o.auto_reply IS NOT NULL
       AND t.status = 'open' AND t.assigned_to IS NULL AND t.auto_replied_at IS NULL
       AND t.last_inbound_at > $3::timestamptz - $4::float8 * interval '1 millisecond'
     RETURNING o.auto_reply AS text,
               (SELECT u.id FROM users u
                WHERE u.organisation_id = o.id AND u.id = o.auto_reply_user_id AND u.status = 'active'
                FOR SHARE) AS agent_id`,
    [accountId, threadId, at, WINDOW_MS],
  );
}
