/** A spreadsheet would run such a cell as a formula; names come from strangers' profiles. */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;
const NEEDS_QUOTES = /["\n\r,;]/;

/** A cell that no spreadsheet takes for a formula; {@link unguarded} is its inverse. */
export const guarded = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** What {@link guarded} was given. */
export const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** One line of a CSV file, with its line feed. Null is an empty cell. */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => quoted(guarded(cell ?? ''))).join(',')}\n`;

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
