import { blocking, type Restriction, refusing } from '../../accounts/restrictions.js';
import { MINUTE, SECOND } from '../../values/clock.js';
import type { WaitingReason } from '../campaign.entity.js';
import { NEVER, type PlannedRecipient } from './campaign-opening.queries.js';
import type { Opening } from './send-window-rules.js';

/**
 * How often to plan those again whom a restriction holds, milliseconds: their service window may open, or their template
 * get another category.
 */
const RECHECK_RESTRICTED_MS = MINUTE;
/** The same while a campaign is about to stop, since only they are left. Milliseconds. */
const RECHECK_LAST_MS = 5 * SECOND;

/** A recipient who has not been sent to. */
export interface WaitingRecipient {
  readonly contactId: string;
  /** The first time from `at` on when its send window is open; null: it has none. */
  readonly openingAt: (at: Date) => Opening | null;
  /**
   * Whether it does not count toward the messaging limit: it was tried or reached before, or has an open service
   * window.
   */
  readonly isExempt: boolean;
  /** When its open service window closes; null: it has none, or that makes no difference. */
  readonly windowEndsAt: Date | null;
}

/** The unused part of a messaging limit. */
export interface Allowance {
  readonly people: number;
  /** When more becomes available. */
  readonly moreAt: Date;
  /** When to read it again: campaigns that end free some of it. */
  readonly recheckAt: Date;
}

/** What refuses a template to contacts with an open service window, and to those without; null: nothing. */
export interface Refusals {
  readonly inWindows: Restriction | null;
  readonly outside: Restriction | null;
}

/** What binds the campaigns of a phone and a template. */
export interface Terms {
  /** Null: no limit. */
  readonly allowance: Allowance | null;
  readonly restrictions: Refusals;
}

/**
 * What refuses templates of a category. Restrictions that refuse everything are left out: a campaign that meets one of
 * them stops when it would send.
 */
export function refusalsOf(restrictions: readonly Restriction[], category: string): Refusals {
  if (blocking(restrictions) !== null) return { inWindows: null, outside: null };
  const refusal = (isWindowOpen: boolean) => refusing(restrictions, { category, isWindowOpen });
  return { inWindows: refusal(true), outside: refusal(false) };
}

/** Which recipients of a campaign may be sent to, and when to plan again. */
export interface AdmissionPlan {
  readonly recipients: readonly PlannedRecipient[];
  /** When to plan again; null: never. */
  readonly closesAt: Date | null;
  /** When the first of those who wait may be sent to; null: nobody waits, or nobody can say. */
  readonly waitingUntil: Date | null;
  /** What they wait for until then; null: nobody waits. */
  readonly waitingReason: WaitingReason | null;
  /** What refuses everybody who is left until somebody acts; null: somebody may be sent to, now or later. */
  readonly refusedForGood: Restriction | null;
}

/** When a recipient may be sent to, and what keeps it until then. */
interface Release {
  readonly at: Date;
  /** Null: nothing keeps it. */
  readonly reason: WaitingReason | null;
  /** Its send window at that time; null: it has none. */
  readonly opening: Opening | null;
  readonly restriction: Restriction | null;
}

/**
 * Admits recipients whom no restriction refuses and whose window is open, in order, until the messaging limit is used
 * up. The others wait for the end of the restriction, for the limit and for their window, whichever lets them go last.
 * Who has to wait reserves none of the limit, and is planned again then.
 */
export function admit(recipients: readonly WaitingRecipient[], terms: Terms, at: Date): AdmissionPlan {
  const { allowance, restrictions } = terms;
  let left = allowance?.people ?? 0;
  const isAdmitted = (recipient: WaitingRecipient, { reason }: Release): boolean => {
    if (reason !== null) return false;
    if (allowance === null || recipient.isExempt) return true;
    left -= 1;
    return left >= 0;
  };
  const considered = recipients.map((recipient) => {
    const release = releaseOf(recipient, restrictions, null, at);
    return { recipient, release, goes: isAdmitted(recipient, release) };
  });
  const full = left <= 0 ? allowance : null;
  const closings: Date[] = [];
  const waits: Release[] = [];
  const planned = considered.map(({ recipient, release, goes }): PlannedRecipient => {
    const { contactId, isExempt, windowEndsAt } = recipient;
    if (goes) {
      if (release.opening !== null) closings.push(release.opening.closesAt);
      if (windowEndsAt !== null) closings.push(windowEndsAt);
      return { contactId, dueAt: null, isAdmitted: allowance !== null && !isExempt };
    }
    const later = releaseOf(recipient, restrictions, full, at);
    waits.push(later);
    closings.push(...replansFor(recipient, later, terms, at));
    return { contactId, dueAt: later.at, isAdmitted: false };
  });
  const first = waits.reduce<Release | null>((one, other) => (one === null || other.at < one.at ? other : one), null);
  const isForGood = first?.at === NEVER;
  return {
    recipients: planned,
    closesAt: closings.length === 0 ? null : earliest(closings),
    waitingUntil: isForGood ? null : (first?.at ?? null),
    waitingReason: first?.reason ?? null,
    refusedForGood: isForGood && waits.length === recipients.length ? first.restriction : null,
  };
}

/** @param full the limit, if it is used up */
function releaseOf(recipient: WaitingRecipient, restrictions: Refusals, full: Allowance | null, at: Date): Release {
  const { windowEndsAt, isExempt } = recipient;
  const after = (restriction: Restriction | null): Release => {
    const opensLater = (from: Date, reason: WaitingReason | null): Release => {
      const opening = recipient.openingAt(from);
      const isLater = opening !== null && opening.opensAt > from;
      return { at: isLater ? opening.opensAt : from, reason: isLater ? 'send_window' : reason, opening, restriction };
    };
    if (restriction?.until === null) return { at: NEVER, reason: 'restriction', opening: null, restriction };
    const lifted = restriction?.until ?? at;
    if (full !== null && !isExempt && full.moreAt > lifted) return opensLater(full.moreAt, 'messaging_limit');
    return opensLater(lifted, restriction === null ? null : 'restriction');
  };
  const inWindow = windowEndsAt === null ? null : after(restrictions.inWindows);
  return inWindow === null || (windowEndsAt !== null && inWindow.at >= windowEndsAt)
    ? after(restrictions.outside)
    : inWindow;
}

/** When to plan a recipient who waits again. */
function replansFor(
  { isExempt, windowEndsAt }: WaitingRecipient,
  { at: goesAt, opening, restriction, reason }: Release,
  { allowance }: Terms,
  at: Date,
): Date[] {
  const soon = (ms: number): Date => new Date(at.getTime() + ms);
  return [
    ...(allowance !== null && !isExempt && reason === 'messaging_limit' ? [allowance.recheckAt] : []),
    ...(restriction === null ? [] : [soon(goesAt === NEVER ? RECHECK_LAST_MS : RECHECK_RESTRICTED_MS)]),
    ...(windowEndsAt === null ? [] : [windowEndsAt]),
    // With a limit or a restriction, who may go is found out then.
    ...(allowance === null && restriction === null && opening !== null ? [opening.closesAt] : [goesAt]),
  ];
}

const earliest = (times: readonly Date[]): Date => times.reduce((first, time) => (time < first ? time : first));
