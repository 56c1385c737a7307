import fc from 'fast-check';
import iconv from 'iconv-lite';
import { encodingOf, type FileEncoding } from './csv-encoding.js';
import { type CsvColumns, readCsv } from './csv-reader.js';
import type { CsvRecord } from './read-record.js';

const KNOWN = ['phone', 'név', 'first'];
const COLUMNS: CsvColumns<readonly string[], CsvRecord> = {
  isKnown: (cell) => KNOWN.includes(cell),
  headerOf: (cells) => cells,
  rulesOf: ({ length }) => ({
    width: length,
    key: 0,
    isRead: () => true,
    isKey: (cell) => /^\d+$/.test(cell),
    isFaultless: () => true,
  }),
  rowOf: (_, record) => record,
};

/** Reads bytes that arrive in chunks of `size`; the header comes first. */
async function read(file: string | Buffer, size = 1 << 16): Promise<CsvRecord[]> {
  const bytes = Buffer.from(file);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const table = await readCsv(chunks(), await encodingOf(chunks), COLUMNS);
  if (table === null) return [];
  const records: CsvRecord[] = [{ line: 1, cells: table.header, fault: null }];
  for await (const some of table.rows) records.push(...some);
  return records;
}
const UTF_8: FileEncoding = { name: 'UTF-8', isBroken: false };
const cells = async (file: string | Buffer, size?: number) => (await read(file, size)).map((record) => record.cells);

