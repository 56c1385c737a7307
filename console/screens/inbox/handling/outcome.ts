import { failureOf, hasStatus, isUnanswered } from '../../../data/failure.js';
import type { NoticeKind } from '../../../parts/notice-kind.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';
import type { Conversation } from '../records.js';

/** What an action came to, where that is not just the new state. */
export interface Outcome {
  readonly kind: NoticeKind;
  readonly text: string;
}

/** What an action changes. */
export type Held = Pick<Conversation, 'status' | 'assigned_to' | 'assigned_to_name'>;

export const heldOf = ({ status, assigned_to, assigned_to_name }: Held): Held => ({
  status,
  assigned_to,
  assigned_to_name,
});

/**
 * What to say about an action that failed.
 *
 * @param wanted what the action would have made of the conversation
 * @param now its state after the failure; undefined if that could not be read
 * @returns null where the page says everything already
 */
export function outcomeOf(error: unknown, wanted: Held, before: Held, now: Held | undefined): Outcome | null {
  const { outcome } = inboxWorkWords;
  if (hasStatus(error, 401)) return null;
  const hasEffect = now !== undefined && now.status === wanted.status && now.assigned_to === wanted.assigned_to;
  if (isUnanswered(error)) return hasEffect ? null : { kind: 'warn', text: outcome.unknown };
  if (hasStatus(error, 409))
    return { kind: 'calm', text: outcome.overtaken(now?.assigned_to_name ?? outcome.somebody) };
  if (hasStatus(error, 400) && now?.status === 'resolved' && before.status !== 'resolved') {
    return { kind: 'calm', text: outcome.resolvedMeanwhile };
  }
  if (hasStatus(error, 404) && wanted.assigned_to !== null && wanted.assigned_to !== before.assigned_to) {
    return { kind: 'bad', text: outcome.notActive(wanted.assigned_to_name ?? outcome.somebody) };
  }
  return { kind: 'bad', text: outcome.back(failureOf(error).text) };
}
