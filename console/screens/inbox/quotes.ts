import { type Signal, signal } from '@preact/signals';
import type { Message } from './records.js';
import type { ThreadKey } from './thread-key.js';

const quotes = new Map<string, Signal<Message | null>>();

/**
 * The message that the next answer in a thread quotes. It stays with the text of that answer while somebody is in other
 * threads.
 *
 * @param account of the thread
 */
export function quoteIn(account: string | null, { contact, phone }: ThreadKey): Signal<Message | null> {
  const name = [account, contact, phone].join('\n');
  const known = quotes.get(name);
  if (known !== undefined) return known;
  const quote = signal<Message | null>(null);
  quotes.set(name, quote);
  return quote;
}

/** Whoever signs out takes what they quote along. */
export const forgetQuotes = (): void => quotes.clear();
