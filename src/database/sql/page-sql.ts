import type { Paged } from '../../values/page.js';

/**
 * SQL that reads one page along indexes from the nearer end of the list, so that the last page costs as little as the
 * first, and a page in the middle at most half of the list. In the statement, $2 is the limit, $3 the offset, and the
 * CTE `counted` has the total number of rows in `found`.
 *
 * The limits are subqueries to hide their values from the planner, which would otherwise plan every page size anew.
 *
 * @param parts `SELECT … WHERE …` queries that make up the list; each must have an index in `order`, and they are
 * merged
 * @param order the sort columns, all descending
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

/** Each part has its own ORDER BY, because the planner only merges sorted parts. */
function merged(parts: readonly string[], order: string): string {
  if (parts.length === 1) return `${parts[0]} ${order}`;
  const ordered = parts.map((part) => `(${part} ${order})`).join('\n          UNION ALL ');
  return `SELECT * FROM (
          ${ordered}
        ) merged ${order}`;
}

/** A row of a page, together with the total number of rows. */
export type Counted<Row> = Row & { readonly found: number };

/**
 * Splits the result of a statement that joins a page to its total count. An empty page comes back as one row of nulls.
 *
 * @param key a column that is never null
 */
export function pagedRows<Row>(rows: readonly Counted<Row>[], key: keyof Row): Paged<Counted<Row>> {
  return { rows: rows.filter((row) => row[key] !== null), total: rows[0]?.found ?? 0 };
}
