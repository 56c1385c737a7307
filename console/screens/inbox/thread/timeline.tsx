import { LazyPart } from '../../../frame/lazy-part.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';
import type { OpenThread } from '../open-thread.js';

const loadTalk = async () => (await import('./talk.js')).Talk;

/** Messages, notes and changes of a thread in one line of time. They have a file of their own, and their place before it is there. */
export function Timeline({ thread }: { thread: OpenThread }) {
  return (
    <div class="talk-frame">
      <LazyPart load={loadTalk} what={inboxWorkWords.parts.messages} thread={thread} />
    </div>
  );
}
