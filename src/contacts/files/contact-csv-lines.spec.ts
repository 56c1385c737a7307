import fc from 'fast-check';
import { isFault, readHeader, readRow, rulesOf } from './contact-csv.js';
import { csvLine } from './csv-line.js';
import { RecordSplitter } from './csv-records.js';

describe('records of several lines', () => {
  const NUMBER = '4915112345678';
  /** What the rows of a file are, or their errors; each with its line. */
  const read = (columns: readonly string[], file: string) => {
    const ofFile = readHeader(columns);
    const splitter = new RecordSplitter(',', rulesOf(ofFile, null));
    return [...splitter.split(file, true)].map((one) => readRow(ofFile, one, null));
  };
  const told = (columns: readonly string[], file: string) =>
    read(columns, file).map((one) => [one.line, isFault(one) ? one.phoneNumber : `ok ${one.phoneNumber}`]);
  const COLUMNS = ['phone_number', 'first_name', 'last_name', 'email'];

  it('tell of all rows that a quote has swallowed, also of short ones', () => {
    expect(told(COLUMNS, '4915112345671,"Ada\n4915112345672,Bob\n4915112345673,Eve"\n')).toEqual([
      [1, '4915112345671'],
      [2, 'ok 4915112345672'],
      [3, '4915112345673'],
    ]);
  });

  it.each([
    ['4915112345671,Ada,"L\nbanana,Bob,,\npear,Eve,,\n",not-an-email\n4915112345672,Eve\n', [1, 5]],
    ['4915112345671,"Ada\n4915112345672,Bob\npear,Eve",,not-an-email\n', [1]],
    ['49015112345671,"Ada\nbanana,Bob,,\nx",,\n4915112345672,Eve\n', [1, 4]],
    ['0151 1234567,Ann,"numbers:\n4915112345602,Bob\nprivate",\n', [1]],
    ['4915112345671,Ann,"numbers:\n4915112345602,Bob,,\nprivate",nobody\n', [1]],
    ['4915112345671,A\u0000nn,"\n4915112345602,Bob,,\n4915112345603,Cy,,\n",\n', [1]],
    [`4915112345671,${'x'.repeat(300)},"\n4915112345602,Bob,,\n4915112345603,Cy,,\n",\n`, [1]],
  ])('of the width of the header, %j, are one, whatever else is wrong with them', (file, lines) => {
    expect(read(COLUMNS, file).map(({ line }) => line)).toEqual(lines);
  });

  it.each([
    '4915112345671,Ann,"Family:\n4915112345672,Bob,son\n4915112345673,Cy,son\n"\n',
    '4915112345671,Ann,"4915112345672,Bob,son\n4915112345673,Cy,son"\n',
    '4915112345671,"Ann\n4915112345672,Bob,son",x\n',
  ])('of the width of the header and without a fault, %j, are what they say they are', (file) => {
    expect(told(['phone_number', 'first_name', 'notes'], file)).toEqual([[1, 'ok 4915112345671']]);
  });

  it.each([
    ['a name that gets too long', 1, COLUMNS],
    ['an e-mail address', 3, COLUMNS],
    ['a number', 0, COLUMNS],
    ['a column that is not read', 3, ['phone_number', 'first_name', 'last_name', 'notes']],
  ])(
    'that a quote makes in %s, and another one in the same column forty rows later, swallow nobody',
    (_, at, columns) => {
      const row = (line: number) => [`49151123456${line}`, 'Ada', 'Love', 'ada@example.com'];
      const rows = Array.from({ length: 40 }, (__, index) => row(10 + index));
      const [first, last] = [rows[0] ?? [], rows[39] ?? []];
      first[at] = `"${first[at]}`;
      last[at] += '"';
      const found = told(columns, rows.map((cells) => `${cells.join(',')}\n`).join(''));
      expect(found.map(([line]) => line)).toEqual(rows.map((__, index) => index + 1));
      expect(found.slice(1, 39).every(([, one]) => String(one).startsWith('ok'))).toBe(true);
    },
  );

  it('tell of every line of which one has lost a quote', () => {
    const cells = fc.record({ width: fc.integer({ min: 2, max: 4 }), rows: fc.integer({ min: 2, max: 5 }) });
    const place = fc.tuple(fc.nat(), fc.nat());
    fc.assert(
      fc.property(cells, place, place, ({ width, rows }, [row, cell], [later, end]) => {
        const opens = row % (rows - 1);
        const closes = opens + 1 + (later % (rows - 1 - opens));
        const table = Array.from({ length: rows }, (_, at) =>
          [`491511234567${at}`, 'Ada', 'Love', 'ada@example.com'].slice(0, width),
        );
        const [first, last] = [table[opens] ?? [], table[closes] ?? []];
        first[cell % width] = `"${first[cell % width]}`;
        // Where it closes behind a number, that may be the end of a note; where the record gets the width of the header, of a name.
        fc.pre(width + (cell % width) - (1 + (end % (width - 1))) !== COLUMNS.length || cell % width === 3);
        last[1 + (end % (width - 1))] += '"';
        const lines = read(COLUMNS, table.map((one) => `${one.join(',')}\n`).join('')).map(({ line }) => line);
        expect(lines).toEqual(table.map((_, at) => at + 1));
      }),
    );
  });

  it('stay one when they are meant, whatever their notes are and wherever they stand', () => {
    const word = fc.constantFrom(
      'Main St 1',
      'Berlin',
      '12345',
      NUMBER,
      '+49 151 1234567',
      'call "Bob"',
      '2026-01-15 10:00',
    );
    const line = fc
      .tuple(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(' ', ', ', '; ', ' – '),
        fc.constantFrom('', ',', '.'),
      )
      .map(([words, between, end]) => words.join(between) + end);
    const text = fc
      .tuple(
        fc.array(fc.oneof(line, fc.constant('')), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
      )
      .map(([lines, between]) => lines.join(between));
    const table = fc.record({
      columns: fc.shuffledSubarray(['phone_number', 'first_name', 'notes', 'address', 'x'], { minLength: 2 }),
      rows: fc.array(fc.array(text, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(table, ({ columns, rows }) => {
        const all = columns.includes('phone_number') ? columns : [...columns, 'phone_number'];
        const written = rows.map((texts, at) =>
          all.map((column, index) =>
            column === 'phone_number'
              ? `491511234567${at}`
              : column === 'first_name'
                ? 'Ada\nLove'
                : (texts[index] ?? ''),
          ),
        );
        expect(read(all, written.map(csvLine).join(''))).toMatchObject(
          rows.map((_, at) => ({ phoneNumber: `491511234567${at}` })),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
