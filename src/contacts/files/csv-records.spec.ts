import fc from 'fast-check';
import { csvLine, unguarded } from './csv-line.js';
import { RecordSplitter } from './csv-records.js';
import type { CsvRecord } from './read-record.js';
import type { RecordRules } from './swallowed-rows.js';

/** Rows of three cells, the first of which is a digit. */
const RULES: RecordRules = {
  width: 3,
  key: 0,
  isRead: () => true,
  isKey: (cell) => /^"?\d$/.test(cell),
  isFaultless: () => true,
};
const splitter = (isFaultless = true, isRead: RecordRules['isRead'] = RULES.isRead) =>
  new RecordSplitter(',', { ...RULES, isRead, isFaultless: () => isFaultless });
const whole = (text: string, isFaultless?: boolean): CsvRecord[] => [...splitter(isFaultless).split(text, true)];
const inPieces = (pieces: readonly string[], split = splitter()): CsvRecord[] => [
  ...pieces.flatMap((piece) => [...split.split(piece, false)]),
  ...split.split('', true),
];
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
        const filled = rows.filter((cells) => cells.some((one) => !/^ *$/.test(one)));
        expect(records.map(({ cells }) => cells.map(unguarded))).toEqual(filled);
        expect(records.every(({ fault }) => fault === null)).toBe(true);
      }),
    );
  });

  it('has the same records, lines and faults wherever it is cut', () => {
    const unit = fc.constantFrom('a', '1', ' ', ',', '"', '""', '\n', '\r\n', '\r');
    const rules = fc.record({ isFaultless: fc.boolean(), isRead: fc.boolean(), key: fc.nat(2) });
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), fc.nat(20), fc.nat(20), rules, (file, one, other, given) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const pieces = [file.slice(0, first), file.slice(first, second), file.slice(second)];
        const split = () =>
          new RecordSplitter(',', {
            ...RULES,
            key: given.key,
            isRead: (column) => given.isRead || column === 0,
            isFaultless: () => given.isFaultless,
          });
        expect(inPieces(pieces, split())).toEqual([...split().split(file, true)]);
      }),
      { numRuns: 5000 },
    );
  });

  it('loses no record behind a fault', () => {
    const good = fc.constantFrom('1,2', '"a","b"', '"a ""b""",c', ',x', 'x');
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

  it.each([
    ['a tab', '1,"b",\t"c"\t\n'],
    ['blanks', ' "1" ,"b"  ,   "c" \n'],
    ['blanks at the end of the file', '1, "b", "c"  '],
  ])('may have %s around cells in quotes', (_, file) => {
    expect(told(whole(file)).map(([, cells, fault]) => [String(cells).trim(), fault])).toEqual([['1|b|c', 'ok']]);
    expect(inPieces([...file])).toEqual(whole(file));
  });

  it.each([
    ['in a plain cell', '1,a,TV 42"\n2,b,c\n', '1|a|TV 42"'],
    ['behind one in quotes', '1,a,"big" TV, "x"\n2,b,c\n', '1|a|"big" TV|x'],
    ['twice', '1,a,5" x 7"\n2,b,c\n', '1|a|5" x 7"'],
    ['at the end', '1,a,"big" x', '1|a|"big" x'],
  ])('has a stray quote %s as it is where it does no harm', (_, file, cells) => {
    const isRead = (column: number) => column < 2;
    expect(told([...splitter(true, isRead).split(file, true)])[0]).toEqual([1, cells, 'ok']);
    expect(inPieces([...file], splitter(true, isRead))).toEqual([...splitter(true, isRead).split(file, true)]);
    expect(told(whole(file))[0]).toEqual([1, '1|a', STRAY_3]);
  });

  it.each([['1,a,5","x\n2,b,c\n'], ['1,a,"x\ny" z\n2,b,c\n'], ['1,a,"x\ny",5"\n2,b,c\n'], ['1,a,"x\n2,b,c\n']])(
    'has a stray quote as a fault beside a cell of several lines: %j',
    (file) => {
      const records = told([...splitter(true, (column) => column < 2).split(file, true)]);
      expect(records[0]?.[2]).toMatch(/^cell [34] has a stray/);
      expect(records.at(-1)?.slice(1)).toEqual(['2|b|c', 'ok']);
    },
  );

  it('names the key of a record whose cells in front of it cannot be read', () => {
    const split = () => new RecordSplitter(',', { ...RULES, key: 2 });
    const file = 'a"b,c,7,d\na"b,c,x,d\na"b,c\na"a,b,8\nx';
    expect([...split().split(file, true)].map(({ cells }) => cells[2])).toEqual([
      '7',
      undefined,
      undefined,
      '8',
      undefined,
    ]);
    expect(inPieces([...file], split())).toEqual([...split().split(file, true)]);
  });

  it('leaves out lines without a value, and counts them', () => {
    const file = '\n\r\n,,\n \t,"",\r\r1,a,b\n\n" ",\n2,,\n,,3\n""""\n,,';
    const expected = [
      [6, '1|a|b', 'ok'],
      [9, '2||', 'ok'],
      [10, '||3', 'ok'],
      [11, '"', 'ok'],
    ];
    expect(told(whole(file))).toEqual(expected);
    expect(told(inPieces([...file]))).toEqual(expected);
    for (const line of ['\n', ',,,,,,,\r\n', '"","",\n']) {
      const text = `${line.repeat(1_000_000)}1,a,b\n`;
      const before = process.cpuUsage();
      expect(told(whole(text))).toEqual([[1_000_001, '1|a|b', 'ok']]);
      expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
    }
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
