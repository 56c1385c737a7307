import { HOUR } from '../values/clock.js';

/** How long a contact's message keeps the service window open, in milliseconds. */
export const WINDOW_MS = 24 * HOUR;

/** When the service window closes; null if it was never open. */
export const windowExpiry = (lastInboundAt: Date | null): Date | null =>
  lastInboundAt === null ? null : new Date(lastInboundAt.getTime() + WINDOW_MS);
