import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Conversation, Message } from './records.js';
import type { ThreadKey } from './thread-key.js';

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

/** The thread that is open, and what its parts tell each other. One for each visit of a thread. */
export interface OpenThread {
  readonly key: ThreadKey;
  /** Its record as it was last heard of; undefined until it was read. */
  readonly conversation: ReadonlySignal<Conversation | undefined>;
  /** Why it could not be read; null when it could. */
  readonly error: ReadonlySignal<unknown>;
  readonly reload: () => Promise<unknown>;
  /** Shows what an action has answered, before the stream tells. */
  readonly take: (change: Partial<Conversation>) => void;
  /** The message that the next answer quotes; the same on each visit. */
  readonly quoted: Signal<Message | null>;
  /** Shown in grey below the timeline, the oldest first. */
  readonly pending: Signal<readonly PendingEntry[]>;
  /** Goes up when somebody wants to write: the composer takes focus, as a message or as a note. */
  readonly wantsToWrite: Signal<{ readonly count: number; readonly kind: 'message' | 'note' }>;
}

/** What the parts of a thread share beside its record. */
export const sharedOfThread = (): Pick<OpenThread, 'pending' | 'wantsToWrite'> => ({
  pending: signal<readonly PendingEntry[]>([]),
  wantsToWrite: signal({ count: 0, kind: 'message' }),
});
