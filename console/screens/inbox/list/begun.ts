import { computed, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import { type ThreadKey, threadName } from '../thread-key.js';

/** As much of a text as a row may show. */
const SHOWN = 100;

/** What somebody has written in a thread, and what it came to so far. */
export interface Begun {
  readonly kind:
    | 'draft'
    | 'sending'
    /** Nothing was sent, and the text is a draft again. */
    | 'refused'
    /** Nobody knows whether it was sent. */
    | 'unknown';
  readonly text: string;
}

/** What somebody has begun, by {@link threadName}. The list needs no more of drafts than this. */
const begun = signal<ReadonlyMap<string, Begun>>(new Map());

/** @param what null for nothing; of its text, the beginning is kept */
export function noteBegun(name: string, what: Begun | null): void {
  const before = begun.peek().get(name);
  const text = what?.text.trim().slice(0, SHOWN) ?? '';
  if (before?.kind === what?.kind && (before?.text ?? '') === text) return;
  const next = new Map(begun.peek());
  if (what === null) next.delete(name);
  else next.set(name, { kind: what.kind, text });
  begun.value = next;
}

export function forgetBegun(): void {
  begun.value = new Map();
}

/** What was begun in a thread: only the rows in which that changes are drawn again. */
export function useBegun(thread: ThreadKey | null): Begun | null {
  const name = thread === null ? '' : threadName(accountId.value, thread);
  return useMemo(() => computed(() => begun.value.get(name) ?? null), [name]).value;
}
