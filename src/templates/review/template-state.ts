import type { TemplateStatus } from '../template.js';

/** States in which a template can be sent: `FLAGGED` ones are at risk of a pause, `LOCKED` ones cannot be edited. */
const SENDABLE = new Set(['APPROVED', 'FLAGGED', 'LOCKED']);
/** Final states of a template. */
const FINAL = new Set(['REJECTED', 'DISABLED', 'DELETED', 'PENDING_DELETION', 'LIMIT_EXCEEDED', 'ARCHIVED']);
/** The state after a callback event, where their names differ. */
const STATE_OF_EVENT: Readonly<Record<string, string>> = { REINSTATED: 'APPROVED', UNARCHIVED: 'APPROVED' };
/** A state that says nothing about the review: the template keeps its status. */
const LOCKED = 'LOCKED';
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
const statusOf = (networkStatus: string): TemplateStatus => {
  if (SENDABLE.has(networkStatus)) return 'APPROVED';
  return FINAL.has(networkStatus) ? 'REJECTED' : 'PENDING';
};

/**
 * Maps a state reported by the network.
 *
 * @param reported a status, or the event of a status callback
 * @param reason the network's reason; `NONE` counts as null
 * @param former the stored state; null for a template that is new here
 */
export function networkStateOf(
  reported: string,
  reason: string | null,
  former: Pick<NetworkState, 'status' | 'rejectionReason'> | null,
): NetworkState {
  const name = reported.toUpperCase();
  const networkStatus = STATE_OF_EVENT[name] ?? name;
  if (networkStatus === LOCKED && former !== null) {
    return { status: former.status, networkStatus, rejectionReason: former.rejectionReason };
  }
  const status = statusOf(networkStatus);
  const rejectionReason = status === 'REJECTED' && reason !== null && reason !== 'NONE' ? reason : null;
  return { status, networkStatus, rejectionReason };
}

/** The state that a refused send implies, or null when the error is not about the template. */
export const networkStatusOfError = (code: number): string | null => STATE_OF_ERROR[code] ?? null;
