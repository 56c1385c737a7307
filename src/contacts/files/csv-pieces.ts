const ROWS_PER_STATEMENT = 2000;

/** What a CSV file is made of. */
export interface CsvRows<Row> {
  /** The first line. */
  readonly header: string;
  readonly lineOf: (row: Row) => string;
  /** Reads up to `limit` rows behind the last one, from the first on where that is null. */
  readonly read: (last: Row | null, limit: number) => Promise<Row[]>;
}

/**
 * A CSV file in pieces of some thousand rows: the header comes with the first of them, so that a failure to read any is known
 * before the answer begins.
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
