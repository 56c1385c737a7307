/**
 * The start of a formula, as a spreadsheet would see it: one of its first characters, plain or full-width, at the start
 * of the cell or after any character that some spreadsheet splits cells at, optionally after spaces and quotes. Names
 * come from strangers' profiles, and whoever opens the file chooses the separator. The apostrophe that disarms a
 * formula goes after any apostrophes that are already there.
 */
const START = String.raw`(?<=^|[,;|\t\r\n])((?:[^\S\t\r\n]|")*'*)`;
const FORMULA = String.raw`(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])`;
const UNGUARDED = new RegExp(`${START}${FORMULA}`, 'g');
const GUARDED = new RegExp(`${START}'${FORMULA}`, 'g');
const NEEDS_QUOTES = /["\n\r,;]/;

/** Disarms formulas in a cell; {@link unguarded} is the inverse. */
export const guarded = (cell: string): string => cell.replace(UNGUARDED, "$1'");

/** Reverses {@link guarded}. */
export const unguarded = (cell: string): string => cell.replace(GUARDED, '$1');

/** Formats one line of a CSV file, with its line feed. Null becomes an empty cell. */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => quoted(guarded(cell ?? ''))).join(',')}\n`;

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
