import type { TemplateStatus } from '../template.js';

/** States that a template never leaves. */
const FINAL = new Set(['REJECTED', 'DISABLED', 'LOCKED', 'DELETED', 'PENDING_DELETION', 'LIMIT_EXCEEDED', 'ARCHIVED']);
/** What a callback's event says about the state, where the two differ. */
const STATE_OF_EVENT: Readonly<Record<string, string>> = { REINSTATED: 'APPROVED' };
/** States that the error codes of refused sends reveal. */
const STATE_OF_ERROR: Readonly<Record<number, string>> = { 132015: 'PAUSED', 132016: 'DISABLED', 132001: 'MISSING' };

/** A template's state in the network's words, with the reason of a rejection. */
export interface NetworkState {
  readonly status: TemplateStatus;
  readonly networkStatus: string;
  readonly rejectionReason: string | null;
}

/** One of three states for the network's many: only `APPROVED` can be sent, what may still be approved is `PENDING`. */
export const statusOf = (networkStatus: string): TemplateStatus =>
  networkStatus === 'APPROVED' ? 'APPROVED' : FINAL.has(networkStatus) ? 'REJECTED' : 'PENDING';

/**
 * Reads a state as the network reports it.
 *
 * @param reported a status of the network, or the event of a status callback
 * @param reason the network's reason; `NONE` is none
 */
export function networkStateOf(reported: string, reason: string | null): NetworkState {
  const word = reported.toUpperCase();
  const networkStatus = STATE_OF_EVENT[word] ?? word;
  const status = statusOf(networkStatus);
  const rejectionReason = status === 'REJECTED' && reason !== null && reason !== 'NONE' ? reason : null;
  return { status, networkStatus, rejectionReason };
}

/** The state that a refused send reveals, or null when the error is not about the template. */
export const networkStatusOfError = (code: number): string | null => STATE_OF_ERROR[code] ?? null;
