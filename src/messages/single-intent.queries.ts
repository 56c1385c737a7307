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

/** What the statements below know of each message, see {@link intentParameters}. */
const INTENT_COLUMNS =
  'account_id, id, thread_id, phone_number, business_phone_id, message_type, content, template_name, marketing';

function intentParameters(intents: readonly NewSingleIntent[]): unknown[] {
  const of = <T>(read: (intent: NewSingleIntent) => T): T[] => intents.map(read);
  return [
    of(({ accountId }) => accountId),
    of(({ id }) => id),
    of(({ threadId }) => threadId),
    of(({ contactPhone }) => contactPhone),
    of(({ businessPhoneId }) => businessPhoneId),
    of(({ messageType }) => messageType),
    of(({ content }) => content),
    of(({ templateName }) => templateName),
    of(({ marketing }) => marketing),
  ];
}

/**
 * What becomes of the common table expression `intent`. Threads are written in one order everywhere and looked up by their
 * constraint, whatever the planner knows of the table.
 */
const STORED_INTENTS = (at: string, settleAt: string): string =>
  `thread AS (
       INSERT INTO conversations AS t (account_id, id, contact_id, business_phone_id, last_message_at,
                                       last_message_preview)
       SELECT DISTINCT ON (account_id, contact_id, business_phone_id)
              account_id, thread_id, contact_id, business_phone_id, ${at}::timestamptz, content
       FROM intent WHERE NOT refused
       ORDER BY account_id, contact_id, business_phone_id
       ON CONFLICT ON CONSTRAINT conversations_thread_key DO UPDATE
       SET last_message_at = greatest(t.last_message_at, excluded.last_message_at),
           last_message_preview = excluded.last_message_preview
     ), message AS (
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                             template_name, status, created_at, settle_at)
       SELECT account_id, id, 'out', contact_id, business_phone_id, message_type, content, template_name, 'pending',
              ${at}, ${settleAt}
       FROM intent WHERE NOT refused
     )
     SELECT id, contact_id, first_name, last_name, refused FROM intent`;

/**
 * Stores those of several messages whose contact is there and needs no change, which is nearly all of them, at two thirds
 * of the cost of {@link storeSingleIntents}, to which the others go. Pipeline statement: each send names its tenant.
 *
 * @returns the messages that were stored or refused; the others are left
 */
export function storeForKnownContacts(
  intents: readonly NewSingleIntent[],
  at: Date,
  settleAt: Date,
  tx: Tx,
): Promise<SingleIntentRow[]> {
  return tx.rows<SingleIntentRow>(
    `WITH intent AS MATERIALIZED (
       SELECT i.*, c.id AS contact_id, c.first_name, c.last_name, i.marketing AND NOT c.opted_in AS refused
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[],
                   $9::boolean[], $10::boolean[])
              AS i (${INTENT_COLUMNS}, named)
       CROSS JOIN LATERAL (
         SELECT * FROM contacts c WHERE c.account_id = i.account_id AND c.phone_number = i.phone_number LIMIT 1
       ) c
       WHERE ${settled('i.named')}
     ), ${STORED_INTENTS('$11', '$12')}`,
    [
      ...intentParameters(intents),
      intents.map(({ contactName }) => isGiven(contactName === null ? null : splitName(contactName))),
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
              AS i (${INTENT_COLUMNS})
       JOIN ensured c ON c.account_id = i.account_id AND c.phone_number = i.phone_number
     ), ${STORED_INTENTS('$18', '$19')}`,
    [...ensureParameters(contacts, 'send'), ...intentParameters(intents), at, settleAt],
  );
}
