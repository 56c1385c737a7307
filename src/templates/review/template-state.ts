import type { TemplateStatus } from '../template.js';

/** Final states of a template. */
const FINAL = new Set(['REJECTED', 'DISABLED', 'LOCKED', 'DELETED', 'PENDING_DELETION', 'LIMIT_EXCEEDED', 'ARCHIVED']);
/** The state after a callback event, where their names differ. */
const STATE_OF_EVENT: Readonly<Record<string, string>> = { REINSTATED: 'APPROVED' };
/** The state that an error code of a refused send implies. */
const STATE_OF_ERROR: Readonly<Record<number, string>> = { 132015: 'PAUSED', 132016: 'DISABLED', 132001: 'MISSING' };

/** A template's status, the network's own status, and the reason of a rejection. */
export interface NetworkState {
  readonly status: TemplateStatus;
  readonly networkStatus: string;
  readonly rejectionReason: string | null;
}

/**
 * Maps the network's many states to three: `APPROVED` can be sent, `PENDING` may still be approved, `REJECTED` is
 * final.
 */
export const statusOf = (networkStatus: string): TemplateStatus =>
  networkStatus === 'APPROVED' ? 'APPROVED' : FINAL.has(networkStatus) ? 'REJECTED' : 'PENDING';

/**
 * Maps a state reported by the network.
 *
 * @param reported a status, or the event of a status callback
 * @param reason the network's reason; `NONE` counts as null
 */
export function networkStateOf(reported: string, reason: string | null): NetworkState {
  const name = reported.toUpperCase();
  const networkStatus = STATE_OF_EVENT[name] ?? name;
  const status = statusOf(networkStatus);
  const rejectionReason = status === 'REJECTED' && reason !== null && reason !== 'NONE' ? reason : null;
  return { status, networkStatus, rejectionReason };
}

/** The state that a refused send implies, or null when the error is not about the template. */
export const networkStatusOfError = (code: number): string | null => STATE_OF_ERROR[code] ?? null;
