import { nextAfter, shownThreads } from '../list/next-conversation.js';
import { isSameThread, type ThreadKey } from '../thread-key.js';

/** Those resolved here that the list still shows: it does not move while somebody points at it. */
let resolved: readonly ThreadKey[] = [];

shownThreads.subscribe((shown) => {
  resolved = resolved.filter((one) => shown.some((row) => isSameThread(row, one)));
});

export function noteResolved(key: ThreadKey): void {
  resolved = [...resolved, key];
}

/** Once somebody sees it open again, it is one to go on to. */
export function noteOpen(key: ThreadKey): void {
  resolved = resolved.filter((one) => !isSameThread(one, key));
}

/** The thread to go on to after this one: as the list has it, but for those that are done. */
export function nextOpen(key: ThreadKey): ThreadKey | null {
  const shown = shownThreads.peek();
  const isDone = (thread: ThreadKey): boolean => resolved.some((one) => isSameThread(one, thread));
  const next = nextAfter(key);
  if (next === null || !isDone(next)) return next;
  const at = shown.findIndex((row) => isSameThread(row, key));
  const others = [...shown.slice(at + 1), ...shown.slice(0, Math.max(at, 0)).reverse()];
  return others.find((row) => !isDone(row) && !isSameThread(row, key)) ?? null;
}
