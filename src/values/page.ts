/** One page of a list: `limit` is the number of rows on it. */
export interface Page {
  /** From 1. Says nothing when there is a cursor. */
  readonly page: number;
  readonly limit: number;
  /** Walks the list instead of counting its pages. */
  readonly cursor?: Cursor | undefined;
}

/** A place in a list that stays where it is, whatever is inserted or deleted around it. */
export interface Cursor {
  /** Where the page before ended; null before the first row. */
  readonly after: Position | null;
}

/** The sort keys of a row, as text. */
export type Position = readonly string[];

/** The rows of one page and the total number of rows. */
export interface Paged<T> {
  readonly rows: T[];
  /** The number of matching rows; at most {@link MAX_TOTAL} in logs. */
  readonly total: number;
  /** Whether more rows match than `total` says. */
  readonly totalIsCapped?: boolean;
  /** Where the next page of a walk begins; null after the last. Absent without a cursor. */
  readonly next?: Position | null;
}

/** Logs count no further, because counting a year's rows would take seconds. */
export const MAX_TOTAL = 10_000;

/** The number of rows before `page`, for OFFSET. */
export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit;

/** The number of rows to read for a page. A walk reads one more, which tells whether there is a next page. */
export const rowsToRead = ({ limit, cursor }: Page): number => (cursor === undefined ? limit : limit + 1);

/** The rows that were read for a page, without the one too many, and where the next page begins. */
export function cutToPage<Row>(
  rows: Row[],
  { limit, cursor }: Page,
  positionOf: (row: Row) => Position,
): Pick<Paged<Row>, 'rows' | 'next'> {
  if (cursor === undefined) return { rows };
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? positionOf(last) : null };
}