describe('a CSV file', () => {
  const plain = [
    ['phone', 'b'],
    ['1', 'zwei, "2"'],
  ];

  it.each([
    ['commas', 'phone,b\n1,"zwei, ""2"""\n'],
    ['semicolons', 'phone;b\n1;"zwei, ""2"""\n'],
    ['tabs', 'phone\tb\n1\t"zwei, ""2"""\n'],
    ['a byte order mark', '\ufeffphone,b\n1,"zwei, ""2"""\n'],
    ['two byte order marks', '\ufeff\ufeffphone,b\n1,"zwei, ""2"""\n'],
    ['quotes around every cell', '"phone","b"\n"1","zwei, ""2"""'],
    ['CRLF', 'phone,b\r\n1,"zwei, ""2"""\r\n'],
    ['CR', 'phone,b\r1,"zwei, ""2"""\r'],
    ['empty lines', '\n\nphone,b\n\n1,"zwei, ""2"""\n\n,\n'],
    ['empty rows in front', ' ;;\r\n""\r\n,,\r\nphone,b\r\n1,"zwei, ""2"""\r\n'],
    ['its separator told', 'sep=,\r\nphone,b\r\n1,"zwei, ""2"""\r\n'],
    ['another separator told', 'sep=^\nphone^b\n1^"zwei, ""2"""\n'],
    ['a separator told with blanks behind it', 'sep=; \r\nphone;b\r\n1;"zwei, ""2"""\r\n'],
    ['a tab told by its name', 'sep=\\t\nphone\tb\n1\t"zwei, ""2"""\n'],
    ['a separator told that is none', 'sep=\nphone;b\n1;"zwei, ""2"""\n'],
    ['upright lines', 'phone|b\n1|"zwei, ""2"""\n'],
    ['a byte order mark behind what was put in front', '\r\n\ufeffsep=,\r\n\ufeffphone,b\r\n1,"zwei, ""2"""\r\n'],
    ['blanks in quotes in front', '" ","","\t"\nphone,b\n1,"zwei, ""2"""\n'],
    ['the end of a text in DOS', 'phone,b\r\n1,"zwei, ""2"""\r\n\u001a'],
    ['the end of a text in DOS, twice', 'phone,b\r\n1,"zwei, ""2"""\r\n\u001a\r\n\u001a\r\n'],
    ['the end of a text in DOS behind its last cell', 'phone,b\r\n1,"zwei, ""2"""\u001a'],
    ['a last block that NULs fill', `phone,b\n1,"zwei, ""2"""\u001a${'\u0000'.repeat(100)}`],
    ['blanks around its quotes', 'phone,b\n"1", "zwei, ""2""" \n'],
    ['the separator told in quotes, and saved again', '"sep=;",\r\nphone;b\r\n1;"zwei, ""2"""\r\n'],
    ['a separator told that it no longer has', 'SEP=;\n\nphone,b\n1,"zwei, ""2"""\n'],
  ])('may have %s', async (_, file) => {
    for (const size of [1, 2, 3, 1000]) expect(await cells(file, size)).toEqual(plain);
  });

  it.each([
    ['a column in quotes with others', 'phone;first;"Notes, internal, sales, service"\n1;Ann;x\n', 3],
    ['one column with a separator in its name', '"phone; or, mobile"\n1\n', 1],
    ['more columns with another one that are not known', 'phone;a, b, c, d\n1;2\n', 2],
    ['unknown columns alone', 'a;b,c,d\n1\n', 3],
    ['a quote that only one separator explains', 'phone\t"a, b; c; d"\n1\t2\n', 2],
  ])('is read by the separator that makes sense of a header with %s', async (_, file, width) => {
    for (const size of [1, 1000]) expect((await cells(file, size))[0]).toHaveLength(width);
  });

  it('may have a header that begins with a line break', async () => {
    for (const size of [1, 1000])
      expect(await cells('"\nphone",b\n1,2\n', size)).toEqual([
        ['\nphone', 'b'],
        ['1', '2'],
      ]);
  });

  it('may split a character across chunks', async () => {
    for (const size of [1, 2, 3, 5]) expect(await cells('név\nŐ😀', size)).toEqual([['név'], ['Ő😀']]);
  });

  it('numbers lines as an editor does, by where a record starts, from the header on', async () => {
    const file = 'phone,b\r\n"two\r\nlines",x\r\n\r\n3,"x\ny\nz"\r\nlast,1';
    for (const front of ['', '\r\n\r\n', 'sep=,\r\n', '\ufeff,,\n']) {
      for (const size of [1, 1000]) {
        expect((await read(front + file, size)).map(({ line }) => line)).toEqual([1, 2, 5, 8]);
      }
    }
    expect((await read('"phone",b,"two\nlines"\n1,2\n')).map(({ line }) => line)).toEqual([1, 3]);
  });

  it('has no line of its header as a row', async () => {
    for (const size of [1, 1000]) {
      const records = await read('phone,first,"notes\n1234567,x,y\n(internal)"\n1,2,3\n', size);
      expect(records.map(({ line, cells: [first] }) => [line, first])).toEqual([
        [1, 'phone'],
        [4, '1'],
      ]);
    }
  });

  it.each([
    ['without an end', 'phone'.padEnd(1_100_000, 'x')],
    ['of blanks without an end', ' '.repeat(1_100_000)],
    ['of separators without an end', ','.repeat(1_100_000)],
    ['of lines in quotes', `phone,"${'a,b;\n'.repeat(220_000)}`],
  ])('with a header %s keeps nobody waiting', async (_, file) => {
    let longest = 0;
    let turn = process.cpuUsage();
    let isOver = false;
    const watch = () => {
      longest = Math.max(longest, process.cpuUsage(turn).user);
      turn = process.cpuUsage();
      if (!isOver) setImmediate(watch);
    };
    watch();
    await read(`${file}\n1,2\n`).catch(() => undefined);
    isOver = true;
    // Microseconds of the processor, also what compiles: far more than a slice, far less than the seconds of a defect.
    expect(longest).toBeLessThan(2_000_000);
  });

  it.each(['', '\n \n', '\ufeff', 'sep=;\r\n', 'sep=;\r\n;;\r\n', ';;'])('may be empty, as %j is', async (file) => {
    for (const size of [1, 1000]) expect(await read(file, size)).toEqual([]);
  });

  it.each([
    ['a quote that is not closed', 'phone,"b\n1,2\n'],
    ['a quote inside a cell', 'phone,a"b\n1,2\n'],
    ['more than a mebibyte', `phone,${'x'.repeat(1024 * 1024)}\n1,2\n`],
    ['more than a mebibyte of blanks', `${' '.repeat(1024 * 1024 + 1)}phone\n1,2\n`],
  ])('whose header has %s is rejected (400)', async (_, file) => {
    const message = expect.stringMatching(/^the header is not valid CSV: /);
    await expect(read(file)).rejects.toMatchObject({ code: 'bad_request', message });
  });

  it.each([
    ['behind a quote that swallowed a mebibyte', `phone\n"${'1\n'.repeat(600_000)}`],
    ['that cannot be read', `phone\n${'1"2\n'.repeat(50_000)}`],
    ['in one piece of the file', `phone\n${'1\n'.repeat(20_000)}`],
  ])('gives records %s a thousand at a time, so that others have their turn', async (_, file) => {
    async function* whole(): AsyncGenerator<Buffer> {
      yield Buffer.from(file);
    }
    let pieces = 0;
    for await (const records of (await readCsv(whole(), UTF_8, COLUMNS))?.rows ?? []) {
      expect(records.length).toBeLessThanOrEqual(1000);
      pieces += 1;
    }
    expect(pieces).toBeGreaterThan(file.split('\n').length / 1001);
  });

  it('that fails to arrive rejects with the original error', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from('phone,b\n1,2\n');
      throw new Error('disk on fire');
    }
    const reading = (async () => {
      for await (const _ of (await readCsv(failing(), UTF_8, COLUMNS))?.rows ?? []);
    })();
    await expect(reading).rejects.toThrow('disk on fire');
    await expect(encodingOf(failing)).rejects.toThrow('disk on fire');
  });
});

