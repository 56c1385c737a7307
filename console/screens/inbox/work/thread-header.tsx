import type { OpenThread } from '../open-thread.js';

/** Who it is, who has the conversation, and what one does with it. */
export function ThreadHeader({ thread }: { thread: OpenThread }) {
  return (
    <header>
      <h1 id="who" tabIndex={-1}>
        {thread.conversation.value?.contact_name}
      </h1>
    </header>
  );
}
