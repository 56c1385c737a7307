import { DAY, HOUR, MINUTE } from './clock.js';

/** A date and time as written, with or without an offset. */
export interface ParsedTime {
  /** The date and time as written, in milliseconds as if it were UTC. */
  readonly wallClock: number;
  /** How far it is ahead of UTC, milliseconds; null when no offset was given. */
  readonly offset: number | null;
}

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/i;

/** Parses an ISO 8601 date and time, at least to the minute; null when it is malformed or no such date exists. */
export function parseTime(text: string): ParsedTime | null {
  const [match, date, time, second = '00', fraction = '', utc, sign, hours, minutes] = ISO.exec(text) ?? [];
  if (match === undefined) return null;
  const written = `${date}T${time}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  const wallClock = Date.parse(written);
  // JavaScript parses 31 February as 3 March.
  if (Number.isNaN(wallClock) || new Date(wallClock).toISOString() !== written) return null;
  const offset = offsetOf(utc, sign, hours, minutes);
  return offset === undefined ? null : { wallClock, offset };
}

/**
 * The instant of an ISO 8601 date and time, taken as UTC unless it has an offset.
 *
 * @throws RangeError when `text` is malformed
 */
export function instantOf(text: string): Date {
  const time = parseTime(text);
  if (time === null) throw new RangeError(`"${text}" is not an ISO 8601 date and time`);
  return new Date(time.wallClock - (time.offset ?? 0));
}

/** Milliseconds; null when no offset was given, undefined when it is out of range. */
function offsetOf(utc?: string, sign?: string, hours?: string, minutes = '0'): number | null | undefined {
  if (utc !== undefined) return 0;
  if (hours === undefined) return null;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (Number(hours) * HOUR + Number(minutes) * MINUTE) * (sign === '-' ? -1 : 1);
}

/** Longer than the name of any time zone. Looking for one of a million letters would take ten milliseconds. */
const MAX_ZONE_NAME = 64;

/** Whether `name` is a time zone in the IANA database. */
export function isTimeZone(name: string): boolean {
  // Newer engines accept an offset such as +01:00 as a zone name. We don't.
  if (name.length > MAX_ZONE_NAME || !/^[A-Za-z]/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The instant at which clocks in `zone` show `wallClock`. When clocks go back and the hour repeats, the first one
 * counts.
 *
 * @returns null for a time that is skipped when clocks go forward
 */
export function instantIn(zone: string, wallClock: number): Date | null {
  const clock = clockOf(zone);
  // Clocks change at most once in two days, so the offset is either that of the day before or that of the day after.
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

/** The clock's offset from UTC at `instant`, milliseconds. */
function offsetAt(clock: Intl.DateTimeFormat, instant: number): number {
  const shown = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}
