import type { Database } from '../database/unit-of-work.js';
import type { ContactRef } from '../people/contact-ref.js';
import { namedContact } from '../people/person-keys.js';

/** Messages whose changes a mark shows, the newest ones. */
const MARKED_MESSAGES = 50;

/** A thread that is watched. */
interface MarkedThread {
  readonly accountId: string;
  readonly contact: ContactRef | undefined;
  readonly businessPhoneId: string | null;
}

/**
 * Something that changes whenever the conversation of a thread, one of the newest messages of its person, or the newest
 * note or change does: the numbers of the transactions that wrote them. `none` without a conversation.
 */
export async function markThreads(threads: readonly MarkedThread[], db: Database): Promise<string[]> {
  const named = (by: ContactRef['by']): (string | null)[] =>
    threads.map(({ contact }) => (contact?.by === by ? contact.value : null));
  const rows = await db.rows<{ readonly mark: string }>(
    `SELECT coalesce(t.written || ' ' || coalesce(m.written, '') || ' ' || coalesce(e.id::text, ''), 'none') AS mark
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[])
       WITH ORDINALITY AS k (account_id, phone_number, user_id, business_phone_id, place)
     LEFT JOIN LATERAL (
       (${namedContact('phone_number', 'k.account_id', 'k.phone_number')})
       UNION ALL
       (${namedContact('user_id', 'k.account_id', 'k.user_id')})
       LIMIT 1
     ) c ON true
     LEFT JOIN LATERAL (
       SELECT r.xmin::text AS written FROM conversations r
       WHERE r.account_id = k.account_id AND r.contact_id = c.id AND r.business_phone_id = k.business_phone_id
     ) t ON true
     LEFT JOIN LATERAL (
       SELECT string_agg(one.written, ' ') AS written
       FROM (SELECT r.xmin::text AS written FROM messages r
             WHERE r.account_id = k.account_id AND r.contact_id = c.id ORDER BY r.id DESC LIMIT ${MARKED_MESSAGES}) one
     ) m ON true
     LEFT JOIN LATERAL (
       SELECT r.id FROM conversation_entries r
       WHERE r.account_id = k.account_id AND r.contact_id = c.id AND r.business_phone_id = k.business_phone_id
       ORDER BY r.id DESC LIMIT 1
     ) e ON true
     ORDER BY k.place`,
    [
      threads.map(({ accountId }) => accountId),
      named('phone_number'),
      named('user_id'),
      threads.map(({ businessPhoneId }) => businessPhoneId),
    ],
  );
  return rows.map(({ mark }) => mark);
}
