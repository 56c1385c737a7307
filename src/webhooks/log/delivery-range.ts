import { lowestIdAt } from '../../database/schema/partitions.js';
import { DAY, HOUR, now } from '../../values/clock.js';

/** Deliveries by their ids, and so by the days on which they were made. */
export interface DeliveryRange {
  /** The lowest id. */
  readonly since: string;
  /** The first id that is not meant. */
  readonly until: string;
}

/** Every claim looks at deliveries made within this time. Older ones are found by the sweep, or by their retry's alarm. */
const FRESH_MS = DAY;
/** How far the database's clock may run ahead of ours without its deliveries being late. */
const MAX_CLOCK_LEAD_MS = HOUR;

/** The lowest id that a fresh delivery can have. */
export const freshSince = (): string => lowestIdAt(new Date(now().getTime() - FRESH_MS));

/** The deliveries from `since` until now. A claim opens the partitions of these days alone. */
export const deliveriesSince = (since: string): DeliveryRange => ({
  since,
  until: lowestIdAt(new Date(now().getTime() + MAX_CLOCK_LEAD_MS)),
});
