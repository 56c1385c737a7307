import type { AssignmentRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { ONCE, parley } from '../../../data/api.js';
import { hasStatus } from '../../../data/failure.js';
import { session } from '../../../data/session.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import type { OpenThread } from '../open-thread.js';
import type { Conversation } from '../records.js';

/** How the API says that an account has no organisation, and so nobody who could have a conversation. */
const NOBODY = /nobody to assign/;

/** A colleague has the conversation. */
export class HeldByColleague extends Error {
  constructor(readonly colleague: string) {
    super(colleague);
  }
}

/** Who else has a conversation that is open; null when nobody has. */
export function colleagueWith(conversation: Conversation | undefined): string | null {
  if (conversation === undefined || conversation.status === 'resolved') return null;
  const { assigned_to, assigned_to_name } = conversation;
  if (assigned_to === null || assigned_to === session.value?.user.user_id) return null;
  return assigned_to_name ?? inboxComposerWords.somebody;
}

/**
 * Makes a conversation that of the person who answers, and reopens a resolved one. It asks the service even where the
 * page says that it is theirs, because a colleague may just have taken it.
 *
 * @param takesOver whether from a colleague too
 * @throws HeldByColleague, ParleyError; nothing was sent then
 */
export async function takeThread(thread: OpenThread, takesOver: boolean): Promise<void> {
  const { contact, phone } = thread.key;
  const me = session.peek()?.user.user_id ?? '';
  const choice = { waba_phone_id: phone };
  if (thread.conversation.peek()?.status === 'resolved') {
    const { data } = await parley.conversations.reopen(contact, choice, ONCE);
    thread.take(shownOf(data));
    if (data.assigned_to === me) return;
  }
  const order = { ...choice, user_id: me, only_if_unassigned: !takesOver };
  try {
    thread.take(shownOf((await parley.conversations.assign(contact, order, ONCE)).data));
  } catch (error) {
    // In an account without an organisation everybody who answers is its owner.
    if (hasStatus(error, 400) && NOBODY.test(error.detail)) return;
    if (!hasStatus(error, 409)) throw error;
    await thread.reload();
    throw new HeldByColleague(colleagueWith(thread.conversation.peek()) ?? inboxComposerWords.somebody);
  }
}

const shownOf = ({ status, assigned_to, assigned_to_name, assigned_at }: AssignmentRecord): Partial<Conversation> => ({
  status,
  assigned_to,
  assigned_to_name,
  assigned_at,
});
