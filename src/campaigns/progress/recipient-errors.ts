import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import type { MessageError } from '../../messages/message-event.js';
import { explainCode } from '../../network/network-codes.js';
import type { Campaign } from '../campaign.entity.js';
import type { CampaignContent } from '../campaign.js';
import { type Failures, isWorthRetrying } from '../control/recipient-control.queries.js';
import { NEVER_RETRIED, type RetryPlan, retryPlanOf } from '../control/retry-rules.js';
import type { RecipientRow } from './recipient-list.queries.js';

/** Failures of one code, what they mean, and what to do about them. */
export interface ExplainedFailures extends RetryPlan {
  readonly code: number;
  readonly count: number;
  readonly title: string;
  readonly advice: string;
}

const OWN_ERRORS = new Map<number, { readonly message: string; readonly advice: string }>(
  Object.values(MESSAGE_ERRORS).map((error) => [error.code, error]),
);

/** @param content of the campaign: one-time codes are not kept for a retry */
export function explained(failures: Failures, content: Pick<CampaignContent, 'code'>, at: Date): ExplainedFailures {
  const { code, count } = failures;
  const own = OWN_ERRORS.get(code);
  return {
    code,
    count,
    ...(own === undefined ? explainCode(code) : { title: own.message.replace(/\.$/, ''), advice: own.advice }),
    ...(content.code === undefined ? retryPlanOf(failures, at) : NEVER_RETRIED),
  };
}

type Ended = Pick<RecipientRow, 'status' | 'errorCode' | 'errorMessage'>;

/** Why a recipient did not get the message, or null. */
export function errorOf({ status, errorCode, errorMessage }: Ended): MessageError | null {
  if (status === 'cancelled') return MESSAGE_ERRORS.cancelled;
  return errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' };
}

/**
 * Whether retrying failed recipients would send to this one again.
 *
 * @param campaign one-time codes are not kept for a retry
 */
export const isRetryable = (
  { status, errorCode }: Ended,
  { content, repeatedCodes }: Pick<Campaign, 'content' | 'repeatedCodes'>,
): boolean =>
  content.code === undefined &&
  status === 'failed' &&
  errorCode !== null &&
  isWorthRetrying({ code: errorCode, isRepeated: repeatedCodes.includes(errorCode) });
