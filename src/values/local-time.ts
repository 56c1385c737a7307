import { DAY, HOUR, MINUTE } from './clock.js';

/** A time as somebody wrote it down. */
export interface ParsedTime {
  /** What clock and calendar show, in milliseconds as if it were UTC. */
  readonly wallClock: number;
  /** How far it is ahead of UTC, milliseconds; null when that was left out. */
  readonly offset: number | null;
}

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/i;

/** Reads an ISO 8601 date and time, to the minute at least; null when it is none, or not in the calendar. */
export function parseTime(text: string): ParsedTime | null {
  const [match, date, time, second = '00', fraction = '', utc, sign, hours, minutes] = ISO.exec(text) ?? [];
  if (match === undefined) return null;
  const written = `${date}T${time}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const wallClock = Date.parse(written);
  // JavaScript reads 31 February as 3 March.
  if (Number.isNaN(wallClock) || new Date(wallClock).toISOString() !== written) return null;
  const offset = offsetOf(utc, sign, hours, minutes);
  return offset === undefined ? null : { wallClock, offset };
}

/**
 * The instant that an ISO 8601 date and time means: in UTC unless it has an offset.
 *
 * @throws RangeError when it is none
 */
export function instantOf(text: string): Date {
  const time = parseTime(text);
  if (time === null) throw new RangeError(`${text} is no date and time`);
  return new Date(time.wallClock - (time.offset ?? 0));
}

/** Milliseconds; null when there is none, undefined when no clock on earth has it. */
function offsetOf(utc?: string, sign?: string, hours?: string, minutes = '0'): number | null | undefined {
  if (utc !== undefined) return 0;
  if (hours === undefined) return null;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (Number(hours) * HOUR + Number(minutes) * MINUTE) * (sign === '-' ? -1 : 1);
}

/** Whether `name` is a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  // An offset such as +01:00 is no name of a zone, although newer engines take it for one.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The instant at which the clocks of a zone show `wallClock`. The hour that an autumn night has twice means the first time.
 *
 * @returns null for the hour that a spring night leaves out
 */
export function instantIn(zone: string, wallClock: number): Date | null {
  const clock = clockOf(zone);
  // Clocks change at most once within two days, so the offset is that of the day before or that of the day after.
  const instants = [wallClock - DAY, wallClock + DAY]
    .map((near) => wallClock - offsetAt(clock, near))
    .filter((instant) => instant + offsetAt(clock, instant) === wallClock);
  return instants.length === 0 ? null : new Date(Math.min(...instants));
}

const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

/** How far the clock is ahead of UTC at `instant`, milliseconds. */
function offsetAt(clock: Intl.DateTimeFormat, instant: number): number {
  const shown = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}
