/** One record of a CSV file. */
export interface CsvRecord {
  /** Line on which it starts, from 1. */
  readonly line: number;
  readonly cells: string[];
}

/** A syntax error in a CSV file, with the line on which its record starts. */
export class CsvFault extends Error {
  constructor(problem: string, line: number) {
    super(`${problem}, in the record that starts at line ${line}`);
  }
}

/** The complete records at the start of a text, and the rest. */
export interface CsvPiece {
  readonly records: CsvRecord[];
  /** The start of an incomplete record. */
  readonly rest: string;
  /** The line on which `rest` starts. */
  readonly line: number;
}

/** Longest record, characters. Also limits how much an unclosed quote can swallow. */
const MAX_RECORD = 64 * 1024;
const LINE_END = /\r\n|\n|\r/g;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Splits a chunk of a CSV file into records (RFC 4180): cells separated by delimiters, and quoted if they contain a
 * delimiter, quote or line break; lines end with CRLF, LF or CR. Handwritten and on whole strings, because a parser
 * that goes byte by byte adds half a second to a large import and leaves tens of megabytes of garbage.
 *
 * @param line on which `text` starts
 * @param last whether this is the end of the file
 * @throws CsvFault when a quote is misplaced or not closed, or a record is too long
 */
export function splitRecords(text: string, delimiter: string, line: number, last: boolean): CsvPiece {
  const records: CsvRecord[] = [];
  let start = 0;
  while (start < text.length) {
    const record = readRecord(text, start, delimiter.charCodeAt(0), line, last);
    if ((record?.end ?? text.length) - start > MAX_RECORD) {
      throw new CsvFault(`longer than ${MAX_RECORD} characters`, line);
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

/** Reads the record that begins at `start`; null when it is incomplete. */
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
      if (text.charCodeAt(end) === QUOTE) throw new CsvFault('a quote inside an unquoted cell', line);
      cells.push(text.slice(at, end));
    }
    // The next chunk may start with a second quote, or with the line feed after a carriage return.
    if (end === text.length) return last ? { cells, end, lines } : null;
    const found = text.charCodeAt(end);
    if (found === LINE_FEED) return { cells, end: end + 1, lines };
    if (found === CARRIAGE_RETURN) {
      if (end + 1 === text.length && !last) return null;
      return { cells, end: text.charCodeAt(end + 1) === LINE_FEED ? end + 2 : end + 1, lines };
    }
    if (found !== separator) throw new CsvFault('unexpected text after a closing quote', line);
    at = end + 1;
  }
}

/** Finds the end of an unquoted cell: a delimiter, a line end, a misplaced quote, or the end of the text. */
function endOfPlain(text: string, from: number, separator: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LINE_FEED || code === CARRIAGE_RETURN || code === QUOTE) break;
  }
  return at;
}

/** Reads the quoted cell whose content starts at `from`, and unescapes doubled quotes; null when it is not closed. */
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
