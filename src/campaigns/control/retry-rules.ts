import { badRequest } from '../../errors/domain-error.js';
import { MARKETING_CAP_REACHED } from '../../network/network-codes.js';
import { HOUR } from '../../values/clock.js';
import { nothingToRetry } from '../campaigns.errors.js';
import { type Failures, isWorthRetrying, type RetriedFailures } from './recipient-control.queries.js';

/** The network punishes earlier attempts after {@link MARKETING_CAP_REACHED}. Milliseconds. */
const CAP_PAUSE_MS = 24 * HOUR;

/** Which failed recipients a caller wants to retry. */
export interface RetryChoice {
  /** Only those that failed with one of these; null: all that can be retried. */
  readonly errorCodes: readonly number[] | null;
  /** Whether also those who get too much marketing. */
  readonly includesCap: boolean;
}

/** Whether and when failures of one code can be retried. */
export interface RetryPlan {
  readonly isRetryable: boolean;
  /** Not before this time; null: at any time, or never. */
  readonly retryAfter: Date | null;
}

/** The plan for failures that are not retried. */
export const NEVER_RETRIED: RetryPlan = { isRetryable: false, retryAfter: null };

/** Whether the failures can be retried, and when the first of them. */
export function retryPlanOf(failures: Failures, at: Date): RetryPlan {
  if (failures.code !== MARKETING_CAP_REACHED) return { isRetryable: isWorthRetrying(failures), retryAfter: null };
  const dueAt = capDueAt(failures);
  return dueAt === null ? NEVER_RETRIED : { isRetryable: true, retryAfter: dueAt > at ? dueAt : null };
}

const capDueAt = ({ firstUntriedAt }: Failures): Date | null =>
  firstUntriedAt && new Date(firstUntriedAt.getTime() + CAP_PAUSE_MS);

/**
 * The failures to retry by the caller's choice.
 *
 * @param failures of the campaign
 * @throws DomainError 400 when there are none, or the choice names codes that cannot be retried
 */
export function chooseFailures(failures: readonly Failures[], choice: RetryChoice, at: Date): RetriedFailures {
  const { errorCodes, includesCap } = choice;
  if (errorCodes !== null) checkCodes(errorCodes, includesCap, failures);
  const chosen = failures.filter(({ code }) => errorCodes?.includes(code) ?? true);
  const codes = chosen.filter(isWorthRetrying).map(({ code }) => code);
  const capped = includesCap ? chosen.find(({ code }) => code === MARKETING_CAP_REACHED) : undefined;
  const dueAt = capped === undefined ? null : capDueAt(capped);
  const isDue = dueAt !== null && dueAt <= at;
  if (codes.length === 0 && !isDue) throw capped === undefined ? nothingToRetry() : notDue(dueAt);
  return { codes, cappedBefore: isDue ? new Date(at.getTime() - CAP_PAUSE_MS) : null };
}

function checkCodes(wanted: readonly number[], includesCap: boolean, failures: readonly Failures[]): void {
  const found = failures.map(({ code }) => code);
  const unknown = wanted.filter((code) => !found.includes(code));
  if (unknown.length > 0) {
    const others = found.length === 0 ? 'none has failed' : `they failed with ${found.join(', ')}`;
    throw badRequest(`error_codes: no recipient of the campaign has failed with ${unknown.join(', ')} (${others})`);
  }
  const namesCap = wanted.includes(MARKETING_CAP_REACHED);
  if (namesCap && !includesCap) {
    throw badRequest(
      `error_codes: ${MARKETING_CAP_REACHED} is retried only with "include": ["marketing_cap"], once per recipient and ` +
        '24 hours after it failed',
    );
  }
  if (includesCap && !namesCap) {
    throw badRequest(`include: marketing_cap has no effect when error_codes does not name ${MARKETING_CAP_REACHED}`);
  }
  const final = failures
    .filter((each) => wanted.includes(each.code) && each.code !== MARKETING_CAP_REACHED && !isWorthRetrying(each))
    .map(({ code }) => code);
  if (final.length > 0) {
    throw badRequest(`error_codes: another attempt would not help recipients who failed with ${final.join(', ')}`);
  }
}

const notDue = (dueAt: Date | null) =>
  badRequest(
    dueAt === null
      ? `include: every recipient that failed with ${MARKETING_CAP_REACHED} was already retried once`
      : `include: recipients that failed with ${MARKETING_CAP_REACHED} can be retried 24 hours later, the first of them ` +
          `from ${dueAt.toISOString()}`,
  );
