import { accountId } from '../../data/account.js';
import { addressOf } from '../../frame/route-match.js';

/** What names a thread: the person and the business phone. */
export interface ThreadKey {
  /** The person’s number, digits, or the network’s user id of people who hide it. */
  readonly contact: string;
  /** The record’s id of the business phone. */
  readonly phone: string;
}

/** A record that belongs to a thread. */
interface OfThread {
  readonly phone_number: string | null;
  readonly user_id?: string | null;
  readonly waba_phone_id: string;
}

/** The thread of a record; null once the person has been erased. */
export function threadOf({ phone_number, user_id, waba_phone_id }: OfThread): ThreadKey | null {
  const contact = phone_number ?? user_id ?? null;
  return contact === null ? null : { contact, phone: waba_phone_id };
}

/** The address of a thread in the account that is shown; {@link searchWith} adds the list that it was opened from. */
export const threadAddress = ({ contact, phone }: ThreadKey): string =>
  addressOf(accountId.value, `inbox/${encodeURIComponent(contact)}/${encodeURIComponent(phone)}`);

/** The person and the phone of a thread, as sends name them. People who hide their number are known by the network’s id. */
export const recipientOf = ({ contact, phone }: ThreadKey) => ({
  ...(/^\d+$/.test(contact) ? { contact_phone: contact } : { contact_user_id: contact }),
  waba_phone_id: phone,
});

/** Names a thread of an account within the page. */
export const threadName = (account: string | null, { contact, phone }: ThreadKey): string =>
  [account, contact, phone].join('\n');

export const isSameThread = (one: ThreadKey | null, other: ThreadKey | null): boolean =>
  one?.contact === other?.contact && one?.phone === other?.phone;
