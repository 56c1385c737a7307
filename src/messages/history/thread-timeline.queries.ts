import type { ConversationEntry } from '../../conversations/conversation-entry.entity.js';
import { chosenConversation } from '../../conversations/conversation-key.queries.js';
import type { Database } from '../../database/unit-of-work.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { idsOfPerson } from '../../people/merged-contact.queries.js';
import { MAX_TOTAL } from '../../values/page.js';
import type { RecordId } from '../../values/record-id.js';

/** A conversation, with all contacts whose messages are in it: some of a merged contact may not have moved yet. */
export interface Thread {
  readonly contactId: RecordId;
  readonly businessPhoneId: RecordId;
  readonly contactIds: readonly RecordId[];
}

/** Finds the contact's conversation with a business phone, or the most recently active one if no phone is given. */
export function findThread(
  accountId: string,
  contact: ContactRef,
  businessPhoneId: RecordId | null,
  db: Database,
): Promise<Thread | null> {
  return db.row<Thread>(
    `SELECT t.contact_id, t.business_phone_id, ${idsOfPerson('t.contact_id')} AS contact_ids
     ${chosenConversation(contact.by)}`,
    [accountId, contact.value, businessPhoneId],
  );
}

/** Where a part of a timeline begins, and in which direction it goes. */
export interface TimelinePart {
  readonly direction: 'older' | 'newer';
  /** The entry next to the part; null: the part begins at the newest entry. */
  readonly from: RecordId | null;
  /** Whether `from` itself belongs to the part. */
  readonly inclusive: boolean;
  readonly limit: number;
}

/** An entry of a timeline: a message, or what is stored of a change or a note. */
export interface TimelineKey
  extends Readonly<
    Pick<
      ConversationEntry,
      'id' | 'at' | 'source' | 'actorId' | 'assignedTo' | 'previousAssigneeId' | 'note' | 'reason'
    >
  > {
  readonly kind: ConversationEntry['kind'] | 'message';
  readonly actorName: string | null;
  readonly assignedToName: string | null;
  readonly previousAssigneeName: string | null;
}

/** A part of a timeline, and how far it was looked for if that was not to its end. */
export interface FoundPart {
  readonly keys: TimelineKey[];
  /** The last message that was compared; null unless messages are left that were not. */
  readonly lookedUntil: RecordId | null;
}

/** How many messages of a contact a part compares: the thread of one phone may have few of them. */
const MAX_LOOKED_AT = 2 * MAX_TOTAL;

const NO_ENTRY = `NULL::timestamptz AS at, NULL::text AS source, NULL::uuid AS actor_id, NULL::uuid AS assigned_to,
         NULL::uuid AS previous_assignee_id, NULL::text AS note, NULL::text AS reason`;

/**
 * One part of a thread's timeline, beginning next to `from`. Messages, changes and notes are one line of time, because the ids of all
 * hold the time; each source is read along an index, no further than needed, however long the thread is. Assignments of
 * older releases have no entry and are read where they are stored; their place is the beginning of their millisecond.
 * Reactions are no entries.
 */
