import { UNLIMITED } from './business-account.entity.js';

/** Messages per second of a phone after an upgrade by the network. */
export const UPGRADED_THROUGHPUT = 1000;

const QUALITIES: ReadonlySet<unknown> = new Set(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']);
const TIER = /^TIER_(\d{1,9})(K?)$/;
const MAX_LIMIT = 2 ** 31 - 1;

/** A rating of the network's, or null when it is none that we know. */
export const qualityRating = (value: unknown): string | null => (QUALITIES.has(value) ? String(value) : null);

/** The throughput that a level of the network's stands for, messages per second; null for the usual one. */
export const upgradedThroughput = (level: unknown): number | null => (level === 'HIGH' ? UPGRADED_THROUGHPUT : null);

/**
 * A messaging limit as the network writes it: a number of people, -1 for no limit, or a tier such as `TIER_2K`.
 *
 * @returns people, {@link UNLIMITED}, or null when it is neither
 */
export function messagingLimit(value: unknown): number | null {
  if (value === 'TIER_UNLIMITED' || value === UNLIMITED) return UNLIMITED;
  const [, digits, thousands] = (typeof value === 'string' && TIER.exec(value)) || [];
  const limit = digits === undefined ? value : Number(digits) * (thousands === 'K' ? 1000 : 1);
  return Number.isSafeInteger(limit) && (limit as number) >= 0 && (limit as number) <= MAX_LIMIT ? Number(limit) : null;
}
