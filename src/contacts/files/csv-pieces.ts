const ROWS_PER_STATEMENT = 2000;

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
 * failing query is known before the response starts.
 */
export async function csvPieces<Row>({ header, lineOf, read }: CsvRows<Row>): Promise<AsyncGenerator<string>> {
  const first = await read(null, ROWS_PER_STATEMENT);
  return (async function* () {
    let rows = first;
    yield header + rows.map(lineOf).join('');
    for (let last = rows.at(-1); rows.length === ROWS_PER_STATEMENT && last; last = rows.at(-1)) {
      rows = await read(last, ROWS_PER_STATEMENT);
      if (rows.length > 0) yield rows.map(lineOf).join('');
    }
  })();
}
