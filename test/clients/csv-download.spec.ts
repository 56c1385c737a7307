import { CsvDownload } from '../../clients/typescript/src/index.js';

const MARK = [0xef, 0xbb, 0xbf];
const LINE = [...Buffer.from('a\n')];

/** What a download holds whose bytes arrive in pieces of a size. */
async function read(bytes: readonly number[], size: number): Promise<{ stream: number[]; text: string }> {
  const response = (): Response => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      Uint8Array.from(bytes.slice(index * size, (index + 1) * size)),
    );
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    return new Response(body);
  };
  const stream: number[] = [];
  for await (const chunk of new CsvDownload(response()).stream) stream.push(...chunk);
  return { stream, text: await new CsvDownload(response()).text() };
}

describe('a download of a CSV file', () => {
  it.each([1, 2, 3, 4, 100])('comes without the byte order mark, in pieces of %i bytes', async (size) => {
    expect(await read([...MARK, ...LINE], size)).toEqual({ stream: LINE, text: 'a\n' });
    expect(await read(MARK, size)).toEqual({ stream: [], text: '' });
  });

  it.each([1, 2, 3, 100])('keeps all of a file without a mark, in pieces of %i bytes', async (size) => {
    for (const bytes of [LINE, [], [0xef], [0xef, 0xbb], [0xef, 0xbb, 0x41], [...LINE, ...MARK]]) {
      expect((await read(bytes, size)).stream).toEqual(bytes);
    }
  });
});
