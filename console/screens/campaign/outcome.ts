import { ParleyError } from '../../../clients/typescript/src/parley-error.js';
import { isUnanswered } from '../../data/failure.js';

/**
 * What an attempt that was not answered with success came to: `overtaken` when somebody else has changed the campaign
 * meanwhile, `unknown` when nobody can say whether it took effect.
 */
export type AttemptOutcome = 'signed_out' | 'took_effect' | 'overtaken' | 'unknown' | 'refused' | 'failed';

/** Answers that refuse an action in the state that the campaign has. */
const REFUSALS: readonly number[] = [400, 409, 422];

/**
 * @param before the status when the button was pressed
 * @param now the status that was read afterwards; null when it could not be read
 */
export function outcomeOf(error: unknown, before: string, now: string | null): AttemptOutcome {
  if (!(error instanceof ParleyError)) return 'failed';
  const { status } = error;
  if (status === 401) return 'signed_out';
  const hasChanged = now !== null && now !== before;
  if (isUnanswered(error)) return hasChanged ? 'took_effect' : 'unknown';
  if (status === null || !REFUSALS.includes(status)) return 'failed';
  return hasChanged ? 'overtaken' : 'refused';
}
