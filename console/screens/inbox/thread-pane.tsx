import { LazyPart } from '../../frame/lazy-part.js';
import { inboxWorkWords } from '../../words/inbox-work.js';
import { NoThread } from './handling/no-thread.js';
import { ThreadHeader } from './handling/thread-header.js';
import type { OpenThread } from './open-thread.js';
import { Timeline } from './thread/timeline.js';
import type { ThreadKey } from './thread-key.js';
import { useOpenThread } from './use-open-thread.js';

const loadComposer = async () => (await import('./composer/composer.js')).Composer;
const loadPerson = async () => (await import('./person/person.js')).Person;

/** The thread that is open, with its person beside it; a sentence where none is. */
export function ThreadPane({ thread }: { thread: ThreadKey | null }) {
  return thread === null ? <NoThread /> : <OpenThreadPane thread={thread} />;
}

function OpenThreadPane({ thread: key }: { thread: ThreadKey }) {
  const thread: OpenThread = useOpenThread(key);
  const { parts } = inboxWorkWords;
  return (
    <>
      <section class="thread" aria-labelledby="who">
        <ThreadHeader thread={thread} />
        <Timeline thread={thread} />
        <LazyPart load={loadComposer} what={parts.composer} thread={thread} />
      </section>
      <LazyPart load={loadPerson} what={parts.person} thread={thread} />
    </>
  );
}
