import { HOUR } from '../values/clock.js';

/** How long a contact's message keeps the service window open, milliseconds (SPEC, Limits). */
export const WINDOW_MS = 24 * HOUR;

/** When the service window closes, or null when it never was open (D55). */
export const windowExpiry = (lastInboundAt: Date | null): Date | null =>
  lastInboundAt === null ? null : new Date(lastInboundAt.getTime() + WINDOW_MS);
