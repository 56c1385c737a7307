import { signal } from '@preact/signals';

/** What the topic `badges` tells of an account. */
export interface Waiting {
  /** Conversations in which somebody waits for an answer, counted up to 1,000. */
  readonly waiting: number;
  /** Those of them that the person who has signed in has. */
  readonly mine_waiting: number;
}

/** How many people wait; null while that is not known, or must not be. */
export const waiting = signal<Waiting | null>(null);
