import { type Signal, signal } from '@preact/signals';
import { isSameThread, type ThreadKey } from '../thread-key.js';

/** The threads of the list as it is shown now, from its first row on. */
export const shownThreads: Signal<readonly ThreadKey[]> = signal([]);

/**
 * The thread to open after another one is done: the one below it, else the one above. Ask before the action, since an
 * action may take the row out of the list.
 *
 * @returns null when the list shows no other one
 */
export function nextAfter(key: ThreadKey): ThreadKey | null {
  const rows = shownThreads.peek();
  const at = rows.findIndex((row) => isSameThread(row, key));
  // One that is not listed, or no longer, leads to the first.
  return (at < 0 ? rows[0] : (rows[at + 1] ?? rows[at - 1])) ?? null;
}
