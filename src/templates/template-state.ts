import type { TemplateStatus } from './template.js';

/** The one state in which a template can be sent. */
const SENDABLE = 'APPROVED';
/** States that end by themselves, or by a decision. */
const TEMPORARY = new Set(['PENDING', 'IN_APPEAL', 'PAUSED']);
/** Final states of a template. */
const FINAL = new Set(['REJECTED', 'DISABLED', 'DELETED', 'PENDING_DELETION', 'LIMIT_EXCEEDED', 'ARCHIVED']);
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
  if (networkStatus === SENDABLE) return 'APPROVED';
  return FINAL.has(networkStatus) ? 'REJECTED' : 'PENDING';
};

/**
 * Whether the event of a status callback names the state after it. `FLAGGED`, `LOCKED`, `REINSTATED` and `UNARCHIVED`
 * do not, and neither does an event that we do not know.
 */
export const isState = (event: string): boolean => {
  const name = event.toUpperCase();
  return name === SENDABLE || TEMPORARY.has(name) || FINAL.has(name);
};

/**
 * Maps a state reported by the network.
 *
 * @param reported a status, or the event of a status callback, if it {@link isState}
 * @param reason the network's reason; `NONE` counts as null
 */
export function networkStateOf(reported: string, reason: string | null): NetworkState {
  const networkStatus = reported.toUpperCase();
  const status = statusOf(networkStatus);
  const rejectionReason = status === 'REJECTED' && reason !== null && reason !== 'NONE' ? reason : null;
  return { status, networkStatus, rejectionReason };
}

/** The state that a refused send implies, or null when the error is not about the template. */
export const networkStatusOfError = (code: number): string | null => STATE_OF_ERROR[code] ?? null;
