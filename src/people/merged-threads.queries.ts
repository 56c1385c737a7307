import type { Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { NUMBER_ORDER } from './person-keys.js';

// What else belongs to a contact that is merged: its conversations, then its groups, in the order in which all writers
// lock them.

/**
 * Business phones with which both contacts have a conversation. The one active last survives, with status and assignee.
 */
const PAIRS = `pair AS MATERIALIZED (
       SELECT k.business_phone_id,
              CASE WHEN g.active_at > k.active_at THEN g.contact_id ELSE k.contact_id END AS survivor,
              CASE WHEN g.active_at > k.active_at THEN k.contact_id ELSE g.contact_id END AS other,
              greatest(k.last_inbound_at, g.last_inbound_at) AS last_inbound_at,
              CASE WHEN g.last_inbound_at > k.last_inbound_at OR k.last_inbound_at IS NULL
                   THEN g.auto_replied_at ELSE k.auto_replied_at END AS auto_replied_at,
              greatest(k.last_message_at, g.last_message_at) AS last_message_at,
              CASE WHEN g.last_message_at > k.last_message_at OR k.last_message_at IS NULL
                   THEN g.last_message_preview ELSE k.last_message_preview END AS last_message_preview,
              greatest(k.changed_at, g.changed_at) AS changed_at, least(k.created_at, g.created_at) AS created_at,
              least(k.waiting_since, g.waiting_since) AS waiting_since
       FROM conversations k
       JOIN conversations g ON g.account_id = k.account_id AND g.business_phone_id = k.business_phone_id
       WHERE k.account_id = $1 AND k.contact_id = $2 AND g.contact_id = $3
     )`;

/** Moves conversations. Of two with the same business phone one is left, with the window and the history of both. */
export async function moveConversations(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  const parameters = [accountId, keptId, goneId];
  const locked = await tx.rows<{ contactId: RecordId }>(
    `SELECT contact_id FROM conversations WHERE account_id = $1 AND contact_id IN ($2, $3)
     ORDER BY contact_id, business_phone_id
     FOR UPDATE`,
    parameters,
  );
  if (locked.every(({ contactId }) => contactId === keptId)) return;
  await tx.affected(
    `WITH ${PAIRS}
     UPDATE conversation_assignments h
     SET contact_id = pair.survivor,
         held_until = coalesce(h.held_until, greatest(now(), h.held_from + interval '1 millisecond'))
     FROM pair
     WHERE h.account_id = $1 AND h.contact_id = pair.other AND h.business_phone_id = pair.business_phone_id
       AND NOT EXISTS (SELECT FROM conversation_assignments o
                       WHERE o.account_id = $1 AND o.contact_id = pair.survivor
                         AND o.business_phone_id = pair.business_phone_id AND o.held_from = h.held_from)`,
    parameters,
  );
  await tx.affected(
    `WITH ${PAIRS}
     UPDATE conversation_entries e SET contact_id = pair.survivor
     FROM pair
     WHERE e.account_id = $1 AND e.contact_id = pair.other AND e.business_phone_id = pair.business_phone_id`,
    parameters,
  );
  await tx.affected(
    `WITH ${PAIRS}, ended AS (
       DELETE FROM conversations t USING pair
       WHERE t.account_id = $1 AND t.contact_id = pair.other AND t.business_phone_id = pair.business_phone_id
     )
     UPDATE conversations t
     SET last_inbound_at = pair.last_inbound_at, auto_replied_at = pair.auto_replied_at,
         last_message_at = pair.last_message_at, last_message_preview = pair.last_message_preview,
         changed_at = pair.changed_at, created_at = pair.created_at,
         waiting_since = CASE WHEN t.status = 'open' THEN pair.waiting_since END
     FROM pair
     WHERE t.account_id = $1 AND t.contact_id = pair.survivor AND t.business_phone_id = pair.business_phone_id`,
    parameters,
  );
  // The assignment history and the timeline follow through their foreign keys.
  await tx.affected('UPDATE conversations SET contact_id = $2 WHERE account_id = $1 AND contact_id = $3', parameters);
}

/** Moves memberships of groups; the kept contact stays where it is already. */
export async function moveMemberships(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  const groups = await tx.rows(
    `SELECT g.id FROM contact_groups g
     WHERE g.account_id = $1
       AND g.id IN (SELECT m.group_id FROM group_members m WHERE m.account_id = $1 AND m.contact_id = $2)
     ORDER BY g.id
     FOR NO KEY UPDATE`,
    [accountId, goneId],
  );
  if (groups.length === 0) return;
  await tx.affected(
    `INSERT INTO group_members (account_id, group_id, contact_id, added_at)
     SELECT account_id, group_id, $2, added_at FROM group_members
     WHERE account_id = $1 AND contact_id = $3
       AND EXISTS (SELECT FROM contacts c WHERE c.account_id = $1 AND c.id IN ($2, $3) AND c.deleted_at IS NULL)
     ORDER BY group_id
     ON CONFLICT ON CONSTRAINT group_members_pkey DO NOTHING`,
    [accountId, keptId, goneId],
  );
  await tx.affected('DELETE FROM group_members WHERE account_id = $1 AND contact_id = $2', [accountId, goneId]);
}

/**
 * Locks a merged contact and the one that it leads to against erasure and further merges; messages can be stored for
 * both meanwhile.
 *
 * @returns false when it leads elsewhere by now, or one of them was erased
 */
export async function lockPair(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<boolean> {
  const locked = await tx.rows<{ id: RecordId }>(
    `SELECT id FROM contacts
     WHERE account_id = $1 AND id IN ($2, $3) AND erased_at IS NULL AND (id = $2 OR merged_into = $2)
     ORDER BY ${NUMBER_ORDER} FOR KEY SHARE`,
    [accountId, keptId, goneId],
  );
  return locked.length === 2;
}
