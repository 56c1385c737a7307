import type { Readable } from 'node:stream';
import { badRequest } from '../../errors/domain-error.js';
import { CsvFault, type CsvRecord, splitRecords } from './csv-records.js';

const DELIMITERS = [',', ';', '\t'];
/** So much is read at most to find the end of the first line, characters. */
const MAX_HEAD = 64 * 1024;

/**
 * Reads a CSV file as it streams by, as many records at a time as stand in a piece of it: UTF-8 with or without a byte
 * order mark, cells separated by commas, semicolons or tabs (whichever its first line has most of), quoted where needed,
 * lines ended in any way; empty lines are passed over.
 *
 * @throws DomainError `bad_request` naming the line when the file is broken
 */
export async function* readCsv(bytes: Readable): AsyncGenerator<CsvRecord[]> {
  const text = decoded(bytes);
  const { head, delimiter } = await firstLine(text);
  let line = 1;
  let rest = '';
  const take = (piece: string, last: boolean): CsvRecord[] => {
    const split = splitting(() => splitRecords(rest + piece, delimiter, line, last));
    ({ rest, line } = split);
    return split.records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  };
  for await (const piece of joined(head, text)) yield take(piece, false);
  yield take('', true);
}

function splitting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof CsvFault ? badRequest(`the file is not valid CSV: ${error.message}`) : error;
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
  while (end === -1 && head.length < MAX_HEAD) {
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
