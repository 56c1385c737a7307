import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../../database/connections/transient-errors.js';
import { mapInSlices } from '../../runtime/slices.js';
import { SECOND } from '../../values/clock.js';

const ROWS_PER_STATEMENT = 2000;
/** How long a file that has begun waits for a database that is away or busy, milliseconds. */
const PATIENCE_MS = 30 * SECOND;
const PAUSE_MS = 500;

/** The source of a CSV file. */
export interface CsvRows<Row> {
  /** The first line. */
  readonly header: string;
  readonly lineOf: (row: Row) => string;
  /** Reads up to `limit` rows after `last`, or the first ones if `last` is null. */
  readonly read: (last: Row | null, limit: number) => Promise<Row[]>;
}

/**
 * Streams a CSV file in chunks of a few thousand rows. The first rows are read before the promise resolves, so that a
 * failing query is known before the response starts. Later ones are repeated for a while when the database is away or busy:
 * their failure could only tear the file.
 */
export async function csvPieces<Row>({ header, lineOf, read }: CsvRows<Row>): Promise<AsyncGenerator<string>> {
  const first = await read(null, ROWS_PER_STATEMENT);
  return (async function* () {
    let rows = first;
    yield header + (await mapInSlices(rows, lineOf)).join('');
    for (let last = rows.at(-1); rows.length === ROWS_PER_STATEMENT && last; last = rows.at(-1)) {
      rows = await patiently(() => read(last, ROWS_PER_STATEMENT));
      if (rows.length > 0) yield (await mapInSlices(rows, lineOf)).join('');
    }
  })();
}

async function patiently<T>(read: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isTransient(error) || performance.now() - startedAt > PATIENCE_MS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
