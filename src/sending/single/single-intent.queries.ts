import { optedOut } from '../../consent/consent-ledger.queries.js';
import { ANSWERED, MOVED_TO_TOP } from '../../conversations/conversation-key.queries.js';
import { columnsOf } from '../../database/sql/columns.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import { ANY_PREVIEW, PREVIEWS } from '../../messages/inbound-kinds.js';
import { splitName } from '../../people/contact-name.js';
import type { ContactIdentity, ContactRef } from '../../people/contact-ref.js';
import {
  ensuredContacts,
  ensureParameters,
  isGivenName,
  LOCKED_AGAINST_MERGE,
  settled,
} from '../../people/ensured-contacts.queries.js';
import { hasItself, isNamed } from '../../people/person-keys.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import type { MessageExtras } from './send-extras.service.js';

/** SQL: what a list of conversations shows of a message; a file may have no caption. */
const PREVIEW = `CASE WHEN content <> '' AND message_type NOT IN ('location', 'contacts') THEN content ELSE CASE message_type ${Object.entries(
  PREVIEWS,
)
  .map(([type, preview]) => `WHEN '${type}' THEN '${preview}'`)
  .join(' ')} ELSE '${ANY_PREVIEW}' END END`;

/** A single message to be committed before it is sent. */
export interface NewSingleIntent extends MessageExtras {
  readonly accountId: string;
  readonly id: string;
  readonly contact: ContactRef;
  readonly contactName: string | null;
  readonly businessPhoneId: string;
  readonly messageType: string;
  readonly content: string;
  readonly templateName: string | null;
  /** What its record shows besides its text, as JSON; null: nothing. */
  readonly payload: string | null;
  /** Marketing messages are not sent to opted-out contacts. */
  readonly marketing: boolean;
}

/** A single message as it was stored, or refused because its contact opted out. */
export interface SingleIntentRow extends ContactIdentity {
  /** The number by which the network knows the contact, if it differs from ours. */
  readonly waId: PhoneNumber | null;
  readonly id: string;
  readonly contactId: string;
  readonly firstName: string;
  readonly lastName: string | null;
  readonly refused: boolean;
}

/** SQL condition: both name one person. Of several spellings of a number only the first is among the ensured. */
const sameIdentity = (by: ContactRef['by'], one: string, other: string): string =>
  by === 'user_id' ? `${one} = ${other}` : `number_key(${one}) = number_key(${other})`;

/** The columns of {@link STORED}. */
const INTENT_COLUMNS =
  'account_id, id, identity, business_phone_id, message_type, content, template_name, marketing, payload, ' +
  'context_message_id, agent_user_id, by_person, reference';

/** What is stored of an intent. */
const rowOf = ({ contact, contactName, ...intent }: NewSingleIntent) => ({
  ...intent,
  identity: contact.value,
  isNamed: contactName !== null && isGivenName(splitName(contactName)),
});

/** The order of the statements' parameters. */
const STORED = [
  'accountId',
  'id',
  'identity',
  'businessPhoneId',
  'messageType',
  'content',
  'templateName',
  'marketing',
  'payload',
  'contextMessageId',
  'agentUserId',
  'byPerson',
  'reference',
] as const;

/** Whether messages answer whoever waits: those that somebody writes do, automatic ones don't. */
export type Writer = 'somebody' | 'rule';

/**
 * Stores the rows of the CTE `intent`: conversations (in the order in which all writers lock them), messages, and one
 * batch in flight per account, whose id is that of its first message. A reaction is no entry of its conversation.
 */
const STORED_INTENTS = (at: string, settleAfter: string, writer: Writer): string =>
  `conversation AS (
       INSERT INTO conversations AS t
         (account_id, contact_id, business_phone_id, last_message_at, last_message_preview, answer_id)
       SELECT DISTINCT ON (account_id, contact_id, business_phone_id)
              account_id, contact_id, business_phone_id, ${at}::timestamptz, ${PREVIEW}, ${writer === 'somebody' ? 'id' : 'NULL::uuid'}
       FROM intent WHERE NOT refused AND message_type <> 'reaction'
       ORDER BY account_id, contact_id, business_phone_id, id
       ${writer === 'somebody' ? ANSWERED : MOVED_TO_TOP}
     ), message AS (
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content,
                             template_name, payload, context_message_id, agent_user_id, by_person, reference, status, created_at)
       SELECT account_id, id, 'out', contact_id, business_phone_id, message_type, content, template_name, payload::json,
              context_message_id, agent_user_id, by_person, reference, 'pending', ${at}
       FROM intent WHERE NOT refused
     ), in_flight AS (
       INSERT INTO sends_in_flight (account_id, id, message_ids, settle_at)
       SELECT account_id, (array_agg(id ORDER BY id))[1], array_agg(id ORDER BY id), ${settleAfter}::timestamptz
       FROM intent WHERE NOT refused
       GROUP BY account_id
     )
     SELECT id, contact_id, phone_number, wa_id, user_id, first_name, last_name, refused FROM intent`;

