import { UNLIMITED } from './business-account.entity.js';

/** Messages per second after the network has upgraded a phone. */
export const UPGRADED_THROUGHPUT = 1000;

const QUALITIES: ReadonlySet<unknown> = new Set(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']);
const TIER = /^TIER_(\d{1,9})(K?)$/;
const MAX_LIMIT = 2 ** 31 - 1;

/** The network's quality rating, or null for an unknown value. */
export const qualityRating = (value: unknown): string | null => (QUALITIES.has(value) ? String(value) : null);

/** The messages per second of a throughput level; null for the standard level. */
export const upgradedThroughput = (level: unknown): number | null => (level === 'HIGH' ? UPGRADED_THROUGHPUT : null);

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
