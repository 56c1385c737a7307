/** Milliseconds since the epoch, read in one place so that rules receive time as an argument. */
export const now = (): Date => new Date();

/** Milliseconds in one second, minute, hour and day: units for durations across the code. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * A UTC timestamp with millisecond precision and no offset, the form of every time inside message,
 * reply and button payloads: `2026-01-31T09:30:00.000`.
 */
export const naiveTimestamp = (at: Date): string => at.toISOString().slice(0, -1);

/** A UTC timestamp with the `+00:00` offset that conversation payloads carry. */
export const offsetTimestamp = (at: Date): string => `${at.toISOString().slice(0, -1)}+00:00`;
