import { cutToPage, MAX_TOTAL, type Page, type Paged, type Position } from '../../values/page.js';
import type { ListOrder } from './list-order.js';

/**
 * SQL that reads one page along indexes. By number, it reads from the nearer end of the list, so that the last page
 * costs as little as the first, and a page in the middle at most half of the list. In a walk it begins at the cursor.
 * In the statement, $2 and $3 are the parameters of `order`, and the CTE `counted` has the total number of rows in
 * `found`.
 *
 * The limits are subqueries to hide their values from the planner, which would otherwise plan every page size anew.
 *
 * @param parts `SELECT … WHERE …` queries that make up the list; each must have an index in `order`, and they are
 * merged
 */
export function pageFromNearerEnd(parts: readonly string[], order: ListOrder, page: Page): string {
  if (page.cursor !== undefined) {
    const behind = parts.map((part) => `${part} ${order.behind('$3')}`);
    return `${merged(behind, order.by())}
       LIMIT (SELECT $2::bigint)`;
  }
  return `(${merged(parts, order.by())}
        LIMIT (SELECT CASE WHEN $3::bigint <= found / 2 THEN $2::bigint ELSE 0 END FROM counted)
        OFFSET (SELECT $3::bigint))
       UNION ALL
       (${merged(parts, order.by('', true))}
        LIMIT (SELECT CASE WHEN $3::bigint > found / 2 THEN greatest(least($2::bigint, found - $3), 0) ELSE 0 END FROM counted)
        OFFSET (SELECT greatest(found - $3::bigint - $2::bigint, 0) FROM counted))`;
}

/**
 * SQL that reads one page along indexes, always from its beginning, so that the list need not be counted to its end. Its
 * parameters are those of {@link pageFromNearerEnd}.
 */
export function pageFromStart(parts: readonly string[], order: ListOrder, page: Page): string {
  if (page.cursor !== undefined) return pageFromNearerEnd(parts, order, page);
  return `${merged(parts, order.by())}
       LIMIT (SELECT $2::bigint) OFFSET (SELECT $3::bigint)`;
}

/** Each part has its own ORDER BY, because the planner only merges sorted parts. */
function merged(parts: readonly string[], order: string): string {
  if (parts.length === 1) return `${parts[0]} ${order}`;
  const ordered = parts.map((part) => `(${part} ${order})`).join('\n          UNION ALL ');
  return `SELECT * FROM (
          ${ordered}
        ) merged ${order}`;
}

/** A row with its place in the list. */
export type Positioned<Row> = Row & { readonly position: Position };

/** A row of a page, together with the total number of rows. */
export type Counted<Row> = Positioned<Row> & { readonly found: number };

/** {@link cutToPage} for rows with the column `position`. */
export const cutRows = <Row>(rows: Positioned<Row>[], page: Page): Pick<Paged<Positioned<Row>>, 'rows' | 'next'> =>
  cutToPage(rows, page, ({ position }) => position);

/**
 * Splits the result of a statement that joins a page to its total count. An empty page comes back as one row of nulls.
 *
 * @param key a column that is never null
 */
export function pagedRows<Row>(rows: readonly Counted<Row>[], key: keyof Row, page: Page): Paged<Counted<Row>> {
  const filled = rows.filter((row) => row[key] !== null);
  return { ...cutRows(filled, page), total: rows[0]?.found ?? 0 };
}

/** A statement that counts the rows of `matching`, `FROM … WHERE …`, as `found`, but no further than needed. */
export const countUpToMax = (matching: string): string =>
  `SELECT count(*)::integer AS found FROM (SELECT ${matching} LIMIT ${MAX_TOTAL + 1}) counted`;

/** The total that {@link countUpToMax} found. */
export const cappedTotal = (found: number): Pick<Paged<never>, 'total' | 'totalIsCapped'> =>
  found > MAX_TOTAL ? { total: MAX_TOTAL, totalIsCapped: true } : { total: found };