export async function findTimeline(
  accountId: string,
  { contactId, businessPhoneId, contactIds }: Thread,
  { direction, from, inclusive, limit }: TimelinePart,
  db: Database,
): Promise<FoundPart> {
  const parameters: unknown[] = [accountId, contactId, businessPhoneId, limit];
  const place = (value: unknown): string => `$${parameters.push(value)}`;
  const order = direction === 'older' ? 'DESC' : 'ASC';
  const start = from === null ? null : place(from);
  const beyond = (id: string): string =>
    start === null ? '' : `AND ${id} ${direction === 'older' ? '<' : '>'}${inclusive ? '=' : ''} ${start}::uuid`;
  const logs = contactIds.map((id, index) => {
    const log = `FROM messages m WHERE m.account_id = $1 AND m.contact_id = ${place(id)} ${beyond('m.id')} ORDER BY m.id ${order}`;
    return {
      name: `log_${index}`,
      found: `log_${index} AS MATERIALIZED (
       SELECT m.id FROM (SELECT m.id, m.business_phone_id, m.message_type ${log} LIMIT ${MAX_LOOKED_AT}) m
       WHERE m.business_phone_id = $3 AND m.message_type <> 'reaction' LIMIT $4
     )`,
      lookedUntil: `(SELECT m.id ${log} OFFSET ${MAX_LOOKED_AT - 1}
        LIMIT (SELECT CASE WHEN count(*) < $4 THEN 1 ELSE 0 END FROM log_${index}))`,
    };
  });
  const rows = await db.rows<TimelineKey & { readonly lookedUntil: RecordId | null }>(
    `WITH ${logs.map(({ found }) => found).join(', ')}, page AS MATERIALIZED (
       SELECT * FROM (
        ${logs.map(({ name }) => `SELECT id, 'message' AS kind, ${NO_ENTRY} FROM ${name}`).join(' UNION ALL ')}
        UNION ALL
        (SELECT e.id, e.kind, e.at, e.source, e.actor_id, e.assigned_to, e.previous_assignee_id, e.note, e.reason
         FROM conversation_entries e
         WHERE e.account_id = $1 AND e.contact_id = $2 AND e.business_phone_id = $3 ${beyond('e.id')}
         ORDER BY e.id ${order} LIMIT $4)
        UNION ALL
        (SELECT record_id_bound(h.held_from), 'assigned', h.held_from, h.source, h.assigned_by, h.user_id, h.previous_user_id,
                h.note, NULL
         FROM conversation_assignments h
         WHERE h.account_id = $1 AND h.contact_id = $2 AND h.business_phone_id = $3 AND NOT h.has_entry
           ${beyond('record_id_bound(h.held_from)')}
         ORDER BY h.held_from ${order} LIMIT $4)
       ) entry ORDER BY id ${order} LIMIT $4
     ), looked_until AS (
       SELECT id FROM (${logs.map(({ lookedUntil }) => lookedUntil).join(' UNION ALL ')}) m ORDER BY id ${order} LIMIT 1
     )
     SELECT page.*, a.full_name AS actor_name, u.full_name AS assigned_to_name, p.full_name AS previous_assignee_name,
            (SELECT id FROM looked_until) AS looked_until
     FROM (SELECT) one LEFT JOIN (
       page
       LEFT JOIN LATERAL (SELECT full_name FROM users r WHERE r.id = page.actor_id OFFSET 0) a ON true
       LEFT JOIN LATERAL (SELECT full_name FROM users r WHERE r.id = page.assigned_to OFFSET 0) u ON true
       LEFT JOIN LATERAL (SELECT full_name FROM users r WHERE r.id = page.previous_assignee_id OFFSET 0) p ON true
     ) ON true
     ORDER BY page.id ${order}`,
    parameters,
  );
  const lookedUntil = rows[0]?.lookedUntil ?? null;
  const isBefore = (id: RecordId): boolean =>
    lookedUntil === null || (direction === 'older' ? id >= lookedUntil : id <= lookedUntil);
  // An empty part comes back as one row of nulls. What lies behind the last message that was compared comes later.
  return { keys: rows.filter(({ id }) => id !== null && isBefore(id)), lookedUntil };
}

/** Whether a message is an entry of a thread. */
export async function isInThread(
  accountId: string,
  { contactIds, businessPhoneId }: Thread,
  messageId: RecordId,
  db: Database,
): Promise<boolean> {
  const row = await db.row(
    `SELECT 1 AS found FROM messages
     WHERE account_id = $1 AND id = $2 AND contact_id = ANY ($3::uuid[]) AND business_phone_id = $4`,
    [accountId, messageId, contactIds, businessPhoneId],
  );
  return row !== null;
}
