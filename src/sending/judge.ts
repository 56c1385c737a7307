import { MESSAGE_ERRORS } from '../errors/error-catalog.js';
import type { MessageError } from '../messages/message-event.js';
import type { ReportKind } from '../messages/message-status.js';
import { PAIR_RATE_EXCEEDED, plainWords, stoppedBy, THROUGHPUT_EXCEEDED } from '../network/network-codes.js';
import { NetworkRefusal, NetworkUnreachable, type Refusal } from '../network/network-error.js';
import { MINUTE, SECOND } from '../values/clock.js';
import type { NetworkResult } from './slots/network-health.js';

/** How long a single send may wait and retry within its request while its phone is throttled, milliseconds. */
export const SINGLE_SEND_TIMEOUT_MS = 5 * SECOND;

/** How often and for how long a message that was provably not sent is tried again. */
export interface Patience {
  readonly maxAttempts: number;
  /** From the first attempt to the start of the last one, milliseconds. */
  readonly spanMs: number;
  /** Milliseconds before the attempt after the given one, which is 1 after the first. */
  readonly delayMs: (attempt: number) => number;
  /** Whether a message waits until the network can be reached, and until a stop is over; otherwise it fails. */
  readonly outlastsOutages: boolean;
}

/** A caller waits, and is told at once that the network cannot be reached. */
export const SINGLE_PATIENCE: Patience = {
  maxAttempts: Number.POSITIVE_INFINITY,
  spanMs: SINGLE_SEND_TIMEOUT_MS,
  delayMs: (attempt) => 2 ** (attempt - 1) * (SECOND / 2),
  outlastsOutages: false,
};

/** Before the second to fifth attempt at one recipient: more than five minutes in all. Milliseconds. */
const CAMPAIGN_DELAYS_MS = [SECOND, 10 * SECOND, MINUTE, 4 * MINUTE] as const;

export const CAMPAIGN_PATIENCE: Patience = {
  maxAttempts: CAMPAIGN_DELAYS_MS.length + 1,
  spanMs: Number.POSITIVE_INFINITY,
  delayMs: (attempt) => CAMPAIGN_DELAYS_MS[attempt - 1] ?? 4 * MINUTE,
  outlastsOutages: true,
};

/**
 * The time before the next attempt at a message that the network provably did not accept, milliseconds: never less than
 * the network asked for, nor than 4^n seconds for the pair rate limit.
 */
function sendRetryDelayMs({ code, retryAfterMs }: Refusal, { attempts, patience }: Series): number {
  const pairMs = code === PAIR_RATE_EXCEEDED ? 4 ** attempts * SECOND : 0;
  return Math.max(patience.delayMs(attempts), pairMs, retryAfterMs ?? 0);
}

/** Where a message is in its series of attempts. */
export interface Series {
  /** Attempts made, including this one. */
  readonly attempts: number;
  /** Milliseconds since the first one began. */
  readonly elapsedMs: number;
  /** Whether this one uses up none of them: the network is failing everybody. */
  readonly isFree?: boolean;
  readonly patience: Patience;
}

/** What to do with a message and its phone after an attempt. */
export interface SendVerdict {
  /** Milliseconds until a message that was provably not sent is tried again; null: it is not. */
  readonly retryAfterMs: number | null;
  /** What to record about the message; null when its outcome is unknown or it is tried again. */
  readonly report: {
    readonly kind: ReportKind;
    readonly networkMessageId?: string;
    readonly error?: MessageError;
  } | null;
  /** Why a message that was provably not sent is not tried again; null for any other. */
  readonly givenUp: GivenUp | null;
  /** A refusal that stops everything of its kind, or null. */
  readonly stop: NetworkRefusal | null;
  /** Whether the phone sends faster than the network allows. */
  readonly tooFast: boolean;
}

/** For the sender, who may try again. */
export interface GivenUp {
  readonly reason: string;
  readonly retryAfterMs: number;
}

const UNKNOWN: SendVerdict = {
  retryAfterMs: null,
  report: null,
  givenUp: null,
  stop: null,
  tooFast: false,
};

/** Decides what the network's answer to an attempt means, for single sends, automatic replies and campaigns alike. */
export function judgeSend(series: Series, result: NetworkResult): SendVerdict {
  if ('acceptance' in result) {
    const { held, networkMessageId } = result.acceptance;
    return { ...UNKNOWN, report: { kind: held ? 'held' : 'accepted', networkMessageId } };
  }
  const { error } = result;
  const { patience } = series;
  if (error instanceof NetworkUnreachable) {
    if (patience.outlastsOutages) return retryIn(SECOND);
    return gaveUp({ reason: error.message, retryAfterMs: SECOND }, MESSAGE_ERRORS.networkUnavailable);
  }
  if (!(error instanceof NetworkRefusal)) return UNKNOWN;
  if (error.errorClass === 'retry') {
    const delayMs = sendRetryDelayMs(error, series);
    const givenUp = { reason: plainWords(error), retryAfterMs: delayMs };
    const verdict = isLast(series, delayMs) ? gaveUp(givenUp, MESSAGE_ERRORS.retriesExhausted) : retryIn(delayMs);
    return { ...verdict, tooFast: error.code === THROUGHPUT_EXCEEDED };
  }
  const stop = stoppedBy(error.errorClass) === null ? null : error;
  const waits = stop !== null && patience.outlastsOutages;
  return { ...(waits ? retryIn(SECOND) : refused({ code: error.code, message: plainWords(error) })), stop };
}

const isLast = ({ attempts, elapsedMs, isFree = false, patience }: Series, delayMs: number): boolean =>
  (!isFree && attempts >= patience.maxAttempts) || elapsedMs + delayMs > patience.spanMs;

/** The verdict on a message that we or the network refused. */
export const refused = (error: MessageError): SendVerdict => ({ ...UNKNOWN, report: { kind: 'refused', error } });

/** The verdict on a message that is tried again. */
export const retryIn = (retryAfterMs: number): SendVerdict => ({ ...UNKNOWN, retryAfterMs });

const gaveUp = (givenUp: GivenUp, error: MessageError): SendVerdict => ({ ...refused(error), givenUp });
