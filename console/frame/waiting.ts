import { signal } from '@preact/signals';
import { parley } from '../data/api.js';
import { session } from '../data/session.js';

/** What the topic `badges` tells of an account. */
export interface Waiting {
  /** Conversations in which somebody waits for an answer, counted up to 1,000. */
  readonly waiting: number;
  /** Those of them that the person who has signed in has. */
  readonly mine_waiting: number;
}

/** How many people wait; null while that is not known, or must not be. */
export const waiting = signal<Waiting | null>(null);

/** Reads what the topic tells, for pages without a stream. */
export async function readWaiting(signal: AbortSignal): Promise<Waiting> {
  const query = { waiting: 'true', order: 'longest_waiting', limit: 1 } as const;
  const me = session.peek()?.user.user_id ?? '';
  const [all, mine] = await Promise.all([
    parley.conversations.list(query, { signal }),
    parley.conversations.list({ ...query, assigned_to: me }, { signal }),
  ]);
  return { waiting: all.total, mine_waiting: mine.total };
}
