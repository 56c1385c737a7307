import { badRequest } from '../errors/domain-error.js';
import { instantIn, readTime } from '../values/local-time.js';

/**
 * The instant that a time in a request means.
 *
 * @param text ISO 8601; without an offset as the clocks of `zone` show it
 * @throws DomainError 400 for a time that the clocks leave out
 */
export function instantOf(field: string, text: string, zone: string): Date {
  const written = readTime(text);
  if (written === null) throw badRequest(`${field} must be an ISO 8601 date and time (got ${text})`);
  const { wallClock, offset } = written;
  const instant = offset === null ? instantIn(zone, wallClock) : new Date(wallClock - offset);
  if (instant === null) {
    throw badRequest(`${field}: the clocks of ${zone} leave out ${text}, as they change to summer time then`);
  }
  return instant;
}

/** @throws DomainError 400 when the deadline is over */
export function checkDeadline(sendBefore: Date | null, at: Date): void {
  if (sendBefore !== null && sendBefore <= at) {
    throw badRequest(`send_before must be in the future (it is ${sendBefore.toISOString()})`);
  }
}
