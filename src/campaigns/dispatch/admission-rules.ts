import { MINUTE } from '../../values/clock.js';
import type { PlannedRecipient } from './campaign-opening.queries.js';
import type { Opening } from './send-window-rules.js';

/**
 * How often to reread the messaging limit while recipients wait for it, milliseconds. Campaigns that end free some of
 * it.
 */
const RECHECK_LIMIT_MS = 5 * MINUTE;

/** A recipient who has not been sent to. */
export interface WaitingRecipient {
  readonly contactId: string;
  /** When it may be sent to; null: at any time. */
  readonly opening: Opening | null;
  /**
   * Whether it does not count toward the messaging limit: it was tried or reached before, or has an open service
   * window.
   */
  readonly isExempt: boolean;
}

/** The unused part of a messaging limit. */
export interface Allowance {
  readonly people: number;
  /** When more becomes available. */
  readonly moreAt: Date;
}

/** Which recipients of a campaign may be sent to, and when to plan again. */
export interface AdmissionPlan {
  readonly recipients: readonly PlannedRecipient[];
  /** Null: there are recipients who may be sent to now, or none are left. */
  readonly opensAt: Date | null;
  /** When to plan again; null: never. */
  readonly closesAt: Date | null;
  readonly waitingUntil: Date | null;
}

/**
 * Admits recipients whose window is open, in order, until the messaging limit is used up. The others wait for their
 * window or for the limit. Recipients whose window is closed reserve none of the limit: they are planned again when it
 * opens.
 *
 * @param allowance null: no limit
 */
export function admit(recipients: readonly WaitingRecipient[], allowance: Allowance | null, at: Date): AdmissionPlan {
  let left = allowance?.people ?? 0;
  const closings: Date[] = [];
  const waits: Date[] = [];
  const planned = recipients.map(({ contactId, opening, isExempt }): PlannedRecipient => {
    const opensAt = opening !== null && opening.opensAt > at ? opening.opensAt : null;
    const needsRoom = allowance !== null && !isExempt && opensAt === null;
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
