import { computed, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import type { ThreadKey } from '../thread-key.js';

/** As much of a text as a row may show. */
const SHOWN = 100;

/** The texts that somebody has begun and not sent, by {@link draftName}. The list needs no more of drafts than this. */
const texts = signal<ReadonlyMap<string, string>>(new Map());

/** What names a draft on the page. */
export const draftName = (account: string | null, { contact, phone }: ThreadKey): string =>
  [account, contact, phone].join('\n');

export function noteText(name: string, text: string): void {
  const shown = text.trim().slice(0, SHOWN);
  if ((texts.peek().get(name) ?? '') === shown) return;
  const next = new Map(texts.peek());
  if (shown === '') next.delete(name);
  else next.set(name, shown);
  texts.value = next;
}

export function forgetTexts(): void {
  texts.value = new Map();
}

/** What was begun in a thread, empty for nothing: only the rows whose text changes are drawn again. */
export function useBegunText(thread: ThreadKey | null): string {
  const name = thread === null ? '' : draftName(accountId.value, thread);
  return useMemo(() => computed(() => texts.value.get(name) ?? ''), [name]).value;
}
