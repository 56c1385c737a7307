import { badRequest } from '../../errors/domain-error.js';
import { instantIn, parseTime } from '../../values/local-time.js';

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
  if (time === null) throw badRequest(`${field} must be an ISO 8601 date and time (got ${text})`);
  const instant =
    time.offset === null ? instantIn(zone ?? 'UTC', time.wallClock) : new Date(time.wallClock - time.offset);
  if (instant === null) {
    throw badRequest(
      `${field} ${text} does not exist in ${zone}: the clocks skip it when they change. Choose a time an hour later`,
    );
  }
  if (instant <= at) {
    throw badRequest(
      `${field} must be in the future (got ${text}, which is ${instant.toISOString()}; it is ${at.toISOString()})`,
    );
  }
  return instant;
}
