import { ParleyError } from '../../../../clients/typescript/src/parley-error.js';
import { ONCE, parley } from '../../../data/api.js';
import type { ThreadKey } from '../thread-key.js';
import type { Again } from './resendable.js';

/** The person and the phone of a thread, as sends name them. */
export function recipientOf({ contact, phone }: ThreadKey) {
  const isNumber = /^\d+$/.test(contact);
  return { ...(isNumber ? { contact_phone: contact } : { contact_user_id: contact }), waba_phone_id: phone };
}

export const sendOnceMore = async (key: ThreadKey, again: Again): Promise<void> =>
  void (await parley.messages.sendMessage({ ...again, ...recipientOf(key) }, ONCE));

/** Whether an error leaves open whether the request took effect. */
export const isUnknownAnswer = (error: unknown): boolean =>
  error instanceof ParleyError && (error.status === null || error.status === 502 || error.status === 504);
