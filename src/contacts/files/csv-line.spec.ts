import fc from 'fast-check';
import { csvLine, guarded, unguarded } from './csv-line.js';

const text = fc.string({
  unit: fc.constantFrom("'", '"', ' ', '=', '+', '-', '@', '\t', '\r', '\n', ',', ';', '|', '＝', 'a', '\u00a0'),
  maxLength: 12,
});

describe('a CSV line', () => {
  it('quotes values that would break it', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', 'x;y', null, ''])).toBe(
      'a,"b,c","say ""hi""","two\nlines","x;y",,\n',
    );
  });

  it.each(['=1+1', '+49', '-2', '@SUM(A1)', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'])(
    'keeps spreadsheets from running %j',
    (cell) => {
      expect(guarded(cell)).toBe(`'${cell}`);
      expect(unguarded(`'${cell}`)).toBe(cell);
    },
  );

  it.each([
    ['Anna;=1+1', "Anna;'=1+1"],
    ['Anna,-1', "Anna,'-1"],
    ['Anna|@x', "Anna|'@x"],
    ['Anna\t+1', "Anna\t'+1"],
    ['Anna\n=1', "Anna\n'=1"],
    ['Anna\r\n=1', "Anna\r\n'=1"],
    ['Anna\r=1', "Anna\r'=1"],
    ['a;=1;b;-2', "a;'=1;b;'-2"],
    ['Anna;"=1"', 'Anna;"\'=1"'],
    ['"=1"', '"\'=1"'],
    [' =1; "" @x', ' \'=1; "" \'@x'],
    ['Anna;\t=1', "Anna;'\t'=1"],
    ['\t\t=1', "'\t'\t'=1"],
    ['Anna;\r', "Anna;'\r"],
    ['Anna;＋1,－1|＠x', "Anna;'＋1,'－1|'＠x"],
    ["'=1;''=2", "''=1;'''=2"],
  ])('guards %j after each separator and line break, even before quotes', (cell, safe) => {
    expect(guarded(cell)).toBe(safe);
    expect(unguarded(safe)).toBe(cell);
  });

  it('leaves no formula in any part of a cell, whichever separator a spreadsheet uses', () => {
    fc.assert(
      fc.property(text, (cell) => {
        const pieces = [csvLine([cell]), csvLine(['x', cell, 'y'])].flatMap((line) => line.split(/[,;|\t\r\n]/));
        expect(pieces.filter((piece) => /^[\s"]*[=+\-@＝＋－＠]/.test(piece))).toEqual([]);
      }),
    );
  });

  it.each(["O'Brien", "'tis", 'a=b', '', '4915123', 'a; b-c', 'Smith-Jones', "rock; 'n' roll"])(
    'leaves %j unchanged',
    (cell) => {
      expect(guarded(cell)).toBe(cell);
      expect(unguarded(cell)).toBe(cell);
    },
  );

  it('guards reversibly', () => {
    fc.assert(fc.property(text, (cell) => expect(unguarded(guarded(cell))).toBe(cell)));
  });

  it('stays fast on adversarial text', () => {
    const cell = `${' "'.repeat(100_000)};${"'".repeat(100_000)}`;
    expect(guarded(cell)).toBe(cell);
    expect(unguarded(cell)).toBe(cell);
  });
});
