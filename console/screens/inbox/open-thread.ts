import type { ReadonlySignal, Signal } from '@preact/signals';
import type { KeptInThread } from './kept-in-thread.js';
import type { Conversation } from './records.js';
import type { ThreadKey } from './thread-key.js';

/** The thread that is open, and what its parts tell each other. One for each visit of a thread. */
export interface OpenThread extends KeptInThread {
  readonly key: ThreadKey;
  /** Its record as it was last heard of; undefined until it was read. */
  readonly conversation: ReadonlySignal<Conversation | undefined>;
  /** Why it could not be read; null when it could. */
  readonly error: ReadonlySignal<unknown>;
  readonly reload: () => Promise<unknown>;
  /** Shows what an action has answered, before the stream tells. */
  readonly take: (change: Partial<Conversation>) => void;
  /** Goes up when somebody wants to write: the composer takes focus, as a message or as a note. */
  readonly wantsToWrite: Signal<{ readonly count: number; readonly kind: 'message' | 'note' }>;
}
