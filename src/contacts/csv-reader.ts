import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { badRequest } from '../errors/domain-error.js';

/** One record of a CSV file. */
export interface CsvRecord {
  /** Line on which it starts, from 1. */
  readonly line: number;
  readonly cells: string[];
}

/** Longest record, bytes; also bounds what an unclosed quote can swallow. */
const MOST_RECORD_BYTES = 64 * 1024;
const DELIMITERS = [',', ';', '\t'];
const LINE_ENDS = ['\r\n', '\n', '\r'];
const LINE_END = /\r\n|\n|\r/g;

/**
 * Reads a CSV file as it streams by: UTF-8 with or without a byte order mark, cells separated by commas, semicolons or
 * tabs (whichever its first line has most of), quoted where needed, lines ended in any way; empty lines are passed over.
 *
 * @throws DomainError `bad_request` naming the line when the file is broken
 */
export async function* readCsv(bytes: Readable): AsyncGenerator<CsvRecord> {
  const text = decoded(bytes);
  const { head, delimiter } = await firstLine(text);
  const parser = parse({
    delimiter,
    record_delimiter: LINE_ENDS,
    relax_column_count: true,
    max_record_size: MOST_RECORD_BYTES,
  });
  pipeline(Readable.from(joined(head, text)), parser, () => undefined);
  let line = 1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (cells.some((cell) => cell.trim() !== '')) yield { line, cells };
      line += 1 + linesWithin(cells);
    }
  } catch (error) {
    if (error instanceof CsvError) throw badRequest(`the file is not valid CSV: ${error.message.slice(0, 200)}`);
    throw error;
  }
}

async function* decoded(bytes: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) {
      const text = decoder.decode(chunk as Buffer, { stream: true });
      if (text !== '') yield text;
    }
    decoder.decode();
  } catch (error) {
    const invalid = (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw invalid ? badRequest('the file is not valid UTF-8') : error;
  }
}

/** As much text as holds the first line, and what separates the cells in it. */
async function firstLine(text: AsyncGenerator<string>): Promise<{ head: string; delimiter: string }> {
  let head = '';
  let end = -1;
  while (end === -1 && head.length < MOST_RECORD_BYTES) {
    const { value, done } = await text.next();
    if (done) break;
    head += value;
    end = head.search(/[\r\n]/);
  }
  const line = end === -1 ? head : head.slice(0, end);
  const count = (delimiter: string) => line.split(delimiter).length;
  return { head, delimiter: DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ',' };
}

async function* joined(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (head !== '') yield head;
  yield* rest;
}

const linesWithin = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + (cell.match(LINE_END)?.length ?? 0), 0);
