/** One record of a CSV file. */
export interface CsvRecord {
  /** Line on which it starts, from 1. */
  readonly line: number;
  readonly cells: string[];
}

/** What is wrong with a CSV file, and on which line the record starts that it is wrong in. */
export class CsvFault extends Error {
  constructor(problem: string, line: number) {
    super(`${problem}, in the record that starts at line ${line}`);
  }
}

/** Whole records at the start of a text, and what remains of it. */
export interface CsvPiece {
  readonly records: CsvRecord[];
  /** The start of a record whose end is still to come. */
  readonly rest: string;
  /** The line on which `rest` starts. */
  readonly line: number;
}

/** Longest record, characters; also bounds what an unclosed quote can swallow. */
const MAX_RECORD = 64 * 1024;
const LINE_END = /\r\n|\n|\r/g;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Splits a piece of a CSV file into records (RFC 4180): cells between delimiters, quoted where they hold one, a quote or a
 * line end; lines end with CRLF, LF or CR. By hand and on whole strings: an import takes seconds, and a parser that goes
 * byte by byte needs half a second of it and leaves tens of megabytes behind.
 *
 * @param line on which `text` starts
 * @param last whether the file ends with this text
 * @throws CsvFault where a quote does not belong or is not closed, or a record is too long
 */
export function splitRecords(text: string, delimiter: string, line: number, last: boolean): CsvPiece {
  const records: CsvRecord[] = [];
  let start = 0;
  while (start < text.length) {
    const record = readRecord(text, start, delimiter.charCodeAt(0), line, last);
    if ((record?.end ?? text.length) - start > MAX_RECORD) {
      throw new CsvFault(`more than ${MAX_RECORD} characters`, line);
    }
    if (record === null) break;
    records.push({ line, cells: record.cells });
    start = record.end;
    line += record.lines;
  }
  return { records, rest: text.slice(start), line };
}

interface FoundRecord {
  readonly cells: string[];
  /** Where the next one starts. */
  readonly end: number;
  readonly lines: number;
}

/** The record that begins at `start`; null when it is not all there yet. */
function readRecord(text: string, start: number, separator: number, line: number, last: boolean): FoundRecord | null {
  const cells: string[] = [];
  let lines = 1;
  for (let at = start; ; ) {
    let end: number;
    if (text.charCodeAt(at) === QUOTE) {
      const quoted = readQuoted(text, at + 1);
      if (quoted === null && last) throw new CsvFault('a quote is not closed', line);
      if (quoted === null) return null;
      cells.push(quoted.cell);
      lines += quoted.cell.match(LINE_END)?.length ?? 0;
      end = quoted.end;
    } else {
      end = endOfPlain(text, at, separator);
      if (text.charCodeAt(end) === QUOTE) throw new CsvFault('a quote in a cell that is not quoted', line);
      cells.push(text.slice(at, end));
    }
    // Behind the end of the text may come a second quote, or the line feed that belongs to a carriage return.
    if (end === text.length) return last ? { cells, end, lines } : null;
    const found = text.charCodeAt(end);
    if (found === LINE_FEED) return { cells, end: end + 1, lines };
    if (found === CARRIAGE_RETURN) {
      if (end + 1 === text.length && !last) return null;
      return { cells, end: text.charCodeAt(end + 1) === LINE_FEED ? end + 2 : end + 1, lines };
    }
    if (found !== separator) throw new CsvFault('something behind a closing quote', line);
    at = end + 1;
  }
}

/** Where a cell without quotes ends: at a delimiter, a line end, a quote that does not belong there, or with the text. */
function endOfPlain(text: string, from: number, separator: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LINE_FEED || code === CARRIAGE_RETURN || code === QUOTE) break;
  }
  return at;
}

/** The cell whose opening quote stands before `from`, doubled quotes undone, and where it ends; null without an end. */
function readQuoted(text: string, from: number): { cell: string; end: number } | null {
  let cell = '';
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    if (text.charCodeAt(quote + 1) !== QUOTE) return { cell: cell + text.slice(at, quote), end: quote + 1 };
    cell += text.slice(at, quote + 1);
    at = quote + 2;
  }
}
