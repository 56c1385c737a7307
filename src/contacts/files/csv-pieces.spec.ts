import { DatabaseUnavailable } from '../../database/connections/database-unavailable.js';
import { csvPieces } from './csv-pieces.js';

/** As many as a statement reads. */
const FULL = Array.from({ length: 2000 }, (_, index) => index);

describe('pieces of a CSV file', () => {
  const file = async (reads: (() => number[])[]): Promise<string[]> => {
    const lines: string[] = [];
    const read = async () => (reads.shift() ?? (() => []))();
    for await (const piece of await csvPieces({ header: 'n\n', lineOf: (n: number) => `${n}\n`, read })) {
      lines.push(...piece.trimEnd().split('\n'));
    }
    return lines;
  };
  const fails = (error: Error) => () => {
    throw error;
  };

  it('are complete when the database is busy after the first one', async () => {
    const busy = fails(new DatabaseUnavailable('too many requests are waiting for the database'));
    const lines = await file([() => FULL, busy, busy, () => [2000]]);
    expect(lines).toEqual(['n', ...[...FULL, 2000].map(String)]);
  });

  it.each([
    ['the first read', () => [fails(new DatabaseUnavailable('away'))]],
    ['a read that fails for good', () => [() => FULL, fails(new Error('no such column'))]],
  ])('end with the error of %s', async (_, reads) => {
    await expect(file(reads())).rejects.toThrow(/away|no such column/);
  });
});
