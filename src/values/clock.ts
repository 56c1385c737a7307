/** How far this machine's clock may drift from the shared clock before we stop trusting it, milliseconds. */
const MAX_DEVIATION_MS = 250;

/** Our best estimate of the time at which `performance.now()` was 0. */
let origin = performance.timeOrigin;

/**
 * The time that all processes share: the database's clock, passed to {@link syncClock} several times a second. We read
 * this machine's clock while the two agree. If it is wrong or jumps, time carries on as if it had not.
 */
export const now = (): Date => new Date(nowMs());

/** {@link now} as milliseconds since 1970. */
export function nowMs(): number {
  const steady = origin + performance.now();
  const system = Date.now();
  return Math.abs(system - steady) <= MAX_DEVIATION_MS ? system : Math.trunc(steady);
}

/** The earlier of the shared clock and this machine's clock: use it for decisions that cannot be undone. */
export const conservativeNow = (): Date => new Date(Math.min(now().getTime(), Date.now()));

/**
 * Adjusts our time to the shared clock; small differences are ignored.
 *
 * @param reported the time that the shared clock reported
 * @param askedAt when we asked for it, by `performance.now()`; the clock was read between then and now
 */
export function syncClock(reported: Date, askedAt: number): void {
  const earliest = reported.getTime() - performance.now();
  const latest = reported.getTime() - askedAt;
  const isClose = origin >= earliest - MAX_DEVIATION_MS && origin <= latest + MAX_DEVIATION_MS;
  if (!isClose) origin = Math.min(Math.max(origin, earliest), latest);
}

/** Milliseconds in one second, minute, hour and day. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * A UTC timestamp with millisecond precision and no offset, as in message, reply and button payloads:
 * `2026-01-31T09:30:00.000`.
 */
export function naiveTimestamp(at: Date): string {
  const ms = at.getTime();
  // The messages of a group have the same few times.
  if (ms !== written.ms) written = { ms, text: at.toISOString().slice(0, -1) };
  return written.text;
}

let written = { ms: Number.NaN, text: '' };

/** A UTC timestamp with a `+00:00` offset, as in conversation payloads. */
export const offsetTimestamp = (at: Date): string => `${at.toISOString().slice(0, -1)}+00:00`;
