import type { OpenThread } from '../open-thread.js';

/** Where one answers. */
export function Composer({ thread }: { thread: OpenThread }) {
  return <div class="compose">{thread.key.contact}</div>;
}
