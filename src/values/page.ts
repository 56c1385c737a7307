/** One page of a list: `page` starts at 1, `limit` is the number of rows on it. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

/** The rows of one page and the total number of rows. */
export interface Paged<T> {
  readonly rows: T[];
  readonly total: number;
}

/** The number of rows before `page`, for OFFSET. */
export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit;
