import { badRequest } from '../../errors/domain-error.js';
import { instantIn, parseTime } from '../../values/local-time.js';

/**
 * The instant that a caller means.
 *
 * @param field what errors call it
 * @param written ISO 8601; without an offset, what the clocks of `zone` show
 * @param zone default: UTC
 * @param at now
 * @throws DomainError 400 for a time that the clocks leave out, or that is over
 */
export function futureInstant(field: string, written: string, zone: string | null, at: Date): Date {
  const time = parseTime(written);
  if (time === null) throw badRequest(`${field} must be an ISO 8601 date and time (got ${written})`);
  const instant =
    time.offset === null ? instantIn(zone ?? 'UTC', time.wallClock) : new Date(time.wallClock - time.offset);
  if (instant === null) {
    throw badRequest(
      `${field} ${written} does not exist in ${zone}: the clocks skip it when they change. Choose an hour later`,
    );
  }
  if (instant <= at) {
    throw badRequest(
      `${field} must be in the future (got ${written}, which is ${instant.toISOString()}; it is ${at.toISOString()})`,
    );
  }
  return instant;
}