describe('a CSV file in the encoding of another program', () => {
  const MANY = 'Zoë\n'.repeat(20);
  const ROWS = 'phone;first\r\n1;Jürgen – 5 €\r\n2;Œuvre\r\n';

  it.each([
    ['UTF-8', Buffer.from(ROWS)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${ROWS}`)],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${ROWS}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(ROWS, 'utf16le')],
    ['big-endian UTF-16 with a mark', Buffer.from(`\ufeff${ROWS}`, 'utf16le').swap16()],
    ['big-endian UTF-16 without one', Buffer.from(ROWS, 'utf16le').swap16()],
    ['Windows-1252', iconv.encode(ROWS, 'windows-1252')],
  ])('is read in %s', async (_, file) => {
    for (const size of [1, 3, 1000]) {
      expect(await cells(file, size)).toEqual([
        ['phone', 'first'],
        ['1', 'Jürgen – 5 €'],
        ['2', 'Œuvre'],
      ]);
    }
  });

  const faults = async (file: Buffer, size: number) =>
    (await read(file, size)).map(({ line, fault }) => [line, fault] as const);

  it.each([
    ['UTF-8', Buffer.concat([Buffer.from('phone\nJürgen\n'), Buffer.of(0xff), Buffer.from('\nŐ\ufffd\n')])],
    ['UTF-8', Buffer.concat([Buffer.from('\ufeffphone\nJ\n'), Buffer.of(0xfc, 0xfc), Buffer.from('\nA\n')])],
    [
      'Windows-1252',
      Buffer.concat([Buffer.from('phone\nJ'), Buffer.of(0xfc, 0x0a, 0x81, 0x0a), iconv.encode(MANY, 'windows-1252')]),
    ],
    ['UTF-16LE', Buffer.from('\ufeffphone\nJürgen\n\ud800\nA\n', 'utf16le')],
  ])('has the rows as faults that are not in %s, and no others', async (encoding, file) => {
    const fault = `the row has characters that are not in ${encoding}, as the rest of the file is`;
    for (const size of [1, 3, 1000]) {
      const [, second, third, ...rest] = await faults(file, size);
      expect([second, third]).toEqual([
        [2, null],
        [3, fault],
      ]);
      // U+FFFD is no fault of its own, but cannot be told from one in a broken file.
      if (encoding === 'Windows-1252') expect(rest.every(([, found]) => found === null)).toBe(true);
      else expect(rest).toEqual([[4, rest[0]?.[1] ?? null]]);
    }
  });

  it.each([
    ['Windows-1251', iconv.encode('phone,first\n1,Иван\n2,Ann\n', 'windows-1251')],
    ['Windows-1254', iconv.encode('phone,first\n1,Gülşen\n2,Ann\n', 'windows-1254')],
    ['GBK', iconv.encode('phone,first\n1,张伟\n2,Ann\n', 'gbk')],
  ])('has all rows beyond ASCII as faults in %s, which nothing tells apart', async (_, file) => {
    const fault =
      'the row has characters in an encoding that is not known: save the file in UTF-8, in Excel as “CSV UTF-8”';
    for (const size of [1, 3, 1000])
      expect((await faults(file, size)).slice(1, 3)).toEqual([
        [2, fault],
        [3, null],
      ]);
  });

  it('is read in UTF-16 without a mark whatever it begins with', async () => {
    const file = Buffer.from('Имя,phone\nИван,1\nĀĀ,2\n', 'utf16le');
    const expected = [
      ['Имя', 'phone'],
      ['Иван', '1'],
      ['ĀĀ', '2'],
    ];
    expect(await cells(file)).toEqual(expected);
    expect(await cells(Buffer.from(file).swap16())).toEqual(expected);
  });

  it('keeps U+FFFD where nothing is broken', async () => {
    expect(await read('phone\nA\ufffd\n')).toMatchObject([{}, { cells: ['A\ufffd'], fault: null }]);
  });

  it('is read in UTF-8 whatever its letters are', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((word) => word.replace(/["\r\n,;\t]/g, ''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1 }), fc.integer({ min: 1, max: 9 }), async (words, size) => {
        const found = await cells(`phone,x\n${words.map((word) => `1,${word}\n`).join('')}`, size);
        expect(found.slice(1).map(([, word]) => word)).toEqual(words);
      }),
    );
  });
});
