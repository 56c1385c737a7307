import { HOUR, MINUTE, SECOND } from './clock.js';

/** Only the first of several values counts. */
const SECONDS = /^(\d{1,20}(?:\.\d+)?)[ \t]*(?:,|$)/;
/** The longest wait, about 31 years. */
const MAX_MS = 999_999_999 * SECOND;

/** `Sat, 31 Jan 2026 09:31:00 GMT`, and the obsolete `Saturday, 31-Jan-26 09:31:00 GMT`. */
const DATE =
  /^[a-z]{3,9}, (?<day>\d{1,2})[ -](?<month>[a-z]{3})[ -](?<year>\d{4}|\d\d) (?<time>\d\d:\d\d:\d\d) (?:GMT|UTC?|(?<zone>[+-]\d{4}))[ \t]*(?:,|$)/i;
/** The obsolete form of the C language, `Sun Feb  1 09:31:00 2026`. */
const ASCTIME = /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d|\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})[ \t]*(?:,|$)/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** How far ahead a year of two digits may be. */
const MAX_YEARS_AHEAD = 50;

/**
 * Parses a `Retry-After` header, given in seconds or as a date, of which recipients must read three forms (RFC 9110,
 * section 5.6.7).
 *
 * @param at when the response arrived
 * @returns milliseconds from `at`, at least 0 and at most about 31 years; null when the header is absent or malformed
 */
export function retryAfterMs(header: string | string[] | undefined, at: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  const seconds = SECONDS.exec(text)?.[1];
  const waitMs = seconds === undefined ? msUntil(text, at) : Number(seconds) * SECOND;
  return waitMs === null ? null : Math.min(Math.max(0, waitMs), MAX_MS);
}

function msUntil(text: string, at: Date): number | null {
  const { day, month = '', year = '', time = '', zone } = (DATE.exec(text) ?? ASCTIME.exec(text))?.groups ?? {};
  const monthIndex = MONTHS.indexOf(month.toLowerCase());
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const isDay = Number(day) >= 1 && Number(day) <= 31;
  // A leap second counts as the next one.
  if (!isDay || monthIndex < 0 || hours > 23 || minutes > 59 || seconds > 60) return null;
  const inYear = (full: number): number =>
    Date.UTC(full, monthIndex, Number(day), hours, minutes, seconds) - offsetMs(zone);
  if (year.length > 2) return inYear(Number(year)) - at.getTime();
  // The latest year with these digits that is not too far ahead.
  const thisYear = at.getUTCFullYear();
  let full = thisYear - (thisYear % 100) + 100 + Number(year);
  while (inYear(full - MAX_YEARS_AHEAD) > at.getTime()) full -= 100;
  return inYear(full) - at.getTime();
}

/** How far a zone such as `+0130` is ahead of UTC. */
function offsetMs(zone = '+0000'): number {
  const ahead = Number(zone.slice(1, 3)) * HOUR + Number(zone.slice(3)) * MINUTE;
  return zone.startsWith('-') ? -ahead : ahead;
}
