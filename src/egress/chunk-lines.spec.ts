import fc from 'fast-check';
import { ChunkLines } from './chunk-lines.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** What comes out of a body that arrives in such parts. */
function tidied(...parts: readonly (string | Buffer)[]): { text: string; isOdd: boolean } {
  const lines = new ChunkLines();
  const text = parts.map((part) => lines.feed(Buffer.from(part)).toString('latin1')).join('');
  return { text, isOdd: lines.isOdd };
}

/** Cut at such places, in parts of the whole. */
function cutAt(body: Buffer, places: readonly number[]): Buffer[] {
  const ends = places.map((place) => Math.floor(place * body.length)).sort((a, b) => a - b);
  return [...ends, body.length].map((end, index) => body.subarray(ends[index - 1] ?? 0, end));
}

const CANONICAL = '5\r\nhello\r\nd\r\n, other\nworld\r\n0\r\n\r\n';

describe('the lines of a chunked body', () => {
  it.each([
    CANONICAL,
    '0\r\n\r\n',
    '0005\r\nhello\r\n0\r\n\r\n',
    'A\r\n0123456789\r\na\r\n0123456789\r\n000\r\n\r\n',
    '5;a\r\nhello\r\n5;a=b;c=d\r\nhello\r\n0;a="b; \\"c\\""\r\n\r\n',
  ])('stay as they are if they are valid: %j', (body) => {
    expect(tidied(body)).toEqual({ text: body, isOdd: false });
    expect(tidied(...body)).toEqual({ text: body, isOdd: false });
    const chunk = latin1(body);
    expect(new ChunkLines().feed(chunk)).toBe(chunk);
  });

  it.each([
    ['blanks behind sizes', '5   \r\nhello\r\nd\t \r\n, other\nworld\r\n0  \r\n\r\n'],
    ['blanks in front of sizes', ' 5\r\nhello\r\n\td\r\n, other\nworld\r\n 0\r\n\r\n'],
    ['blanks around extensions', '5 ; a=b\r\nhello\r\nd; a = b ;c\r\n, other\nworld\r\n0 ;\r\n\r\n'],
    ['lines ended by LF', '5\nhello\r\nd;a=b\n, other\nworld\r\n0\n\r\n'],
    ['data followed by LF', '5\r\nhello\nd\r\n, other\nworld\n0\r\n\r\n'],
    ['a last line ended by LF', '5\r\nhello\r\nd\r\n, other\nworld\r\n0\r\n\n'],
    ['LF everywhere', '005\nhello\nD \n, other\nworld\n0\n\n'],
    ['trailers ended by LF', '5\r\nhello\r\nd\r\n, other\nworld\r\n0\r\nA: b\nC: d\r\n\r\n'],
  ])('are tidied: %s', (_, body) => {
    expect(tidied(body)).toEqual({ text: CANONICAL, isOdd: true });
    expect(tidied(...body)).toEqual({ text: CANONICAL, isOdd: true });
  });

  it('lose their trailers, which are nothing odd', () => {
    const body = '5\r\nhello\r\n0\r\nA: b\r\n c\r\nD:\r\n\r\n';
    expect(tidied(body)).toEqual({ text: '5\r\nhello\r\n0\r\n\r\n', isOdd: false });
    expect(tidied(...body)).toEqual({ text: '5\r\nhello\r\n0\r\n\r\n', isOdd: false });
  });

  it.each(['HTTP/1.1 200 OK\r\n\r\n5 \r\n', '\r\n', '\n5 \n'])('end with the last chunk, followed by %j', (rest) => {
    expect(tidied(`0\r\n\r\n${rest}`)).toEqual({ text: `0\r\n\r\n${rest}`, isOdd: false });
    expect(tidied(`0 \n\n${rest}`)).toEqual({ text: `0\r\n\r\n${rest}`, isOdd: true });
  });

  it.each([
    'hello\r\n5 \r\n',
    '\r\n5 \r\n',
    '5 5\r\n5 \r\n',
    '0x5\r\n5 \r\n',
    '-5\r\n5 \r\n',
    '5\r\r\n5 \r\n',
    '5;a\rb\r\n5 \r\n',
    '5;a\u0000\r\n5 \r\n',
    '20000000000000 \r\n5 \r\n',
    `${'f'.repeat(400)} \r\n5 \r\n`,
    '5\r\nhello!\r\n5 \r\n',
    '5\r\nhello\r5 \r\n',
    '5\r\nhello \r\n5 \r\n',
    `${' '.repeat(16_384)}5\r\n5 \r\n`,
    '5'.repeat(40_000),
    `5;${'a'.repeat(17_000)}\r\n5 \r\n`,
  ])('are left alone from where nobody knows what they mean (case %#)', (body) => {
    expect(tidied(body)).toEqual({ text: body, isOdd: false });
    expect(tidied(...body)).toEqual({ text: body, isOdd: false });
    expect(tidied(`3 \nabc\n${body}`)).toEqual({ text: `3\r\nabc\r\n${body}`, isOdd: true });
  });

  it('takes sizes as large as numbers are exact', () => {
    expect(tidied('1fffffffffffff \nhello', '5 \n')).toEqual({ text: '1fffffffffffff\r\nhello5 \n', isOdd: true });
  });

  it('does not read trailers without end', () => {
    const lines = new ChunkLines();
    const trailer = 'a: b\r\n'.repeat(1000);
    const parts = ['0\r\n', ...Array<string>(10).fill(trailer)].map((part) => lines.feed(latin1(part)).length);
    expect(parts.slice(0, 3)).toEqual([3, 0, 0]);
    // From the middle of the third one on.
    expect(parts.slice(4)).toEqual(Array<number>(7).fill(trailer.length));
  });

  const data = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
  // Bytes that look like lines, too.
  const deceptive = fc.string({
    unit: fc.constantFrom('\r', '\n', '0', '5', ' ', ';', 'x'),
    minLength: 1,
    maxLength: 12,
  });
  const bodies = fc.array(fc.oneof(data, deceptive), { maxLength: 8 });
  const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
  const blanks = fc.constantFrom('', '', ' ', '\t', '    ');
  const lineEnd = fc.constantFrom('\r\n', '\r\n', '\n');

  it('come out as they were if they are valid, wherever they are cut', () => {
    const size = fc.constantFrom(
      (length: number) => length.toString(16),
      (length: number) => length.toString(16).toUpperCase().padStart(8, '0'),
      (length: number) => `${length.toString(16)};a=b;c="\t; \u00e9\\""`,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(data, deceptive), size)), size, places, (chunks, last, cuts) => {
        const body = `${chunks.map(([text, write]) => `${write(text.length)}\r\n${text}\r\n`).join('')}${last(0)}\r\n\r\n`;
        expect(tidied(...cutAt(latin1(body), cuts))).toEqual({ text: body, isOdd: false });
      }),
    );
  });

  it('come out canonical with the same body, however untidy and wherever they are cut', () => {
    const line = fc.tuple(blanks, blanks, fc.constantFrom('', '', ';a=b', '; a="b" ; c', ';'), lineEnd, lineEnd);
    const trailers = fc.array(fc.tuple(fc.constantFrom('A: b', 'C:', ' folded', 'nonsense'), lineEnd), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(
        bodies,
        fc.array(line, { minLength: 9, maxLength: 9 }),
        trailers,
        places,
        (chunks, lines, ends, cuts) => {
          const written = [...chunks, ''].map((text, index) => {
            const [before, behind, extension, end, dataEnd] = lines[index] ?? ['', '', '', '\r\n', '\r\n'];
            // Even in a tidy line, so that all of them come out alike.
            const size = `${before} ${text.length.toString(16)}${behind}${extension}${end}`;
            return text === ''
              ? `${size}${ends.map((parts) => parts.join('')).join('')}${dataEnd}`
              : `${size}${text}${dataEnd}`;
          });
          const canonical = chunks.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('');
          const rest = '\n 5 \n';
          const body = latin1(written.join('') + rest);
          expect(tidied(...cutAt(body, cuts))).toEqual({ text: `${canonical}0\r\n\r\n${rest}`, isOdd: true });
        },
      ),
    );
  });

  it('never lose or add anything but in lines, whatever arrives', () => {
    const parts = fc.constantFrom('5', '0', '\r', '\n', ' ', ';', 'x', 'abcde', '\u0000', '1fffffffffffff');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 60 }), places, (some, cuts) => {
        const body = latin1(some.join(''));
        const whole = tidied(body);
        // Part of a line is kept back until the rest of it arrives.
        expect(tidied(...cutAt(body, cuts))).toEqual(whole);
      }),
    );
  });
});
