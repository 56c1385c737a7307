import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import type { ReportKind } from '../../messages/reports/message-status.js';
import { MAX_SEND_ATTEMPTS, RETRY_SPAN_MS, sendRetryDelayMs } from '../../messages/sending/retry-rules.js';
import type { Acceptance } from '../../network/network.js';
import { NetworkRefusal, NetworkUnreachable } from '../../network/network-error.js';
import { plainWords } from '../../network/refusal-texts.js';

/** The result of one attempt: the network's acceptance, or the error the client threw. */
export type AttemptResult = { readonly acceptance: Acceptance } | { readonly error: unknown };

/** Where a recipient is in its series of attempts. */
export interface Attempt {
  /** Attempts made, including this one. */
  readonly attempts: number;
  readonly firstAttemptAt: Date;
}

/** What to do with the recipient and its message after an attempt. */
export interface SendVerdict {
  /** When to retry a recipient that was provably not sent to; null: no retry. */
  readonly retryAt: Date | null;
  /** What to record about the message; null when its outcome is unknown or it will be retried. */
  readonly report: {
    readonly kind: ReportKind;
    readonly networkMessageId?: string;
    readonly error?: { code: number; message: string };
  } | null;
  /** A refusal that stops the whole campaign, or null. */
  readonly stop: NetworkRefusal | null;
}

const UNKNOWN: SendVerdict = { retryAt: null, report: null, stop: null };

/** Connection failures are retried like the network's own "try again later". */
const UNREACHABLE = { code: 0, retryAfterMs: null };

/** Decides what an attempt's result means. */
export function judgeSend(attempt: Attempt, result: AttemptResult, at: Date): SendVerdict {
  if ('acceptance' in result) {
    const { held, networkMessageId } = result.acceptance;
    return { ...UNKNOWN, report: { kind: held ? 'held' : 'accepted', networkMessageId } };
  }
  const { error } = result;
  if (error instanceof NetworkUnreachable)
    return retryLater(attempt, UNREACHABLE, at, MESSAGE_ERRORS.networkUnavailable);
  if (!(error instanceof NetworkRefusal)) return UNKNOWN;
  if (error.errorClass === 'retry') return retryLater(attempt, error, at, MESSAGE_ERRORS.retriesExhausted);
  const stops = error.errorClass === 'stop_phone' || error.errorClass === 'stop_template';
  return { ...refused({ code: error.code, message: plainWords(error) }), stop: stops ? error : null };
}

/** The verdict on a recipient that we or the network refused. */
export const refused = (error: { code: number; message: string }): SendVerdict => ({
  ...UNKNOWN,
  report: { kind: 'refused', error },
});

function retryLater(
  attempt: Attempt,
  refusal: Pick<NetworkRefusal, 'code' | 'retryAfterMs'>,
  at: Date,
  exhausted: { code: number; message: string },
): SendVerdict {
  const retryAt = new Date(at.getTime() + sendRetryDelayMs(refusal, attempt.attempts));
  const spent = attempt.attempts >= MAX_SEND_ATTEMPTS;
  if (spent || retryAt.getTime() - attempt.firstAttemptAt.getTime() > RETRY_SPAN_MS) return refused(exhausted);
  return { ...UNKNOWN, retryAt };
}
