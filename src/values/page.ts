/** One page of a list: `page` starts at 1, `limit` is the number of rows on it. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

/** Rows of one page and how many there are in all. */
export interface Paged<T> {
  readonly rows: T[];
  readonly total: number;
}

/** How many rows come before `page`, for OFFSET. */
export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit;
