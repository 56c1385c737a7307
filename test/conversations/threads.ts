import type { ConversationRecord } from '../../src/conversations/dto/conversation.dto.js';
import type { ConversationResponse } from '../../src/conversations/dto/conversation-responses.dto.js';
import type { TimelineEntryRecord, TimelineResponse } from '../../src/messages/dto/thread-timeline.dto.js';
import { ensureContacts } from '../../src/people/ensured-contacts.queries.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { TestAccount, World } from '../support/world.js';

/** A page of a timeline. */
export async function timelineOf({ api }: TestAccount, phone: string, query = ''): Promise<TimelineResponse> {
  const { status, body, text } = await api.get<TimelineResponse>(`/api/v1/conversations/${phone}/timeline${query}`);
  if (status !== 200) throw new Error(`the timeline was answered ${status} ${text}`);
  return body;
}

/** What an entry is, in a word: the text of a message or note, or the kind of a change. */
export const wordOf = ({ message, note, change }: TimelineEntryRecord): string =>
  message?.content ?? note?.text ?? change?.kind ?? '';

/** The record of a conversation. */
export async function conversationOf({ api }: TestAccount, phone: string, query = ''): Promise<ConversationRecord> {
  const { status, body, text } = await api.get<ConversationResponse>(`/api/v1/conversations/${phone}${query}`);
  if (status !== 200) throw new Error(`the conversation was answered ${status} ${text}`);
  return body.conversation;
}

/** Another business phone of the account. */
export async function anotherPhone(world: World, { accountId, phone }: TestAccount): Promise<string> {
  const id = newRecordId();
  await world.unitOfWork.autocommit.affected(
    `INSERT INTO business_phones (account_id, id, waba_id, phone_number_id, phone, throughput, access_token)
     SELECT account_id, $3::uuid, waba_id, $3::text, '15559999999', throughput, access_token FROM business_phones
     WHERE account_id = $1 AND id = $2`,
    [accountId, phone.id, id],
  );
  return id;
}

/** Messages per statement. */
const CHUNK = 2000;
/** How long such a statement may take on a busy machine, milliseconds. */
const STATEMENT_MS = 120_000;

/** Stores messages of a contact, a second apart and the last one now, and their conversation; returns the contact's id. */
export async function manyMessages(
  world: World,
  { accountId }: TestAccount,
  phone: string,
  { count, businessPhoneId }: { readonly count: number; readonly businessPhoneId: string },
): Promise<string> {
  const contactId = await world.unitOfWork.transaction(async (tx) => {
    const [contact] = await ensureContacts(accountId, [{ phoneNumber: phone, name: null }], 'inbound', tx);
    return String(contact?.id);
  });
  for (let from = 1; from <= count; from += CHUNK) {
    const insert = `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, status, created_at)
       SELECT $1, overlay(record_id_bound(at)::text PLACING '7000-8000-' || lpad(i::text, 12, '0') FROM 15)::uuid, 'in', $2, $3,
              'text', i::text, 'received', at
       FROM (SELECT i, now() - ($4::int - i) * interval '1 second' AS at
             FROM generate_series($5::int, least($4::int, $5::int + ${CHUNK} - 1)) AS i) one`;
    const parameters = [accountId, contactId, businessPhoneId, count, from];
    await world.unitOfWork.transaction((tx) => tx.affected(insert, parameters), { statementMs: STATEMENT_MS });
  }
  await world.unitOfWork.autocommit.affected(
    `INSERT INTO conversations (account_id, contact_id, business_phone_id, last_message_at, last_inbound_at)
     VALUES ($1, $2, $3, now(), now()) ON CONFLICT DO NOTHING`,
    [accountId, contactId, businessPhoneId],
  );
  return contactId;
}
