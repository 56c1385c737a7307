import { useLayoutEffect } from 'preact/hooks';
import { arrive } from '../../../frame/router.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';
import { NewConversationButton } from './new-conversation-button.js';

/** The place of the thread while none is open. */
export function NoThread() {
  // Back from a thread, the list has been there all the time.
  useLayoutEffect(arrive, []);
  return (
    <div class="no-thread">
      <p>{inboxWorkWords.none}</p>
      <NewConversationButton />
    </div>
  );
}
