import { DAY, HOUR, MINUTE } from '../../values/clock.js';
import { instantIn } from '../../values/local-time.js';

/** The time zone of a window that each recipient's own zones decide about. */
export const RECIPIENT_ZONES = 'recipient';

/** The hours of a day in which a campaign may send. */
export interface SendWindow {
  /** `HH:MM` of the first minute. */
  readonly from: string;
  /** `HH:MM` of the first minute after it; before `from` it is one of the next day. */
  readonly to: string;
  /** An IANA name, or {@link RECIPIENT_ZONES}. */
  readonly timezone: string;
}

/** A stretch of time. */
export interface Opening {
  readonly opensAt: Date;
  /** The first moment after it. */
  readonly closesAt: Date;
}

/** How far ahead is looked for a time at which it is open in all zones, days. Clocks change seldom: a day is like the next. */
const DAYS_AHEAD = 7;
/** Clocks leave out this much at most, milliseconds. */
const MAX_GAP_MS = 3 * HOUR;

/**
 * Finds when windows are open, and remembers it: many recipients are in the same zones.
 *
 * @param at the moment that matters
 */
export function openingsAt(
  { from, to }: Pick<SendWindow, 'from' | 'to'>,
  at: Date,
): (zones: readonly string[]) => Opening {
  const ofZone = memoized((zone: string) => openingsIn(zone, minutesOf(from), minutesOf(to), at));
  return memoized((zones: readonly string[]): Opening => {
    const [first = 'UTC', ...others] = zones;
    const inAll = others.reduce((open, zone) => intersection(open, ofZone(zone)), ofZone(first));
    const opening = [...inAll, ...ofZone(first)].find(({ closesAt }) => closesAt > at);
    if (opening === undefined) throw new Error(`a window from ${from} to ${to} is never open in ${first}`);
    return opening;
  });
}

/** Minutes after midnight of `HH:MM`. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Every opening from the day before `at` to {@link DAYS_AHEAD}, in order. */
function openingsIn(zone: string, from: number, to: number, at: Date): Opening[] {
  const today = Math.floor(at.getTime() / DAY) * DAY;
  // The date in the zone may be the next one, and a window that began the day before may still be open.
  return Array.from({ length: DAYS_AHEAD + 4 }, (_, day) => today + (day - 2) * DAY).flatMap((date) => {
    const opensAt = instantAt(zone, date + from * MINUTE);
    const closesAt = instantAt(zone, date + to * MINUTE + (to <= from ? DAY : 0));
    return opensAt < closesAt ? [{ opensAt, closesAt }] : [];
  });
}

/** A time that the clocks leave out is meant as if they changed an hour later. */
function instantAt(zone: string, wallClock: number): Date {
  for (let skipped = 0; skipped <= MAX_GAP_MS; skipped += HOUR) {
    const instant = instantIn(zone, wallClock + skipped);
    if (instant !== null) return instant;
  }
  // A whole day is missing, as when Samoa crossed the date line.
  return instantAt(zone, wallClock + DAY);
}

/** When both are open; both are in order. */
const intersection = (one: readonly Opening[], other: readonly Opening[]): Opening[] =>
  one.flatMap((a) =>
    other.flatMap((b) => {
      const opensAt = a.opensAt > b.opensAt ? a.opensAt : b.opensAt;
      const closesAt = a.closesAt < b.closesAt ? a.closesAt : b.closesAt;
      return opensAt < closesAt ? [{ opensAt, closesAt }] : [];
    }),
  );

function memoized<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key) ?? work(key);
    known.set(key, found);
    return found;
  };
}
