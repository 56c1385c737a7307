import type { Page } from './page.js';
import { offsetOf } from './page.js';

/** A stretch of a list that lies in one range of ids, with its exact length. */
export interface Stretch {
  readonly since: string;
  /** Exclusive. */
  readonly until: string;
  readonly found: number;
}

/** The rows that a page takes from one stretch. */
export interface Slice {
  readonly since: string;
  /** Exclusive. */
  readonly until: string;
  /** Rows to skip, from the end that `oldestFirst` names. */
  readonly skip: number;
  readonly take: number;
  /** Whether the oldest rows of the stretch are nearer to the page than the newest. */
  readonly oldestFirst: boolean;
}

/**
 * Finds out which stretches a page of a list covers, so that a page reads nothing before them and, within one, walks
 * from the nearer end.
 *
 * @param stretches newest first, as the list
 */
export function slicesOf(stretches: readonly Stretch[], page: Page): Slice[] {
  const slices: Slice[] = [];
  let before = offsetOf(page);
  let missing = page.limit;
  for (const { since, until, found } of stretches) {
    const take = Math.min(missing, found - before);
    if (take > 0) {
      const after = found - before - take;
      const oldestFirst = after < before;
      slices.push({ since, until, skip: oldestFirst ? after : before, take, oldestFirst });
      missing -= take;
    }
    before = Math.max(0, before - found);
  }
  return slices;
}
