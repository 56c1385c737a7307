import type { SendFreeFormRequest } from '../../../../clients/typescript/src/generated/schema.js';
import { ParleyError } from '../../../../clients/typescript/src/parley-error.js';
import { ONCE, parley } from '../../../data/api.js';
import { failureOf, hasStatus, isUnanswered } from '../../../data/failure.js';
import { serverNow } from '../../../data/live.js';
import type { OpenThread, PendingEntry } from '../open-thread.js';
import type { TemplateChoice } from '../template/template-choice.js';
import { recipientOf, type ThreadKey } from '../thread-key.js';

/** Something failed before the message was handed over: it was certainly not sent. */
export class NotBegun extends Error {
  constructor(readonly reason: unknown) {
    super(reason instanceof Error ? reason.message : String(reason));
  }

  /** Why, for people. What this page itself refuses it says in its own words. */
  get said(): string {
    const isOwn = this.reason instanceof Error && !(this.reason instanceof ParleyError);
    return isOwn ? this.message : failureOf(this.reason).text;
  }
}

/** A fault of Parley’s, which may have come after the message was handed over. */
const FAULT = 500;

/** Whether nobody knows if a message was sent. */
export const isUnknown = (error: unknown): boolean => isUnanswered(error) || hasStatus(error, FAULT);

let lastId = 0;

/**
 * Shows an entry in grey while it is on its way; it goes when that fails.
 *
 * @param send answers the id of the record
 */
export async function deliver(
  { pending }: OpenThread,
  entry: Pick<PendingEntry, 'kind' | 'text'>,
  send: () => Promise<string>,
): Promise<void> {
  lastId += 1;
  const id = `composed-${lastId}`;
  pending.value = [...pending.value, { ...entry, id, at: serverNow().toISOString(), recordId: null }];
  try {
    const recordId = await send();
    pending.value = pending.value.map((one) => (one.id === id ? { ...one, recordId } : one));
  } catch (error) {
    pending.value = pending.value.filter((one) => one.id !== id);
    throw error;
  }
}

type Content = Omit<SendFreeFormRequest, 'contact_phone' | 'contact_user_id' | 'waba_phone_id'>;

/** @returns the id of the message */
export const sendContent = async (key: ThreadKey, content: Content): Promise<string> =>
  (await parley.messages.sendMessage({ ...recipientOf(key), ...content }, ONCE)).message_id;

/** @returns the id of the message */
export const sendChoice = async (
  key: ThreadKey,
  { template_name, request }: TemplateChoice,
  reply: { readonly reply_to?: string },
): Promise<string> =>
  (await parley.messages.send({ ...request, template_name, ...recipientOf(key), ...reply }, ONCE)).message_id;

/** @returns the id of the note */
export const writeNote = async ({ contact, phone }: ThreadKey, text: string): Promise<string> =>
  (await parley.conversations.addNote(contact, { waba_phone_id: phone, text }, ONCE)).note.id;
