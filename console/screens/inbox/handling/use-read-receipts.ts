import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isOffline } from '../../../data/connection.js';
import { sendsReceipts } from '../../../data/preferences.js';
import { hasEnded, session } from '../../../data/session.js';
import type { OpenThread } from '../open-thread.js';
import { newestOf } from './newest-unanswered.js';
import { markRead } from './work-api.js';

/**
 * What each thread was marked for last, by its conversation, for as long as the page lives. A window moves with every
 * message of the person, so its end names the newest one.
 */
const marked = new Map<string, string>();
/** One at a time, whatever is opened meanwhile. */
let isOnItsWay = false;

/**
 * Tells the person that their messages were read: when somebody who has the conversation sees it, and again with every
 * new message. What fails is not tried again before the next message.
 */
export function useReadReceipts(thread: OpenThread): void {
  const isSeen = useSignal(!document.hidden);
  const round = useSignal(0);
  useEffect(() => {
    const look = (): void => {
      isSeen.value = !document.hidden;
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  useSignalEffect(() => {
    void round.value;
    const conversation = thread.conversation.value;
    const me = session.value;
    if (!isSeen.value || !sendsReceipts.value || isOffline.value || hasEnded.value) return;
    if (conversation === undefined || me === null || !me.scopes.includes('conversations:write')) return;
    if (conversation.assigned_to !== me.user.user_id || isOnItsWay) return;
    const [name, newest] = [`${conversation.contact_id} ${conversation.waba_phone_id}`, newestOf(conversation)];
    if (newest === null || marked.get(name) === newest) return;
    marked.set(name, newest);
    isOnItsWay = true;
    void markRead(thread.key)
      .catch(() => undefined)
      .finally(() => {
        isOnItsWay = false;
        // Something may have come meanwhile.
        round.value += 1;
      });
  });
}
