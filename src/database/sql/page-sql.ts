import type { Paged } from '../../values/page.js';

/**
 * The rows of one page, read along indexes from whichever end of the list is nearer: a page in the middle costs half of
 * the list, the last one as little as the first. $2 is the limit and $3 the offset of the statement, and its common table
 * expression `counted` has the number of all rows, `found`.
 *
 * Limits are subqueries, so that the planner does not see them: it would plan each page anew, for its size.
 *
 * @param parts SELECT … WHERE …, which make up the list; the order of each is given by an index, and they are merged
 * @param order columns by which the list is ordered, all of them descending
 */
export function pageFromNearerEnd(parts: readonly string[], order: readonly string[]): string {
  const newestFirst = `ORDER BY ${order.map((column) => `${column} DESC`).join(', ')}`;
  const oldestFirst = `ORDER BY ${order.join(', ')}`;
  return `(${merged(parts, newestFirst)}
        LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
        OFFSET (SELECT $3::bigint))
       UNION ALL
       (${merged(parts, oldestFirst)}
        LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
        OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))`;
}

/** The planner merges only parts that are in order by themselves. */
function merged(parts: readonly string[], order: string): string {
  if (parts.length === 1) return `${parts[0]} ${order}`;
  const ordered = parts.map((part) => `(${part} ${order})`).join('\n          UNION ALL ');
  return `SELECT * FROM (
          ${ordered}
        ) merged ${order}`;
}

/** A row of a page, with the number of all rows beside it. */
export type Counted<Row> = Row & { readonly found: number };

/**
 * What a statement found that joins a page to its count: a row for each, or one row of nulls when the page is empty.
 *
 * @param key a column that no row lacks
 */
export function pagedRows<Row>(rows: readonly Counted<Row>[], key: keyof Row): Paged<Counted<Row>> {
  return { rows: rows.filter((row) => row[key] !== null), total: rows[0]?.found ?? 0 };
}
