/** How far the clock of this machine may be from the one that is followed, milliseconds, before it is not believed. */
const MAX_DEVIATION_MS = 250;

/** The time when `performance.now()` was 0, as far as known. */
let origin = performance.timeOrigin;

/**
 * The time that all processes share: that of the database, which {@link syncClock} is told several times a second. While the
 * clock of this machine agrees, it is what we read; when it is wrong, or jumps, the time goes on as if it had not.
 */
export function now(): Date {
  const steady = origin + performance.now();
  const system = Date.now();
  return new Date(Math.abs(system - steady) <= MAX_DEVIATION_MS ? system : steady);
}

/** The time by which both the shared clock and that of this machine agree that it has come: for what cannot be undone. */
export const conservativeNow = (): Date => new Date(Math.min(now().getTime(), Date.now()));

/**
 * Follows a clock from now on; small differences are left alone.
 *
 * @param told what it said
 * @param askedAt when it was asked, by `performance.now()`; it said so between then and now
 */
export function syncClock(told: Date, askedAt: number): void {
  const earliest = told.getTime() - performance.now();
  const latest = told.getTime() - askedAt;
  const isClose = origin >= earliest - MAX_DEVIATION_MS && origin <= latest + MAX_DEVIATION_MS;
  if (!isClose) origin = Math.min(Math.max(origin, earliest), latest);
}

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
