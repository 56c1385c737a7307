import type { Readable } from 'node:stream';
import { badRequest } from '../../errors/domain-error.js';
import { CsvFault, type CsvRecord, splitRecords } from './csv-records.js';

const DELIMITERS = [',', ';', '\t'];
/** How much is read to find the end of the first line, characters. */
const MAX_HEAD = 64 * 1024;

/**
 * Reads a CSV stream and yields the records of each chunk. Accepts UTF-8 with or without a byte order mark, any line
 * endings, and commas, semicolons or tabs as separators (whichever is most frequent in the first line). Skips empty
 * lines.
 *
 * @throws DomainError `bad_request` naming the line when the file is malformed
 */
export async function* readCsv(bytes: Readable): AsyncGenerator<CsvRecord[]> {
  const text = decoded(bytes);
  const { head, delimiter } = await firstLine(text);
  let line = 1;
  let rest = '';
  const recordsOf = (piece: string, last: boolean): CsvRecord[] => {
    const split = asBadRequest(() => splitRecords(rest + piece, delimiter, line, last));
    ({ rest, line } = split);
    return split.records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  };
  for await (const piece of prepend(head, text)) yield recordsOf(piece, false);
  yield recordsOf('', true);
}

function asBadRequest<T>(work: () => T): T {
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

/** Reads until the first line is complete, and detects its delimiter. */
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

async function* prepend(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (head !== '') yield head;
  yield* rest;
}
