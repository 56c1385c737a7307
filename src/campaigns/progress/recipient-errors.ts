import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import type { MessageError } from '../../messages/message-event.js';
import { NETWORK_CODES } from '../../network/error-classes.js';
import type { RecipientRow } from './recipient-list.queries.js';

/**
 * Error codes worth a retry with a new message: the network asked to try later, or the whole campaign was stopped.
 * Errors about the contact or our request would recur, and an unknown outcome may have been a success.
 */
export const RETRYABLE_ERRORS: readonly number[] = [
  ...NETWORK_CODES.retry,
  ...NETWORK_CODES.stop_phone,
  ...NETWORK_CODES.stop_template,
  MESSAGE_ERRORS.networkUnavailable.code,
  MESSAGE_ERRORS.retriesExhausted.code,
];

type Ended = Pick<RecipientRow, 'status' | 'errorCode' | 'errorMessage'>;

/** Why a recipient did not get the message, or null. */
export function errorOf({ status, errorCode, errorMessage }: Ended): MessageError | null {
  if (status === 'cancelled') return MESSAGE_ERRORS.cancelled;
  return errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' };
}

/** Whether retrying failed recipients would send to this one again. */
export const isRetryable = ({ status, errorCode }: Ended): boolean =>
  status === 'failed' && errorCode !== null && RETRYABLE_ERRORS.includes(errorCode);
