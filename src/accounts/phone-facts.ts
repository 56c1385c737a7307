import { UNLIMITED } from './business-account.entity.js';

/** Default throughput of a phone, messages per second. */
export const STANDARD_THROUGHPUT = 80;
/** Throughput of a phone whose number is also in the WhatsApp Business app, messages per second. */
export const COEXISTENCE_THROUGHPUT = 20;
/** Messages per second after the network has upgraded a phone. */
export const UPGRADED_THROUGHPUT = 1000;

const QUALITIES: ReadonlySet<unknown> = new Set(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']);
const TIER = /^TIER_(\d{1,9})(K?)$/;
const MAX_LIMIT = 2 ** 31 - 1;

/** The network's quality rating, or null for an unknown value. */
export const qualityRating = (value: unknown): string | null => (QUALITIES.has(value) ? String(value) : null);

/** Whether the number is also in the WhatsApp Business app on somebody's phone; null if the network does not say. */
export function coexistence(isOnBizApp: unknown, platformType: unknown): boolean | null {
  if (isOnBizApp === false) return false;
  return isOnBizApp === true && platformType === 'CLOUD_API' ? true : null;
}

/** What the network tells about the throughput of a phone. */
export interface ThroughputFacts {
  /** As {@link coexistence}. */
  readonly isCoexisting: boolean | null;
  readonly level?: unknown;
}

/**
 * The throughput of a phone that had `current`. The rates that we set ourselves follow the network; an operator's own
 * rate stays, except where it is above what coexistence allows.
 */
export function throughputFor(current: number, { isCoexisting, level }: ThroughputFacts): number {
  if (isCoexisting) return isAbove(current, COEXISTENCE_THROUGHPUT) ? COEXISTENCE_THROUGHPUT : current;
  const own = isCoexisting === false && current === COEXISTENCE_THROUGHPUT ? STANDARD_THROUGHPUT : current;
  return level === 'HIGH' && own === STANDARD_THROUGHPUT ? UPGRADED_THROUGHPUT : own;
}

/** Whether a throughput is above another; 0 is no limit. */
const isAbove = (throughput: number, limit: number): boolean => throughput === 0 || throughput > limit;

/**
 * Parses the network's messaging limit: a number of people, -1 for no limit, or a tier such as `TIER_2K`.
 *
 * @returns the number of people, {@link UNLIMITED}, or null for an unknown value
 */
export function messagingLimit(value: unknown): number | null {
  if (value === 'TIER_UNLIMITED' || value === UNLIMITED) return UNLIMITED;
  const [, digits, thousands] = (typeof value === 'string' && TIER.exec(value)) || [];
  const limit = digits === undefined ? value : Number(digits) * (thousands === 'K' ? 1000 : 1);
  return Number.isSafeInteger(limit) && (limit as number) >= 0 && (limit as number) <= MAX_LIMIT ? Number(limit) : null;
}
