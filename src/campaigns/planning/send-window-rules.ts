import { DAY, HOUR, MINUTE } from '../../values/clock.js';
import { instantIn } from '../../values/local-time.js';
import { zonesOfNumber } from '../../values/number-zones.js';
import type { Campaign } from '../campaign.entity.js';
import { RECIPIENT_ZONES, type SendWindow } from '../campaign.js';

/** One period during which a window is open. */
export interface Opening {
  readonly opensAt: Date;
  /** Exclusive. */
  readonly closesAt: Date;
}

/**
 * How many days ahead to search for a time when the window is open in all zones. Clock changes aside, all days are
 * alike.
 */
const DAYS_AHEAD = 7;
/** The longest gap that a clock change skips, milliseconds. */
const MAX_GAP_MS = 3 * HOUR;

/**
 * Returns a function that finds the current or next opening in all of the given zones, or in the first zone if they
 * never overlap. Results are memoized: many recipients share the same zones.
 *
 * @param at now
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

/**
 * Returns a function that finds the opening of a campaign's window for a number, the first from a time on; null if it has
 * no window. A number that is null, and all numbers where the window has a zone of its own, have the campaign's.
 */
export function openingsOf({
  sendWindow,
  scheduledTimezone,
}: Pick<Campaign, 'sendWindow' | 'scheduledTimezone'>): (phoneNumber: string | null, at: Date) => Opening | null {
  if (sendWindow === null) return () => null;
  const from = new Map<number, (zones: readonly string[]) => Opening>();
  const isPersonal = sendWindow.timezone === RECIPIENT_ZONES;
  const ownZone = [isPersonal ? (scheduledTimezone ?? 'UTC') : sendWindow.timezone];
  return (phoneNumber, at) => {
    const openingOf = from.get(at.getTime()) ?? openingsAt(sendWindow, at);
    from.set(at.getTime(), openingOf);
    const zones = isPersonal && phoneNumber !== null ? zonesOfNumber(phoneNumber) : [];
    return openingOf(zones.length === 0 ? ownZone : zones);
  };
}

/** Minutes after midnight of `HH:MM`. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Every opening from the day before `at` to {@link DAYS_AHEAD}, in order. */
function openingsIn(zone: string, from: number, to: number, at: Date): Opening[] {
  const today = Math.floor(at.getTime() / DAY) * DAY;
  // The zone may already be on the next date, and a window that opened the day before may still be open.
  return Array.from({ length: DAYS_AHEAD + 4 }, (_, day) => today + (day - 2) * DAY).flatMap((date) => {
    const opensAt = instantAt(zone, date + from * MINUTE);
    const closesAt = instantAt(zone, date + to * MINUTE + (to <= from ? DAY : 0));
    return opensAt < closesAt ? [{ opensAt, closesAt }] : [];
  });
}

/** A local time as an instant. A time that the clocks skip is moved forward hour by hour until it exists. */
function instantAt(zone: string, wallClock: number): Date {
  for (let skipped = 0; skipped <= MAX_GAP_MS; skipped += HOUR) {
    const instant = instantIn(zone, wallClock + skipped);
    if (instant !== null) return instant;
  }
  // A whole day is missing, as when Samoa crossed the date line.
  return instantAt(zone, wallClock + DAY);
}

/** The periods when both are open. */
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
