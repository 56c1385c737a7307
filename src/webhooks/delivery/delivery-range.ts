import { lowestIdAt } from '../../database/schema/partitions.js';
import { DAY, HOUR, now } from '../../values/clock.js';

/** A range of delivery ids, and so of the days on which the deliveries were created. */
export interface DeliveryRange {
  /** The lowest id, inclusive. */
  readonly since: string;
  /** Exclusive. */
  readonly until: string;
}

/**
 * Every lease looks at deliveries this recent, milliseconds. Older ones are found by the sweep or by their retry's
 * timer.
 */
const FRESH_MS = DAY;
/** How far the database's clock may be ahead of ours without delaying deliveries, milliseconds. */
const MAX_CLOCK_LEAD_MS = HOUR;

/** The lowest id that a fresh delivery can have. */
export const freshSince = (): string => lowestIdAt(new Date(now().getTime() - FRESH_MS));

/** The deliveries from `since` until now. A lease reads only the partitions of these days. */
export const deliveriesSince = (since: string): DeliveryRange => ({
  since,
  until: lowestIdAt(new Date(now().getTime() + MAX_CLOCK_LEAD_MS)),
});
