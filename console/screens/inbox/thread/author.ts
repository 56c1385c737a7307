import { session } from '../../../data/session.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import { personName } from '../person-name.js';
import type { Message } from '../records.js';

/** The person to whom the thread of a message belongs. */
export const personOf = ({ contact_name, contact_phone, contact_user_id }: Message): string =>
  personName({ contact_name, phone_number: contact_phone, user_id: contact_user_id ?? null });

/** Who wrote a message; null for whoever reads it. */
export function authorOf(message: Message): string | null {
  const { direction, sent_by } = message;
  if (direction === 'in') return personOf(message);
  const isMine = sent_by?.user_id !== undefined && sent_by.user_id === session.value?.user.user_id;
  return isMine ? null : (sent_by?.name ?? words.we);
}
