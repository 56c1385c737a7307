/**
 * Where a spreadsheet would read a formula: a character that begins one, in its plain or full-width form, at the start of
 * the cell or behind anything that some spreadsheet splits cells at, with spaces and quotes before it or not. Names come
 * from strangers' profiles, and which separator a spreadsheet goes by is a setting of whoever opens the file. The
 * apostrophe that keeps it from running goes behind the apostrophes that are there already.
 */
const START = String.raw`(?<=^|[,;|\t\r\n])((?:[^\S\t\r\n]|")*'*)`;
const FORMULA = String.raw`(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])`;
const UNGUARDED = new RegExp(`${START}${FORMULA}`, 'g');
const GUARDED = new RegExp(`${START}'${FORMULA}`, 'g');
const NEEDS_QUOTES = /["\n\r,;]/;

/** A cell that no spreadsheet takes for a formula; {@link unguarded} is its inverse. */
export const guarded = (cell: string): string => cell.replace(UNGUARDED, "$1'");

/** What {@link guarded} was given. */
export const unguarded = (cell: string): string => cell.replace(GUARDED, '$1');

/** One line of a CSV file, with its line feed. Null is an empty cell. */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => quoted(guarded(cell ?? ''))).join(',')}\n`;

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
