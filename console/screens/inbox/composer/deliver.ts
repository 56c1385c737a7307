import type { SendFreeFormRequest } from '../../../../clients/typescript/src/generated/schema.js';
import { ParleyError } from '../../../../clients/typescript/src/parley-error.js';
import { parley } from '../../../data/api.js';
import { failureOf } from '../../../data/failure.js';
import { serverNow } from '../../../data/live.js';
import type { PendingEntry } from '../kept-in-thread.js';
import type { OpenThread } from '../open-thread.js';
import type { TemplateChoice } from '../template/template-choice.js';
import { recipientOf, type ThreadKey } from '../thread-key.js';
import { Attempt } from './attempt.js';

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

let lastId = 0;

/**
 * Shows an entry in grey while it is on its way; it goes when that fails.
 *
 * @throws what {@link Attempt.settle} throws
 */
export async function deliver(
  { pending }: OpenThread,
  entry: Pick<PendingEntry, 'kind' | 'text'>,
  prepare: () => Attempt | Promise<Attempt>,
): Promise<void> {
  lastId += 1;
  const id = `composed-${lastId}`;
  pending.value = [...pending.value, { ...entry, id, at: serverNow().toISOString(), recordId: null }];
  try {
    const recordId = await (await prepare()).settle();
    pending.value = pending.value.map((one) => (one.id === id ? { ...one, recordId } : one));
  } catch (error) {
    pending.value = pending.value.filter((one) => one.id !== id);
    throw error;
  }
}

type Content = Omit<SendFreeFormRequest, 'contact_phone' | 'contact_user_id' | 'waba_phone_id'>;

export const sendContent = (key: ThreadKey, content: Content): Attempt =>
  new Attempt(
    async (options) => (await parley.messages.sendMessage({ ...recipientOf(key), ...content }, options)).message_id,
  );

export const sendChoice = (
  key: ThreadKey,
  { template_name, request }: TemplateChoice,
  reply: { readonly reply_to?: string },
): Attempt => {
  const message = { ...request, template_name, ...recipientOf(key), ...reply };
  return new Attempt(async (options) => (await parley.messages.send(message, options)).message_id);
};

export const writeNote = ({ contact, phone }: ThreadKey, text: string): Attempt =>
  new Attempt(
    async (options) => (await parley.conversations.addNote(contact, { waba_phone_id: phone, text }, options)).note.id,
  );
