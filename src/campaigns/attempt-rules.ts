import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import type { ReportKind } from '../messages/message-status.js';
import { MOST_ATTEMPTS, RETRY_SPAN_MS, retryDelayMs } from '../messages/retry-rules.js';
import type { Acceptance } from '../network/network.js';
import { NetworkRefusal, NetworkUnreachable } from '../network/network-error.js';
import { plainWords } from '../network/refusal-texts.js';
import type { RecipientOutcome } from './recipient.queries.js';

/** What one attempt came to: the network's acceptance, or the error that the client threw. */
export type AttemptResult = { readonly acceptance: Acceptance } | { readonly error: unknown };

/** The attempt that was made. */
export interface Attempt {
  readonly recipientId: string;
  /** Attempts made, this one included. */
  readonly attempts: number;
  readonly firstAttemptAt: Date;
}

/** What follows for the recipient and for its message. */
export interface AttemptVerdict {
  readonly recipient: RecipientOutcome;
  /** What to record about the message; null when its outcome is unknown or it will be tried again. */
  readonly report: {
    readonly kind: ReportKind;
    readonly networkMessageId?: string;
    readonly error?: { code: number; message: string };
  } | null;
  /** The refusal that stops the whole campaign, or null. */
  readonly stop: NetworkRefusal | null;
}

/** Connection failures are tried again like the network's own "later". */
const UNREACHABLE = { code: 0, retryAfterMs: null };

/** Decides what an attempt's result means (NETWORK.md, Errors; D58). */
export function judge(attempt: Attempt, result: AttemptResult, at: Date): AttemptVerdict {
  if ('acceptance' in result) {
    const { held, networkMessageId } = result.acceptance;
    return verdict(attempt, { state: 'dispatched' }, { kind: held ? 'held' : 'accepted', networkMessageId });
  }
  const { error } = result;
  if (error instanceof NetworkUnreachable) return tryLater(attempt, UNREACHABLE, at, MESSAGE_ERRORS.networkUnavailable);
  if (!(error instanceof NetworkRefusal)) return verdict(attempt, { state: 'dispatched' }, null);
  if (error.errorClass === 'retry') return tryLater(attempt, error, at, MESSAGE_ERRORS.retriesExhausted);
  const reason = { code: error.code, message: plainWords(error) };
  const stops = error.errorClass === 'stop_phone' || error.errorClass === 'stop_template';
  return fail(attempt, reason, stops ? error : null);
}

/** A recipient that is not to be sent to, without asking the network. */
export const leaveOut = (attempt: Attempt, error: { code: number; message: string }): AttemptVerdict =>
  fail(attempt, error, null);

function tryLater(
  attempt: Attempt,
  refusal: Pick<NetworkRefusal, 'code' | 'retryAfterMs'>,
  at: Date,
  exhausted: { code: number; message: string },
): AttemptVerdict {
  const dueAt = new Date(at.getTime() + retryDelayMs(refusal, attempt.attempts));
  const spent = attempt.attempts >= MOST_ATTEMPTS;
  if (spent || dueAt.getTime() - attempt.firstAttemptAt.getTime() > RETRY_SPAN_MS) {
    return fail(attempt, exhausted, null);
  }
  return verdict(attempt, { state: 'pending', dueAt }, null);
}

function fail(attempt: Attempt, error: { code: number; message: string }, stop: NetworkRefusal | null): AttemptVerdict {
  return {
    ...verdict(
      attempt,
      { state: 'failed', errorCode: error.code, errorMessage: error.message },
      { kind: 'refused', error },
    ),
    stop,
  };
}

function verdict(
  { recipientId }: Attempt,
  recipient: Partial<RecipientOutcome> & Pick<RecipientOutcome, 'state'>,
  report: AttemptVerdict['report'],
): AttemptVerdict {
  return {
    recipient: { id: recipientId, dueAt: null, errorCode: null, errorMessage: null, ...recipient },
    report,
    stop: null,
  };
}
