import { badRequest } from '../../errors/domain-error.js';
import { shown } from '../../http/field-rules.js';
import { HOUR, SECOND } from '../../values/clock.js';
import { instantIn, parseTime } from '../../values/local-time.js';
import type { Campaign } from '../campaign.entity.js';

/**
 * Parses a time given by the caller, which must lie in the future.
 *
 * @param field its name in error messages
 * @param text ISO 8601; without an offset, it is local time in `zone`
 * @param zone default: UTC
 * @param at now
 * @throws DomainError 400 for a time in the past, or one that does not exist because the clocks skip it
 */
export function futureInstant(field: string, text: string, zone: string | null, at: Date): Date {
  const time = parseTime(text);
  if (time === null) throw badRequest(`${field} must be an ISO 8601 date and time (got ${shown(text)})`);
  const instant =
    time.offset === null ? instantIn(zone ?? 'UTC', time.wallClock) : new Date(time.wallClock - time.offset);
  if (instant === null) {
    throw badRequest(
      `${field} ${text} does not exist in ${zone}: the clocks skip it when they change. Choose a time an hour later`,
    );
  }
  if (instant <= at) {
    throw badRequest(
      `${field} must be in the future (got ${shown(text)}, which is ${instant.toISOString()}; it is ${at.toISOString()})`,
    );
  }
  return instant;
}

/** @throws DomainError 400 for a deadline at the scheduled time or before it, when nobody would be sent to */
export function checkOrder(scheduledAt: Date | null, sendBefore: Date | null): void {
  if (scheduledAt === null || sendBefore === null || sendBefore > scheduledAt) return;
  throw badRequest(
    `send_before must be later than scheduled_at (got ${sendBefore.toISOString()} and ${scheduledAt.toISOString()})`,
  );
}

/** @throws DomainError 400 when the deadline has passed */
export function checkDeadline(sendBefore: Date | null, at: Date): void {
  if (sendBefore !== null && sendBefore <= at) {
    throw badRequest(`send_before must be in the future (got ${sendBefore.toISOString()})`);
  }
}

/** Nothing is sent in the last moment of an offer: the network would refuse what reaches it afterwards. Milliseconds. */
const LAST_MOMENT_MS = SECOND;

/** Until when a limited-time offer is sent. @param expirationTimeMs when it expires; null: never */
export const endOfOffer = (expirationTimeMs: number | null): Date | null =>
  expirationTimeMs === null ? null : new Date(expirationTimeMs - LAST_MOMENT_MS);

/** Whether a campaign may send nothing more: its deadline, or the offer of its template, is over. */
export const isPastDeadline = (
  { sendBefore, offerEndsAt }: Pick<Campaign, 'sendBefore' | 'offerEndsAt'>,
  at: Date,
): boolean => (sendBefore !== null && sendBefore <= at) || (offerEndsAt !== null && offerEndsAt <= at);

/** A scheduled campaign does not start later than this after its time: whoever gets it by then may not expect it. */
const MAX_LATE_MS = 6 * HOUR;

/** Whether a campaign that was due at `scheduledAt` is too late to start. */
export const isTooLate = (scheduledAt: Date, at: Date): boolean => at.getTime() - scheduledAt.getTime() > MAX_LATE_MS;
