import type { ThreadKey } from '../thread-key.js';

/** The list of conversations. */
export function Conversations({ open }: { open: ThreadKey | null }) {
  return <section class="list">{open?.contact}</section>;
}
