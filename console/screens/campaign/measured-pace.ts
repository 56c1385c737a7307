import { medianOf } from '../../parts/pace-curve.js';
import type { Progress } from './campaign-types.js';

/** What was sent in one interval. */
export interface MeasuredInterval {
  readonly at: string;
  readonly accepted: number;
  /** A second. */
  readonly rate: number;
}

/** How fast a campaign was sent. */
export interface Measured {
  readonly rows: readonly MeasuredInterval[];
  readonly from: string;
  /** When the last interval ends. */
  readonly to: string;
  /** A second, in half of the intervals in which something was sent. */
  readonly typical: number;
  readonly most: number;
  /** Whether it goes on. */
  readonly isOpen: boolean;
}

/** Rates of the intervals. The last one of a running campaign has only begun, and is left out if others are there. */
export function measuredPace({ bucket_seconds, buckets }: Progress, isRunning: boolean): Measured {
  const whole = isRunning && buckets.length > 1 ? buckets.slice(0, -1) : buckets;
  const rows = whole.map(({ at, accepted }) => ({ at, accepted, rate: accepted / bucket_seconds }));
  const rates = rows.map(({ rate }) => rate);
  const last = rows.at(-1)?.at ?? '';
  return {
    rows,
    from: rows[0]?.at ?? '',
    to: last === '' ? '' : new Date(Date.parse(last) + bucket_seconds * 1000).toISOString(),
    typical: medianOf(rates.filter((rate) => rate > 0)),
    most: Math.max(0, ...rates),
    isOpen: isRunning,
  };
}