/** Runs one statement per way of naming a contact; most batches have only one. */
async function byKind(
  intents: readonly NewSingleIntent[],
  store: (by: ContactRef['by'], own: readonly NewSingleIntent[]) => Promise<SingleIntentRow[]>,
): Promise<SingleIntentRow[]> {
  const kinds = kindsOf(intents);
  const [only] = kinds;
  if (only !== undefined && kinds.length === 1) return store(only, intents);
  const rows: SingleIntentRow[] = [];
  for (const by of kinds) {
    const own = intents.filter(({ contact }) => contact.by === by);
    rows.push(...(await store(by, own)));
  }
  return rows;
}

/** The ways in which messages name their contacts; storing takes one statement for each. */
export function kindsOf(intents: readonly Pick<NewSingleIntent, 'contact'>[]): ContactRef['by'][] {
  const kinds = new Set<ContactRef['by']>();
  for (const { contact } of intents) kinds.add(contact.by);
  return [...kinds];
}

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
    tx.rows<SingleIntentRow>(FOR_KNOWN[by], [...columnsOf(own.map(rowOf), [...STORED, 'isNamed']), at, settleAfter]),
  );
}

/** Built once: a text that is put together at each call is also hashed at each call. */
const forKnown = (by: ContactRef['by']): string =>
  `WITH intent AS MATERIALIZED (
       SELECT i.*, c.id AS contact_id, c.phone_number, c.wa_id, c.user_id, c.first_name, c.last_name, i.marketing AND ${optedOut('c')} AS refused
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::boolean[],
                   $9::text[], $10::uuid[], $11::uuid[], $12::boolean[], $13::text[], $14::boolean[])
              AS i (${INTENT_COLUMNS}, named)
       CROSS JOIN LATERAL (
         SELECT * FROM contacts c
         WHERE c.account_id = i.account_id AND ${hasItself(by, 'c', 'i.identity')}
         LIMIT 1 ${LOCKED_AGAINST_MERGE[by]}
       ) c
       WHERE ${settled('i.named')}
     ), ${STORED_INTENTS('$15', '$16', 'somebody')}`;
const FOR_KNOWN = { phone_number: forKnown('phone_number'), user_id: forKnown('user_id') } as const;

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
  writer: Writer = 'somebody',
): Promise<SingleIntentRow[]> {
  return byKind(intents, async (by, own) => {
    const contacts = own.map(({ accountId, contact, contactName, marketing }) => ({
      accountId,
      contact,
      name: contactName,
      marketing,
    }));
    const { all } = await ensureParameters(contacts, 'send', tx);
    return tx.rows<SingleIntentRow>(
      `WITH ${ensuredContacts(by)}, intent AS MATERIALIZED (
       SELECT i.*, c.id AS contact_id, c.phone_number, c.wa_id, c.user_id, c.first_name, c.last_name, i.marketing AND ${optedOut('c')} AS refused
       FROM unnest($10::uuid[], $11::uuid[], $12::text[], $13::uuid[], $14::text[], $15::text[], $16::text[],
                   $17::boolean[], $18::text[], $19::uuid[], $20::uuid[], $21::boolean[], $22::text[])
              AS i (${INTENT_COLUMNS})
       JOIN ensured c ON c.account_id = i.account_id AND ${sameIdentity(by, 'c.identity', 'i.identity')}
     ), ${STORED_INTENTS('$23', '$24', writer)}`,
      [...all, ...columnsOf(own.map(rowOf), STORED), at, settleAfter],
    );
  });
}

/** Whether a contact whom nothing is sent has opted out; false where there is none. */
export async function isOptedOut(accountId: string, { by, value }: ContactRef, db: Database): Promise<boolean> {
  const row = await db.row<{ refused: boolean }>(
    `SELECT ${optedOut('c')} AS refused FROM contacts c WHERE c.account_id = $1 AND ${isNamed('c', by, '$2')}`,
    [accountId, value],
  );
  return row?.refused === true;
}
