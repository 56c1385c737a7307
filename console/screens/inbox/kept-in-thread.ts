import { type Signal, signal } from '@preact/signals';
import type { Message } from './records.js';
import { type ThreadKey, threadName } from './thread-key.js';

/** What somebody has sent from this page and the timeline does not have yet. */
export interface PendingEntry {
  /** Made by the page. */
  readonly id: string;
  readonly kind: 'message' | 'note';
  readonly text: string;
  readonly at: string;
  /** The message or note that it has become; until then the service has not answered. */
  readonly recordId: string | null;
}

/** What stays with a thread while somebody is in other threads. */
export interface KeptInThread {
  /** The message that the next answer quotes. */
  readonly quoted: Signal<Message | null>;
  /** Shown in grey below the timeline, the oldest first. */
  readonly pending: Signal<readonly PendingEntry[]>;
}

const kept = new Map<string, KeptInThread>();

/** @param account of the thread */
export function keptIn(account: string | null, key: ThreadKey): KeptInThread {
  const name = threadName(account, key);
  const known = kept.get(name);
  if (known !== undefined) return known;
  const made = { quoted: signal<Message | null>(null), pending: signal<readonly PendingEntry[]>([]) };
  kept.set(name, made);
  return made;
}

/** Whoever signs out takes what they quote and send along. */
export const forgetKept = (): void => kept.clear();
