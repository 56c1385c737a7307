import { splitName } from '../../contacts/contact-name.js';
import type { ContactIdentity, ContactRef } from '../../contacts/contact-ref.js';
import {
  ensuredContacts,
  ensureParameters,
  isGiven,
  LOCKED_AGAINST_MERGE,
  settled,
} from '../../contacts/identity/ensured-contacts.queries.js';
import { MOVED_TO_TOP } from '../../conversations/conversation-key.queries.js';
import type { Tx } from '../../database/unit-of-work.js';

/** A single message to be committed before it is sent. */
export interface NewSingleIntent {
  readonly accountId: string;
  readonly id: string;
  readonly contact: ContactRef;
  readonly contactName: string | null;
  readonly businessPhoneId: string;
  readonly messageType: string;
  readonly content: string;
  readonly templateName: string | null;
  /** Marketing messages are not sent to opted-out contacts. */
  readonly marketing: boolean;
}

/** A single message as it was stored, or refused because its contact opted out. */
export interface SingleIntentRow extends ContactIdentity {
  readonly id: string;
  readonly contactId: string;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly refused: boolean;
}

/** The columns of {@link intentParameters}, in order. */
const INTENT_COLUMNS = 'account_id, id, identity, business_phone_id, message_type, content, template_name, marketing';

function intentParameters(intents: readonly NewSingleIntent[]): unknown[] {
  const of = <T>(read: (intent: NewSingleIntent) => T): T[] => intents.map(read);
  return [
    of(({ accountId }) => accountId),
    of(({ id }) => id),
    of(({ contact }) => contact.value),
    of(({ businessPhoneId }) => businessPhoneId),
    of(({ messageType }) => messageType),
    of(({ content }) => content),
    of(({ templateName }) => templateName),
    of(({ marketing }) => marketing),
  ];
}

/**
 * Stores the rows of the CTE `intent`: conversations (in the order in which all writers lock them), messages, and one
 * batch in flight per account, whose id is that of its first message.
 */
const STORED_INTENTS = (at: string, settleAfter: string): string =>
  `conversation AS (
       INSERT INTO conversations AS t (account_id, contact_id, business_phone_id, last_message_at, last_message_preview)
       SELECT DISTINCT ON (account_id, contact_id, business_phone_id)
              account_id, contact_id, business_phone_id, ${at}::timestamptz, content
       FROM intent WHERE NOT refused
       ORDER BY account_id, contact_id, business_phone_id
       ${MOVED_TO_TOP}
     ), message AS (
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                             template_name, status, created_at)
       SELECT account_id, id, 'out', contact_id, business_phone_id, message_type, content, template_name, 'pending', ${at}
       FROM intent WHERE NOT refused
     ), in_flight AS (
       INSERT INTO sends_in_flight (account_id, id, message_ids, settle_at)
       SELECT account_id, (array_agg(id ORDER BY id))[1], array_agg(id ORDER BY id), ${settleAfter}::timestamptz
       FROM intent WHERE NOT refused
       GROUP BY account_id
     )
     SELECT id, contact_id, phone_number, user_id, first_name, last_name, refused FROM intent`;

/** Runs one statement per way of naming a contact; most batches have only one. */
async function byKind(
  intents: readonly NewSingleIntent[],
  store: (by: ContactRef['by'], own: readonly NewSingleIntent[]) => Promise<SingleIntentRow[]>,
): Promise<SingleIntentRow[]> {
  const rows: SingleIntentRow[] = [];
  for (const by of kindsOf(intents)) {
    rows.push(
      ...(await store(
        by,
        intents.filter(({ contact }) => contact.by === by),
      )),
    );
  }
  return rows;
}

/** The ways in which messages name their contacts; storing takes one statement for each. */
export const kindsOf = (intents: readonly Pick<NewSingleIntent, 'contact'>[]): ContactRef['by'][] => [
  ...new Set(intents.map(({ contact }) => contact.by)),
];

/**
 * Stores the messages whose contact exists and needs no change, which is nearly all of them, at two thirds of the cost
 * of {@link storeSingleIntents}. Pipeline statement: each send names its tenant.
 *
 * @param settleAfter when messages without a report count as failed
 * @returns the messages that were stored or refused; pass the others to {@link storeSingleIntents}
 */
export function storeForKnownContacts(
  intents: readonly NewSingleIntent[],
  at: Date,
  settleAfter: Date,
  tx: Tx,
): Promise<SingleIntentRow[]> {
  return byKind(intents, (by, own) =>
    tx.rows<SingleIntentRow>(
      `WITH intent AS MATERIALIZED (
       SELECT i.*, c.id AS contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, i.marketing AND NOT c.opted_in AS refused
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::boolean[],
                   $9::boolean[])
              AS i (${INTENT_COLUMNS}, named)
       CROSS JOIN LATERAL (
         SELECT * FROM contacts c WHERE c.account_id = i.account_id AND c.${by} = i.identity LIMIT 1 ${LOCKED_AGAINST_MERGE[by]}
       ) c
       WHERE ${settled('i.named')}
     ), ${STORED_INTENTS('$10', '$11')}`,
      [
        ...intentParameters(own),
        own.map(({ contactName }) => isGiven(contactName === null ? null : splitName(contactName))),
        at,
        settleAfter,
      ],
    ),
  );
}

/**
 * Stores the contacts, conversations and `pending` messages of several sends in one statement, so in one round trip and
 * one commit. Pipeline statement: each send names its tenant.
 *
 * @param settleAfter when messages without a report count as failed
 */
export function storeSingleIntents(
  intents: readonly NewSingleIntent[],
  at: Date,
  settleAfter: Date,
  tx: Tx,
): Promise<SingleIntentRow[]> {
  return byKind(intents, (by, own) => {
    const contacts = own.map(({ accountId, contact, contactName, marketing }) => ({
      accountId,
      contact,
      name: contactName,
      marketing,
    }));
    return tx.rows<SingleIntentRow>(
      `WITH ${ensuredContacts(by)}, intent AS MATERIALIZED (
       SELECT i.*, c.id AS contact_id, c.phone_number, c.user_id, c.first_name, c.last_name, i.marketing AND NOT c.opted_in AS refused
       FROM unnest($10::uuid[], $11::uuid[], $12::text[], $13::uuid[], $14::text[], $15::text[], $16::text[],
                   $17::boolean[])
              AS i (${INTENT_COLUMNS})
       JOIN ensured c ON c.account_id = i.account_id AND c.${by} = i.identity
     ), ${STORED_INTENTS('$18', '$19')}`,
      [...ensureParameters(contacts, 'send', tx), ...intentParameters(own), at, settleAfter],
    );
  });
}
