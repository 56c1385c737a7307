import fc from 'fast-check';
import { csvLine, unguarded } from './csv-line.js';
import { CsvFault, splitRecords } from './csv-records.js';

const whole = (text: string) => splitRecords(text, ',', 1, true).records;

describe('a CSV file in chunks', () => {
  it('round-trips', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', ';', '"', '\n', '\r', '\r\n') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, (rows) => {
        expect(whole(rows.map(csvLine).join('')).map(({ cells }) => cells.map(unguarded))).toEqual(rows);
      }),
    );
  });

  it('yields the same records, lines and errors wherever it is split', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '""', '\n', '\r\n', '\r'), maxLength: 20 });
    const outcome = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        expect(error).toBeInstanceOf(CsvFault);
        return (error as CsvFault).message;
      }
    };
    fc.assert(
      fc.property(text, fc.nat(20), (file, cut) => {
        const pieces = outcome(() => {
          const first = splitRecords(file.slice(0, cut), ',', 1, false);
          const { records } = splitRecords(first.rest + file.slice(cut), ',', first.line, true);
          return [...first.records, ...records];
        });
        expect(pieces).toEqual(outcome(() => whole(file)));
      }),
      { numRuns: 2000 },
    );
  });
});
