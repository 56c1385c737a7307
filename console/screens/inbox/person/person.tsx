import type { OpenThread } from '../open-thread.js';

/** The person of a thread. */
export function Person({ thread }: { thread: OpenThread }) {
  return <aside class="side">{thread.key.contact}</aside>;
}
