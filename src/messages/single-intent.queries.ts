import { splitName } from '../contacts/contact-name.js';
import { ENSURED_CONTACTS, ensureParameters, isGiven, settled } from '../contacts/ensured-contacts.queries.js';
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

const INSERT_MESSAGES = (at: string, settleAt: string): string =>
  `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                             template_name, status, created_at, settle_at)
       SELECT account_id, id, 'out', contact_id, business_phone_id, message_type, content, template_name, 'pending',
              ${at}, ${settleAt}
       FROM intent WHERE NOT refused`;

/**
 * Stores those of several messages whose contact and thread are there and need no change, which is nearly all of them:
 * half the work of {@link storeSingleIntents}, to which the others go. Threads are written in the same order there.
 * Pipeline statement: each send names its tenant.
 *
 * @returns the messages that were stored or refused; the others are left
 */
export function storeInKnownThreads(
  intents: readonly NewSingleIntent[],
  at: Date,
  settleAt: Date,
  tx: Tx,
): Promise<SingleIntentRow[]> {
  const of = <T>(read: (intent: NewSingleIntent) => T): T[] => intents.map(read);
  return tx.rows<SingleIntentRow>(
    `WITH intent AS MATERIALIZED (
       SELECT i.*, c.id AS contact_id, c.first_name, c.last_name, t.thread_id, i.marketing AND NOT c.opted_in AS refused
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::boolean[],
                   $9::boolean[])
              AS i (account_id, id, phone_number, business_phone_id, message_type, content, template_name, marketing,
                    named)
       CROSS JOIN LATERAL (
         SELECT * FROM contacts c WHERE c.account_id = i.account_id AND c.phone_number = i.phone_number LIMIT 1
       ) c
       CROSS JOIN LATERAL (
         SELECT t.id AS thread_id FROM conversations t
         WHERE t.account_id = i.account_id AND t.contact_id = c.id AND t.business_phone_id = i.business_phone_id
         LIMIT 1
       ) t
       WHERE ${settled('i.named')}
     ), thread AS (
       UPDATE conversations t
       SET last_message_at = greatest(t.last_message_at, $10::timestamptz), last_message_preview = i.content
       FROM (
         SELECT DISTINCT ON (account_id, contact_id, business_phone_id) account_id, thread_id, content
         FROM intent WHERE NOT refused
         ORDER BY account_id, contact_id, business_phone_id
       ) i
       WHERE t.account_id = i.account_id AND t.id = i.thread_id
     ), message AS (
       ${INSERT_MESSAGES('$10', '$11')}
     )
     SELECT id, contact_id, first_name, last_name, refused FROM intent`,
    [
      of(({ accountId }) => accountId),
      of(({ id }) => id),
      of(({ contactPhone }) => contactPhone),
      of(({ businessPhoneId }) => businessPhoneId),
      of(({ messageType }) => messageType),
      of(({ content }) => content),
      of(({ templateName }) => templateName),
      of(({ marketing }) => marketing),
      of(({ contactName }) => isGiven(contactName === null ? null : splitName(contactName))),
      at,
      settleAt,
    ],
  );
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
  const contacts = intents.map(({ accountId, contactPhone, contactName, marketing }) => ({
    accountId,
    phoneNumber: contactPhone,
    name: contactName,
    marketing,
  }));
  return tx.rows<SingleIntentRow>(
    `WITH ${ENSURED_CONTACTS}, intent AS MATERIALIZED (
       SELECT i.*, c.id AS contact_id, c.first_name, c.last_name, i.marketing AND NOT c.opted_in AS refused
       FROM unnest($9::uuid[], $10::uuid[], $11::uuid[], $12::text[], $13::uuid[], $14::text[], $15::text[], $16::text[],
                   $17::boolean[])
              AS i (account_id, id, thread_id, phone_number, business_phone_id, message_type, content, template_name,
                    marketing)
       JOIN ensured c ON c.account_id = i.account_id AND c.phone_number = i.phone_number
     ), thread AS (
       INSERT INTO conversations AS t (account_id, id, contact_id, business_phone_id, last_message_at,
                                       last_message_preview)
       SELECT DISTINCT ON (account_id, contact_id, business_phone_id)
              account_id, thread_id, contact_id, business_phone_id, $18::timestamptz, content
       FROM intent WHERE NOT refused
       ORDER BY account_id, contact_id, business_phone_id
       ON CONFLICT ON CONSTRAINT conversations_thread_key DO UPDATE
       SET last_message_at = greatest(t.last_message_at, excluded.last_message_at),
           last_message_preview = excluded.last_message_preview
     ), message AS (
       ${INSERT_MESSAGES('$18', '$19')}
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
