import { ENSURED_CONTACTS, ensureParameters } from '../contacts/ensured-contacts.queries.js';
import type { Tx } from '../database/unit-of-work.js';

/** A single message to be stored before it is sent, and its thread if it makes one. */
export interface NewSingleIntent {
  readonly accountId: string;
  readonly id: string;
  readonly threadId: string;
  readonly contactPhone: string;
  readonly contactName: string | null;
  readonly businessPhoneId: string;
  readonly messageType: string;
  readonly content: string;
  readonly templateName: string | null;
  /** Whether an opted-out contact does not get it (D21). */
  readonly marketing: boolean;
}

/** A single message as it was stored, or refused because its contact opted out. */
export interface SingleIntentRow {
  readonly id: string;
  readonly contact_id: string;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly refused: boolean;
}

/**
 * Stores contacts, threads and `pending` messages of several sends in one statement, and so in one round trip and one
 * commit. Pipeline statement: each send names its tenant.
 *
 * @param settleAt when an outcome that stayed unknown counts as failure
 */
export function storeSingleIntents(
  intents: readonly NewSingleIntent[],
  at: Date,
  settleAt: Date,
  tx: Tx,
): Promise<SingleIntentRow[]> {
  const of = <T>(read: (intent: NewSingleIntent) => T): T[] => intents.map(read);
  const contacts = intents.map(({ accountId, contactPhone, contactName }) => ({
    accountId,
    phoneNumber: contactPhone,
    name: contactName,
  }));
  return tx.rows<SingleIntentRow>(
    `WITH ${ENSURED_CONTACTS}, intent AS MATERIALIZED (
       SELECT i.*, c.id AS contact_id, c.first_name, c.last_name, i.marketing AND NOT c.opted_in AS refused
       FROM unnest($8::uuid[], $9::uuid[], $10::uuid[], $11::text[], $12::uuid[], $13::text[], $14::text[], $15::text[],
                   $16::boolean[])
              AS i (account_id, id, thread_id, phone_number, business_phone_id, message_type, content, template_name,
                    marketing)
       JOIN ensured c ON c.account_id = i.account_id AND c.phone_number = i.phone_number
     ), thread AS (
       INSERT INTO conversations AS t (account_id, id, contact_id, business_phone_id, last_message_at,
                                       last_message_preview)
       SELECT DISTINCT ON (account_id, contact_id, business_phone_id)
              account_id, thread_id, contact_id, business_phone_id, $17::timestamptz, content
       FROM intent WHERE NOT refused
       ORDER BY account_id, contact_id, business_phone_id
       ON CONFLICT ON CONSTRAINT conversations_thread_key DO UPDATE
       SET last_message_at = greatest(t.last_message_at, excluded.last_message_at),
           last_message_preview = excluded.last_message_preview
     ), message AS (
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                             template_name, status, created_at, settle_at)
       SELECT account_id, id, 'out', contact_id, business_phone_id, message_type, content, template_name, 'pending',
              $17, $18
       FROM intent WHERE NOT refused
     )
     SELECT id, contact_id, first_name, last_name, refused FROM intent`,
    [
      ...ensureParameters(contacts, 'send'),
      of(({ accountId }) => accountId),
      of(({ id }) => id),
      of(({ threadId }) => threadId),
      of(({ contactPhone }) => contactPhone),
      of(({ businessPhoneId }) => businessPhoneId),
      of(({ messageType }) => messageType),
      of(({ content }) => content),
      of(({ templateName }) => templateName),
      of(({ marketing }) => marketing),
      at,
      settleAt,
    ],
  );
}
