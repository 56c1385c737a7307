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
/** Lines, cells and whether there is a fault. */
const told = (records: readonly CsvRecord[]) =>
  records.map(({ line, cells, fault }) => [line, cells.join('|'), fault === null ? 'ok' : fault.slice(0, 23)]);

const STRAY_2 = 'cell 2 has a stray quot';
const STRAY_3 = 'cell 3 has a stray quot';

describe('a record of several lines', () => {
  it('has a record of another width as a fault when one of its lines looks like a record', () => {
    const late = 'a quote seems to be clo';
    expect(told(whole('1,"a\n2,b,c\r\n3,d",e,f\n4,g,h\n'))).toEqual([
      [1, '1|a\n2,b,c\r\n3,d|e|f', late],
      [2, '2|b|c', 'ok'],
      [3, '3', STRAY_2],
      [4, '4|g|h', 'ok'],
    ]);
    expect(whole('1,"b\n2,c,d"')[0]?.fault).toContain('line 2 looks like a row');
    expect(whole('x\n1,"b\r\rno,c,d\n5,e,f\n"')[1]?.fault).toContain('line 5 looks like a row');
    for (const file of ['1,"b\n2, c"', '1,"b\nno,c,d"', '1,"b\n2,c,d,e"']) {
      expect(told(whole(file)).map(([line, , fault]) => [line, fault])).toEqual([[1, 'ok']]);
    }
  });

  it.each([
    ['1,a,"b\n2,c,d"'],
    ['1,a,"\n2,c,d\n3,e,f\n"'],
    ['1,"a\n2,b,c\r\n3,d,e",f'],
    ['1,"2,3,4\n5",6'],
    ['1,a,"b\n2,c"'],
    ['1,a,"b\nno,c,d"'],
  ])('has a record of the right width as it is, whatever its lines look like: %j', (file) => {
    for (const isFaultless of [true, false]) {
      expect(told(whole(`${file}\n4,e,f\n`, isFaultless)).map(([, cells, fault]) => [cells, fault])).toEqual([
        [expect.any(String), 'ok'],
        ['4|e|f', 'ok'],
      ]);
    }
  });

  it('reads one of the right width again when its lines are its fault, and most of them are rows', () => {
    const isFaultless = (cells: readonly string[]) => !cells.some((cell) => /[\r\n]|no/.test(cell));
    const read = (file: string) =>
      told([...new RecordSplitter(',', { ...RULES, isFaultless }).split(file, true)]).map(([line]) => line);
    expect(read('1,"a,x\n2,b,c\n3,d",e\n')).toEqual([1, 2, 3]);
    expect(read('1,"a,x\n2,b,c\n3\n3\n3\n3,d",e\n')).toEqual([1]);
    // Something else is wrong with it.
    expect(read('1,"a,x\n2,b,c\n3,d",no\n')).toEqual([1]);
  });

  it('reads one of the right width again when it has twenty lines in a column that is not read, and all are rows', () => {
    const rows = (count: number, last = '9,y,z"') =>
      `1,a,"x\n${Array.from({ length: count }, () => '2,b,c\n').join('')}${last}\n`;
    const lines = (file: string, isRead: RecordRules['isRead'] = (column) => column < 2) =>
      [...splitter(true, isRead).split(file, true)].length;
    expect(lines(rows(18))).toBe(20);
    expect(lines(rows(17))).toBe(1);
    expect(lines(rows(40, '"'))).toBe(1);
    expect(lines(rows(40).replace('2,b,c', 'x'))).toBe(1);
    expect(lines(rows(40), () => true)).toBe(1);
  });

  it('asks of few lines whether they are rows, however many there are', () => {
    let asked = 0;
    const isFaultless = (cells: readonly string[]) => {
      asked += 1;
      return cells.length === 2;
    };
    const records = (file: string) => [...new RecordSplitter(',', { ...RULES, isFaultless }).split(file, true)];
    expect(records(`1,"${'\n2,a'.repeat(100_000)}"\n`)).toMatchObject([{ line: 1, fault: null }]);
    expect(asked).toBeLessThan(30);
    asked = 0;
    expect(records(`1,"${'\n2,a'.repeat(20)}"\n`.repeat(5000))).toHaveLength(5000);
    expect(asked).toBeLessThanOrEqual(20_000 + 5000);
  });

  it.each([
    ['as many cells as stand in front of the quote', '1,"a\n2,b\n3,c"', 2],
    ['as many cells as the line of the quote', '1,"a,b,c\nx\n2,b,c,d"', 3],
    ['the quote that closes in it', '1,a,"b\n2,c",d', 2],
  ])('has one as a fault when a line with a number has %s', (_, file, line) => {
    const rules = { ...RULES, width: 5, isKey: (cell: string) => /^"?\d"?$/.test(cell) };
    const split = new RecordSplitter(',', rules);
    expect([...split.split(file, true)][0]?.fault).toContain(`line ${line} looks like a row`);
    // Unless the number is none.
    const strict = new RecordSplitter(',', { ...rules, isFaultless: () => false });
    expect([...strict.split(file, true)][0]?.fault).toBeNull();
  });

  it.each([
    ['a sentence in it begins with a number', '1,a,"b\n2, c, d\n3, c,\ne"'],
    ['its last line is a number', '1,"a\n2",b'],
    ['its own number stands behind its lines', '"a\nb",1,c', 1],
    ['a sentence holds a number where it has its own', '"a, 2, c\nb",1,c', 1],
  ])('has one of several lines as one when %s', (_, file, key = 0) => {
    const rules = { ...RULES, key, isKey: (cell: string) => /\d/.test(cell) };
    expect(told([...new RecordSplitter(',', rules).split(file, true)]).map(([line, , fault]) => [line, fault])).toEqual(
      [[1, 'ok']],
    );
  });

  it('reads a record of another width again from its second line if something is wrong with it', () => {
    const file = '1,"a\n2\ny,c,d"\n4,e\n';
    expect(told(whole(file, true))).toEqual([
      [1, '1|a\n2\ny,c,d', 'ok'],
      [4, '4|e', 'ok'],
    ]);
    expect(told(whole(file, false))).toEqual([
      [1, '1|a\n2\ny,c,d', 'ok'],
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
});
