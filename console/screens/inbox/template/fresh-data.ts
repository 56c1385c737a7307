import type { ContactRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { ONCE, parley } from '../../../data/api.js';
import { hasStatus } from '../../../data/failure.js';
import { session } from '../../../data/session.js';
import type { ThreadKey } from '../thread-key.js';
import type { TemplateChoice } from './template-choice.js';

/** What is known of a number before somebody writes to it. */
export interface KnownNumber {
  /** The person; null for somebody new. */
  readonly person: ContactRecord | null;
  /** Their conversation with the business phone; null without one. */
  readonly thread: ThreadKey | null;
}

/** Digits that two spellings of one number share at their ends. */
const SHARED_DIGITS = 8;
const MAX_FOUND = 5;

/** Who has a number, and whether there is a conversation already. */
export async function readNumber(digits: string, phone: string, signal: AbortSignal): Promise<KnownNumber> {
  const { contacts } = await parley.contacts.list({ search: digits, limit: MAX_FOUND }, { signal });
  const exact = contacts.find(({ phone_number }) => phone_number === digits);
  const [only] = contacts.length === 1 ? contacts : [];
  const isSpelling = only?.phone_number?.slice(-SHARED_DIGITS) === digits.slice(-SHARED_DIGITS);
  const person = exact ?? (isSpelling ? only : undefined) ?? null;
  const contact = person?.phone_number ?? person?.user_id ?? digits;
  return { person, thread: (await hasThread(contact, phone, signal)) ? { contact, phone } : null };
}

async function hasThread(contact: string, phone: string, signal: AbortSignal): Promise<boolean> {
  try {
    await parley.conversations.get(contact, { waba_phone_id: phone }, { signal });
    return true;
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw error;
  }
}

/**
 * Begins a conversation with a template, and makes it that of the person who sends.
 *
 * @param idempotencyKey by which the same message is sent once, however often it is asked for
 * @returns the thread
 */
export async function begin(
  { contact: digits, phone }: ThreadKey,
  name: string,
  { template_name, request }: TemplateChoice,
  idempotencyKey: string,
): Promise<ThreadKey> {
  const whom = { contact_phone: digits, waba_phone_id: phone, ...(name !== '' && { contact_name: name }) };
  const sent = await parley.messages.send({ ...request, template_name, ...whom }, { idempotencyKey, ...ONCE });
  const thread = { contact: await addressee(sent.contact_id, digits), phone };
  await take(thread);
  return thread;
}

/** How the person is named, who may be known by another spelling of the number. */
async function addressee(contactId: string, digits: string): Promise<string> {
  try {
    const { contact } = await parley.contacts.get(contactId, ONCE);
    return contact.phone_number ?? contact.user_id ?? digits;
  } catch {
    return digits;
  }
}

/** The message is on its way: whatever comes of this, the thread opens. */
async function take({ contact, phone }: ThreadKey): Promise<void> {
  const user = session.peek()?.user.user_id;
  if (user === undefined) return;
  try {
    const order = { waba_phone_id: phone, user_id: user, only_if_unassigned: true };
    await parley.conversations.assign(contact, order, ONCE);
  } catch {
    // A colleague has it, or nobody can: the header of the thread says who.
  }
}
