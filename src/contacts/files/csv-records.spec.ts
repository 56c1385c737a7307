import fc from 'fast-check';
import { csvLine, unguarded } from './csv-line.js';
import { type CsvRecord, RecordSplitter } from './csv-records.js';

/** Rows of three cells, the first of which is a digit. */
const splitter = (isFaultless = true) =>
  new RecordSplitter(',', { width: 3, key: 0, isKey: (cell) => /^"?\d$/.test(cell), isFaultless: () => isFaultless });
const whole = (text: string, isFaultless?: boolean): CsvRecord[] => [...splitter(isFaultless).split(text, true)];
const inPieces = (pieces: readonly string[], isFaultless?: boolean): CsvRecord[] => {
  const split = splitter(isFaultless);
  return [...pieces.flatMap((piece) => [...split.split(piece, false)]), ...split.split('', true)];
};
/** Lines, cells and whether there is a fault. */
const told = (records: readonly CsvRecord[]) =>
  records.map(({ line, cells, fault }) => [line, cells.join('|'), fault === null ? 'ok' : fault.slice(0, 23)]);

const STRAY_1 = 'cell 1 has a stray quot';
const STRAY_2 = 'cell 2 has a stray quot';
const STRAY_3 = 'cell 3 has a stray quot';
const TOO_LONG = 'the row has more than 1';
const MIB = 1024 * 1024;

describe('a CSV file', () => {
  it('round-trips', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', ';', '"', '\n', '\r', '\r\n') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, (rows) => {
        const records = whole(rows.map(csvLine).join(''));
        expect(records.map(({ cells }) => cells.map(unguarded))).toEqual(rows);
        expect(records.every(({ fault }) => fault === null)).toBe(true);
      }),
    );
  });

  it('has the same records, lines and faults wherever it is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '""', '\n', '\r\n', '\r'), maxLength: 20 });
    fc.assert(
      fc.property(text, fc.nat(20), fc.nat(20), fc.boolean(), (file, one, other, isFaultless) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const pieces = [file.slice(0, first), file.slice(first, second), file.slice(second)];
        expect(inPieces(pieces, isFaultless)).toEqual(whole(file, isFaultless));
      }),
      { numRuns: 3000 },
    );
  });

  it('loses no record behind a fault', () => {
    const good = fc.constantFrom('1,2', '"a","b"', '"a ""b""",c', ',', 'x');
    const bad = fc.constantFrom('1,"2', 'a"b,c', '"a"b,c', '"', '1,2"');
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(good), bad, fc.array(good), end, (before, fault, after, lineEnd) => {
        // What begins with a quote would close one that is open, and then be at fault itself.
        const rest = after.map((line) => (line.startsWith('"') ? 'y' : line));
        const records = whole([...before, fault, ...rest].join(lineEnd));
        expect(records.map(({ line }) => line)).toEqual([...before, fault, ...rest].map((_, index) => index + 1));
        expect(records.filter((record) => record.fault !== null).map(({ line }) => line)).toEqual([before.length + 1]);
      }),
    );
  });

  it.each([
    [
      'a quote in a plain cell',
      '1,a"b\n2,c\n',
      [
        [1, '1', STRAY_2],
        [2, '2|c', 'ok'],
      ],
    ],
    [
      'text behind a closing quote',
      '"1" x,a\n2,c\n',
      [
        [1, '', STRAY_1],
        [2, '2|c', 'ok'],
      ],
    ],
    [
      'a quote that is never closed',
      '1,"a\n2,b\n3,c',
      [
        [1, '1', STRAY_2],
        [2, '2|b', 'ok'],
        [3, '3|c', 'ok'],
      ],
    ],
    [
      'a quote that the next one closes',
      '1,"a\r\n2,b\r\n3,"c"\r\n4,d\r\n',
      [
        [1, '1', STRAY_2],
        [2, '2|b', 'ok'],
        [3, '3|c', 'ok'],
        [4, '4|d', 'ok'],
      ],
    ],
    [
      'a quote at the very end',
      '1,a\n2,"',
      [
        [1, '1|a', 'ok'],
        [2, '2', STRAY_2],
      ],
    ],
    [
      'two such quotes',
      '"a\n"b\nc',
      [
        [1, '', STRAY_1],
        [2, '', STRAY_1],
        [3, 'c', 'ok'],
      ],
    ],
  ])('with %s goes on at the next line', (_, file, expected) => {
    expect(told(whole(file))).toEqual(expected);
  });

  it('has a record of several lines as a fault when one of them looks like a record', () => {
    const late = 'a quote seems to be clo';
    expect(told(whole('1,"a\n2,b,c\r\n3,d,e",f\n4,g,h\n'))).toEqual([
      [1, '1|a\n2,b,c\r\n3,d,e|f', late],
      [2, '2|b|c', 'ok'],
      [3, '3|d', STRAY_3],
      [4, '4|g|h', 'ok'],
    ]);
    expect(whole('1,a,"b\n2,c,d"')[0]?.fault).toContain('line 2 looks like a row');
    expect(whole('x\n1,a,"b\r\rno,c,d\n5,e,f\n"')[1]?.fault).toContain('line 5 looks like a row');
    for (const file of ['1,a,"b\n2,c"', '1,a,"b\nno,c,d"', '1,"2,3,4\n5",6', '1,a,"b\n2,c,d,e"']) {
      expect(told(whole(file)).map(([line, , fault]) => [line, fault])).toEqual([[1, 'ok']]);
    }
  });

  it.each([
    ['as many cells as stand in front of the quote', '1,"a\n2,b\n3,c"', 2],
    ['as many cells as the line of the quote', '1,"a,b,c\nx\n2,b,c,d"', 3],
    ['the quote that closes in it', '1,a,"b\n2,c",d', 2],
    ['its number within quotes in the first line', '0,"1,2\n3",4', 1],
  ])('has one as a fault when a line with a number has %s', (_, file, line) => {
    const key = file.startsWith('0') ? 2 : 0;
    const rules = { width: file.startsWith('0') ? 3 : 5, key, isKey: (cell: string) => /^"?\d"?$/.test(cell) };
    const split = new RecordSplitter(',', { ...rules, isFaultless: () => true });
    expect([...split.split(file, true)][0]?.fault).toContain(`line ${line} looks like a row`);
    // Unless the number is none.
    const strict = new RecordSplitter(',', { ...rules, isFaultless: () => false });
    if (key === 0) expect([...strict.split(file, true)][0]?.fault).toBeNull();
  });

  it.each([
    ['a sentence in it begins with a number', '1,a,"b\n2, c, d\n3, c,\ne"'],
    ['its last line is a number', '1,"a\n2",b'],
    ['its own number stands behind its lines', '"a\nb",1,c', 1],
    ['a sentence holds a number where it has its own', '"a, 2, c\nb",1,c', 1],
  ])('has one of several lines as one when %s', (_, file, key = 0) => {
    const rules = { width: 3, key, isKey: (cell: string) => /\d/.test(cell), isFaultless: () => true };
    expect(told([...new RecordSplitter(',', rules).split(file, true)]).map(([line, , fault]) => [line, fault])).toEqual(
      [[1, 'ok']],
    );
  });

  it('reads a record of several lines again from its second line if something is wrong with it', () => {
    const file = '1,"a\n2\ny,c,d",e\n4,e\n';
    expect(told(whole(file, true))).toEqual([
      [1, '1|a\n2\ny,c,d|e', 'ok'],
      [4, '4|e', 'ok'],
    ]);
    expect(told(whole(file, false))).toEqual([
      [1, '1|a\n2\ny,c,d|e', 'ok'],
      [2, '2', 'ok'],
      [3, 'y|c', STRAY_3],
      [4, '4|e', 'ok'],
    ]);
    expect(told(whole('1,"a\n2, b\ny",c,d\n', false)).map(([line]) => line)).toEqual([1, 2, 3]);
    // So are its lines that look like records but for their number.
    for (const lines of ['x,b,c\ny', 'x,b\ny', 'y\nx,b']) {
      expect(told(whole(`1,"a\n${lines}"\n4,e\n`, false)).map(([line]) => line)).toEqual([1, 2, 3, 4]);
    }
    // Where none of its lines may be a record, they are no faults of their own.
    for (const lines of ['x\ny,b,c,d', '\ny', 'x, b\nc, d']) {
      expect(told(whole(`1,"a\n${lines}"\n4,e\n`, false)).map(([line]) => line)).toEqual([1, 4]);
    }
    expect(told(whole('"1\n",b,c\n4,e\n', false)).map(([line]) => line)).toEqual([1, 3]);
  });

  it.each([
    ['in one line', `1,${'x'.repeat(MIB)},y\n2,b\n`, [[2, '2|b', 'ok']]],
    ['in one line that ends the file', `1,${'x'.repeat(MIB)}`, []],
    ['in a cell in quotes', `1,"${'x'.repeat(MIB)}"\r\n2,b\r\n`, [[2, '2|b', 'ok']]],
    [
      'behind a quote',
      `1,"a\n2,b\n3,${'x'.repeat(MIB - 20)}\n4,c\n5,d\n`,
      [
        [2, '2|b', 'ok'],
        [3, `3|${'x'.repeat(MIB - 20)}`, 'ok'],
        [4, '4|c', 'ok'],
        [5, '5|d', 'ok'],
      ],
    ],
  ])('has a record of more than a mebibyte %s as a fault, and goes on', (_, file, rest) => {
    const expected = [[1, '1', TOO_LONG], ...rest];
    // A quote that nothing closes before the end of a short file is stray.
    if (file.includes('5,d')) expect(told(whole(`${file}${'y'.repeat(30)}`)).slice(0, 5)).toEqual(expected);
    else expect(told(whole(file))).toEqual(expected);
    for (const size of [65_536, MIB - 1, MIB + 1]) {
      const pieces = Array.from({ length: Math.ceil(file.length / size) }, (__, index) =>
        file.slice(index * size, (index + 1) * size),
      );
      expect(inPieces(pieces)).toEqual(whole(file));
    }
  });

  it('has a record of more than 16,384 cells as a fault, and goes on', () => {
    const wide = Array.from({ length: 16_385 }, (_, index) => `${index}`);
    const records = whole(`${wide.slice(1).join(',')}\n${wide.join(',')}\n1,2\n`);
    expect(records.map(({ line, cells, fault }) => [line, cells.length, fault])).toEqual([
      [1, 16_384, null],
      [2, 16_384, 'the row has more than 16384 cells'],
      [3, 2, null],
    ]);
  });

  it('may have a record of a mebibyte', () => {
    const long = 'x'.repeat(MIB - 4);
    expect(told(whole(`1,${long}\r\n2,b`))).toEqual([
      [1, `1|${long}`, 'ok'],
      [2, '2|b', 'ok'],
    ]);
  });
});
