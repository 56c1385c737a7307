import { badRequest } from '../../errors/domain-error.js';
import { instantIn, readTime } from '../../values/local-time.js';

/**
 * The instant that a caller means.
 *
 * @param field what errors call it
 * @param text ISO 8601; without an offset, what the clocks of `zone` show
 * @param zone default: UTC
 * @param at now
 * @throws DomainError 400 for a time that the clocks leave out, or that is over
 */
export function futureInstant(field: string, text: string, zone: string | null, at: Date): Date {
  const time = readTime(text);
  if (time === null) throw badRequest(`${field} must be an ISO 8601 date and time (got ${text})`);
  const instant =
    time.offset === null ? instantIn(zone ?? 'UTC', time.wallClock) : new Date(time.wallClock - time.offset);
  if (instant === null) {
    throw badRequest(
      `${field} ${text} does not exist in ${zone}: the clocks skip it when they change. Choose an hour later`,
    );
  }
  if (instant <= at) {
    throw badRequest(
      `${field} must be in the future (got ${text}, which is ${instant.toISOString()}; it is ${at.toISOString()})`,
    );
  }
  return instant;
}
