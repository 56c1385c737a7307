import { Readable } from 'node:stream';
import { readCsv } from './csv-reader.js';
import type { CsvRecord } from './csv-records.js';

/** Reads bytes that arrive in chunks of `size`. */
async function read(file: string | Buffer, size = 1 << 16): Promise<CsvRecord[]> {
  const bytes = Buffer.from(file);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const records: CsvRecord[] = [];
  for await (const some of readCsv(Readable.from(chunks))) records.push(...some);
  return records;
}
const cells = async (file: string | Buffer, size?: number) => (await read(file, size)).map((record) => record.cells);

describe('a CSV file', () => {
  const plain = [
    ['a', 'b'],
    ['1', 'zwei, "2"'],
  ];

  it.each([
    ['commas', 'a,b\n1,"zwei, ""2"""\n'],
    ['semicolons', 'a;b\n1;"zwei, ""2"""\n'],
    ['tabs', 'a\tb\n1\t"zwei, ""2"""\n'],
    ['a byte order mark', '\ufeffa,b\n1,"zwei, ""2"""\n'],
    ['quotes around every cell', '"a","b"\n"1","zwei, ""2"""'],
    ['CRLF', 'a,b\r\n1,"zwei, ""2"""\r\n'],
    ['CR', 'a,b\r1,"zwei, ""2"""\r'],
    ['empty lines', '\n\na,b\n\n1,"zwei, ""2"""\n\n,\n'],
  ])('may have %s', async (_, file) => {
    for (const size of [1, 2, 3, 1000]) expect(await cells(file, size)).toEqual(plain);
  });

  it('may split a character across chunks', async () => {
    for (const size of [1, 2, 3, 5]) expect(await cells('név\nŐ😀', size)).toEqual([['név'], ['Ő😀']]);
  });

  it('numbers lines as an editor does, by where a record starts', async () => {
    const file = 'a,b\r\n"two\r\nlines",x\r\n\r\n3,"x\ny\nz"\r\nlast,1';
    expect((await read(file)).map(({ line }) => line)).toEqual([1, 2, 5, 8]);
  });

  it('may be empty', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('\n \n')).toEqual([]);
  });

  it.each([
    ['an unclosed quote', 'a,b\n1,"2\n3,4\n', 'is not valid CSV: a quote is not closed'],
    ['a quote inside a cell', 'a,b\n1,x"2\n', 'at line 2'],
    ['text after a quote', 'a,b\n1,"2"x\n', 'at line 2'],
    ['a record beyond 64 KiB', `a,b\n1,"${'x'.repeat(70_000)}`, 'at line 2'],
    ['invalid UTF-8', Buffer.from([0x61, 0x0a, 0xff, 0x0a]), 'is not valid UTF-8'],
    ['a truncated character at the end', Buffer.from([0x61, 0x0a, 0xc3]), 'is not valid UTF-8'],
  ])('is rejected for %s (400)', async (_, file, message) => {
    await expect(read(file)).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining(message) });
  });

  it('that fails to arrive rejects with the original error', async () => {
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('a,b\n1,2\n');
        throw new Error('disk on fire');
      })(),
    );
    const reading = (async () => {
      for await (const _ of readCsv(failing));
    })();
    await expect(reading).rejects.toThrow('disk on fire');
  });
});
