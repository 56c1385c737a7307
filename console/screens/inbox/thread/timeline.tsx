import type { OpenThread } from '../open-thread.js';

/** Messages, notes and changes of a thread in one line of time. */
export function Timeline({ thread }: { thread: OpenThread }) {
  return <div class="talk">{thread.key.contact}</div>;
}
