import { MINUTE } from '../../values/clock.js';
import type { PlannedRecipient } from './campaign-opening.queries.js';
import type { Opening } from './send-window-rules.js';

/** While recipients wait for the messaging limit, milliseconds until it is read again: campaigns that end free some of it. */
const RECHECK_LIMIT_MS = 5 * MINUTE;

/** Somebody who has not been sent to. */
export interface WaitingRecipient {
  readonly contactId: string;
  /** When it may be sent to; null: at any time. */
  readonly opening: Opening | null;
  /** Whether it takes nothing of the messaging limit: it was tried or reached before, or has a service window open. */
  readonly isFree: boolean;
}

/** What is left of a messaging limit. */
export interface Allowance {
  readonly people: number;
  /** When there is more. */
  readonly moreAt: Date;
}

/** Who of a campaign may be sent to, and when to look again. */
export interface AdmissionPlan {
  readonly recipients: readonly PlannedRecipient[];
  /** Null: somebody may be sent to at once, or nobody ever. */
  readonly opensAt: Date | null;
  /** Null: the plan holds for ever. */
  readonly closesAt: Date | null;
  readonly waitingUntil: Date | null;
}

/**
 * Lets recipients go whose window is open, in their order, as far as the messaging limit has room for them. The others wait
 * for their window or for the limit. Room is given to nobody whose window is closed: that is looked at when it opens.
 *
 * @param allowance null: there is no limit
 */
export function admit(recipients: readonly WaitingRecipient[], allowance: Allowance | null, at: Date): AdmissionPlan {
  let left = allowance?.people ?? 0;
  const closings: Date[] = [];
  const waits: Date[] = [];
  const planned = recipients.map(({ contactId, opening, isFree }): PlannedRecipient => {
    const opensAt = opening !== null && opening.opensAt > at ? opening.opensAt : null;
    const needsRoom = allowance !== null && !isFree && opensAt === null;
    const isAdmitted = needsRoom && left > 0;
    if (isAdmitted) left -= 1;
    const dueAt = needsRoom && !isAdmitted ? allowance.moreAt : opensAt;
    if (dueAt !== null) waits.push(dueAt);
    if (opening !== null) closings.push(allowance !== null && opensAt !== null ? opensAt : opening.closesAt);
    if (needsRoom && !isAdmitted)
      closings.push(earliest([allowance.moreAt, new Date(at.getTime() + RECHECK_LIMIT_MS)]));
    return { contactId, dueAt, isAdmitted };
  });
  const waitingUntil = waits.length === 0 ? null : earliest(waits);
  return {
    recipients: planned,
    opensAt: waits.length === recipients.length ? waitingUntil : null,
    closesAt: closings.length === 0 ? null : earliest(closings),
    waitingUntil,
  };
}

const earliest = (times: readonly Date[]): Date => times.reduce((first, time) => (time < first ? time : first));
