import type { SessionLimits } from '../accounts/session.queries.js';
import { DAY, HOUR } from '../values/clock.js';

/** How long a session lasts without a request, milliseconds. */
const MAX_IDLE_MS = 12 * HOUR;
/** How long a session lasts at most, milliseconds. */
export const MAX_SESSION_MS = 7 * DAY;

/** When a session ends that makes no further request. */
export const endOfSession = (createdAt: Date, seenAt: Date): Date =>
  new Date(Math.min(createdAt.getTime() + MAX_SESSION_MS, seenAt.getTime() + MAX_IDLE_MS));

/** The times since which sessions that last at `at` were seen and created. */
export const limitsAt = (at: Date): SessionLimits => ({
  seenAfter: new Date(at.getTime() - MAX_IDLE_MS),
  createdAfter: new Date(at.getTime() - MAX_SESSION_MS),
});
