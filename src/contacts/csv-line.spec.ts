import fc from 'fast-check';
import { csvLine, guarded, unguarded } from './csv-line.js';

describe('a line of CSV', () => {
  it('quotes what would break it', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', 'x;y', null, ''])).toBe(
      'a,"b,c","say ""hi""","two\nlines","x;y",,\n',
    );
  });

  it.each(['=1+1', '+49', '-2', '@SUM(A1)', '\tx', '\rx'])('keeps spreadsheets from running %j', (cell) => {
    expect(guarded(cell)).toBe(`'${cell}`);
  });

  it.each(["O'Brien", "'tis", 'a=b', '', '4915123'])('leaves %j as it is', (cell) => {
    expect(guarded(cell)).toBe(cell);
    expect(unguarded(cell)).toBe(cell);
  });

  it('guards in a way that can be undone', () => {
    const cells = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', 'a') });
    fc.assert(fc.property(cells, (cell) => unguarded(guarded(cell)) === cell));
  });
});
