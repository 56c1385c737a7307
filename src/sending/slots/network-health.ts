import type { Acceptance } from '../../network/network.js';
import {
  PAIR_RATE_EXCEEDED,
  plainWords,
  TEMPLATE_PREPARING,
  THROUGHPUT_EXCEEDED,
} from '../../network/network-codes.js';
import { NetworkRefusal, NetworkUnreachable } from '../../network/network-error.js';

/** What the network did with a message: it accepted it, or the client threw an error. */
export type NetworkResult = { readonly acceptance: Acceptance } | { readonly error: unknown };

/**
 * What an answer says about the network: it answers, it says that it is failing, or it cannot be reached. Null: nothing,
 * as an outcome that nobody knows. Limits on the phone's or the pair's speed and templates still being prepared are
 * answers: they pass for one message while others are sent.
 */
export type NetworkHealth =
  | { readonly state: 'answers' }
  | { readonly state: 'fails' | 'unreachable'; readonly detail: string }
  | null;

const ANSWERS: NetworkHealth = { state: 'answers' };
const ANSWERING: ReadonlySet<number> = new Set([PAIR_RATE_EXCEEDED, THROUGHPUT_EXCEEDED, TEMPLATE_PREPARING]);

/** What the network's answer says about the network, whatever it says about the message. */
export function healthOf(result: NetworkResult): NetworkHealth {
  if ('acceptance' in result) return ANSWERS;
  const { error } = result;
  if (error instanceof NetworkUnreachable) return { state: 'unreachable', detail: error.message };
  if (!(error instanceof NetworkRefusal)) return null;
  if (error.errorClass !== 'retry' || ANSWERING.has(error.code)) return ANSWERS;
  return { state: 'fails', detail: plainWords(error) };
}
