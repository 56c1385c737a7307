import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { crowd } from '../support/crowd.js';
import { ENCODINGS, type Encoding, encodingOf, inTurn } from './encodings.js';
import { PATIENT, ScriptedServer } from './scripted-server.js';

const CAP = PATIENT.maxResponseBytes;
const ZEROS = Buffer.alloc(100_000_000);
const GZIP = encodingOf('gzip');
const JSON_BODY = Buffer.from('{"error":"order_id is unknown"}');

interface Sent {
  readonly encoding?: string;
  readonly status?: string;
  /** Instead of its length. */
  readonly framing?: string;
  readonly lineEnd?: string;
  readonly ends?: boolean;
}

describe('a response in memory', () => {
  let server: ScriptedServer;

  beforeAll(async () => {
    server = await ScriptedServer.start();
  });
  afterAll(() => server.stop());

  /** What becomes of an answer with these bytes, which come in pieces that begin at `cuts`. */
  async function answerTo(
    body: Buffer,
    { encoding, status = '422 No', framing = `Content-Length: ${body.length}`, lineEnd = '\r\n', ends = false }: Sent,
    cuts: readonly number[] = [],
  ) {
    const lines = [`HTTP/1.1 ${status}`, ...(encoding === undefined ? [] : [`Content-Encoding: ${encoding}`]), framing];
    const text = `${lines.join(lineEnd)}${lineEnd}${lineEnd}${body.toString('latin1')}`;
    const ats = [0, ...cuts.filter((at) => at < text.length).sort((one, other) => one - other), text.length];
    const pieces = ats.slice(1).map((to, index) => text.slice(ats[index], to));
    const response = await server.post(pieces, ends);
    return {
      status: response.status,
      body: response.body,
      note: response.oddities.join('; '),
      isCut: response.truncated,
    };
  }

  const whole = (body: Buffer, note: unknown = '') => ({ status: 422, body, note, isCut: false });

  it.each(ENCODINGS)('is decoded: $name', async ({ header, encode }) => {
    expect(await answerTo(encode(JSON_BODY), { encoding: header })).toEqual(whole(JSON_BODY));
  });

  it.each(ENCODINGS)('is decoded whatever its frame: $name', async ({ header, encode }) => {
    const untidy = await answerTo(encode(JSON_BODY), { encoding: header, lineEnd: '\n' });
    expect(untidy).toEqual(whole(JSON_BODY, 'lines that end without a carriage return'));
  });

  it('is decoded twice, and not a third time', async () => {
    const twice = inTurn(GZIP, encodingOf('br'));
    expect(await answerTo(twice.encode(JSON_BODY), { encoding: twice.header })).toEqual(whole(JSON_BODY));
    const thrice = inTurn(twice, GZIP);
    const body = thrice.encode(JSON_BODY);
    expect(await answerTo(body, { encoding: thrice.header })).toEqual(
      whole(body, 'more than two content encodings, "gzip, br, gzip"'),
    );
  });

  it('is what it is, in any encodings and any pieces, up to the cap', async () => {
    const encoding = fc.constantFrom<Encoding>(...ENCODINGS);
    const encodings = fc.oneof(
      encoding,
      fc.tuple(encoding, encoding).map((both) => inTurn(...both)),
    );
    const body = fc.oneof(
      fc.string({ minLength: 1, unit: 'grapheme', maxLength: 400 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ minLength: 1, maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
      // Compressed, it fits.
      fc.tuple(fc.nat({ max: 255 }), fc.integer({ min: 1, max: 5000 })).map(([byte, size]) => Buffer.alloc(size, byte)),
    );
    await fc.assert(
      fc.asyncProperty(
        encodings,
        body,
        fc.array(fc.nat({ max: 1200 }), { maxLength: 3 }),
        async (way, content, cuts) => {
          const encoded = way.encode(content);
          const found = await answerTo(encoded, { encoding: way.header }, cuts);
          expect(found.status).toBe(422);
          expect(found.note).toBe('');
          // Of what was cut off at the cap, nothing but the beginning is certain.
          expect(content.subarray(0, found.body.length)).toEqual(found.body);
          if (encoded.length <= CAP) {
            expect(found.body.length).toBe(Math.min(content.length, CAP));
            expect(found.isCut).toBe(content.length > CAP);
          } else {
            expect(found.isCut).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each(ENCODINGS)('shows what came of it before the cap: $name', async ({ header, encode }) => {
    // Words that are not repeated, so that 1 KiB is far from all of it.
    const words = Buffer.from(Array.from({ length: 2000 }, (_, at) => ((at * 7919) % 10_007).toString(36)).join(' '));
    const { body, note, isCut } = await answerTo(encode(words), { encoding: header });
    expect([note, isCut]).toEqual(['', true]);
    expect(body.length).toBeGreaterThan(CAP / 4);
    expect(words.subarray(0, body.length)).toEqual(body);
  });

  it('shows what came of it before it broke off, wherever that was', async () => {
    const content = Buffer.from('Every order needs an order_id. '.repeat(3));
    const encoded = GZIP.encode(content);
    await crowd(encoded.length - 1, async (at) => {
      const part = encoded.subarray(0, at + 1);
      const found = await answerTo(part, { encoding: 'gzip', framing: 'Content-Length: 5000', ends: true });
      expect(found).toMatchObject({ status: 422, note: 'a body that broke off', isCut: true });
      expect(content.subarray(0, found.body.length)).toEqual(found.body);
    });
  });

  it('says so when its content ends too early', async () => {
    const encoded = GZIP.encode(JSON_BODY);
    const found = await answerTo(encoded.subarray(0, -9), { encoding: 'gzip' });
    expect(found).toMatchObject({ note: 'gzip content that breaks off', isCut: true });
    expect(JSON_BODY.subarray(0, found.body.length)).toEqual(found.body);
  });

  it('shows content with a wrong checksum, and says so', async () => {
    const encoded = Buffer.from(GZIP.encode(JSON_BODY));
    encoded.writeUInt32LE(1, encoded.length - 8);
    expect(await answerTo(encoded, { encoding: 'gzip' })).toEqual({
      ...whole(JSON_BODY, 'damaged gzip content'),
      isCut: true,
    });
  });

  it.each(['gzip', 'x-gzip', 'deflate', 'br'])('is as it is where it is not encoded: %s', async (encoding) => {
    const coding = encoding.replace('x-', '');
    const note = `a body that is not ${coding}, though its Content-Encoding says so`;
    const some = [
      'ok',
      '[]',
      '{}',
      'no',
      '1',
      'true',
      'Hello',
      'success',
      'x^y',
      'a'.repeat(CAP),
      JSON_BODY.toString(),
    ];
    for (const text of some) {
      expect(await answerTo(Buffer.from(text), { encoding })).toEqual(whole(Buffer.from(text), note));
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme', maxLength: 300 }), async (text) => {
        // That is what Brotli makes of nothing.
        fc.pre(encoding !== 'br' || !/^[3579;=?]$/.test(text));
        // Control characters are what tells bytes from text.
        const body = Buffer.from(text.replace(/[\u0000-\u001f]/g, ' '));
        expect(await answerTo(body, { encoding })).toEqual(whole(body, note));
      }),
      { numRuns: 50 },
    );
  });

  it('is half decoded where it was encoded once, not twice', async () => {
    expect(await answerTo(GZIP.encode(JSON_BODY), { encoding: 'gzip, gzip' })).toEqual(
      whole(JSON_BODY, 'a body that is not gzip, though its Content-Encoding says so'),
    );
  });

  it('counts by its status whatever its bytes and its header are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('gzip', 'deflate', 'br', 'deflate, br', 'br, gzip', 'zstd', 'utf-8'),
        async (bytes, encoding) => {
          const body = Buffer.from(bytes);
          expect((await answerTo(body, { encoding, status: '200 OK' })).status).toBe(200);
          const seemsGzip = Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), body]);
          expect((await answerTo(seemsGzip, { encoding, status: '410 Gone' })).status).toBe(410);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is as it is in an unknown encoding, which is named', async () => {
    const note = 'an unknown content encoding, "zstd"';
    expect(await answerTo(JSON_BODY, { encoding: 'zstd' })).toEqual(whole(JSON_BODY, note));
  });

  it('is valid in the encoding that is none', async () => {
    expect(await answerTo(JSON_BODY, { encoding: 'identity' })).toEqual(whole(JSON_BODY));
  });

  it.each([
    ['an empty body', '422 No', 'Content-Length: 0', 422],
    ['no body', '204 No Content', 'X: y', 204],
    ['no body but a length', '304 Not Modified', 'Content-Length: 20', 304],
  ])('is empty with %s', async (_, status, framing, code) => {
    for (const encoding of ['gzip', 'br', 'zstd']) {
      const empty = await answerTo(Buffer.alloc(0), { encoding, status, framing });
      expect(empty).toEqual({ status: code, body: Buffer.alloc(0), note: '', isCut: false });
    }
  });

  it('is empty where nothing is encoded', async () => {
    for (const window of [10, 16, 18, 22, 24]) {
      const nothing = brotliCompressSync('', { params: { [constants.BROTLI_PARAM_LGWIN]: window } });
      expect(await answerTo(nothing, { encoding: 'br' })).toEqual(whole(Buffer.alloc(0)));
    }
  });

  it.each(ENCODINGS)('is decoded with a line end behind it: $name', async ({ header, encode }) => {
    const followed = Buffer.concat([encode(JSON_BODY), Buffer.from('\r\n')]);
    expect(await answerTo(followed, { encoding: header })).toEqual(whole(JSON_BODY));
  });

  it('is empty for HEAD', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n';
    const response = await server.client.request({ ...PATIENT, url: server.script('head', [head]), method: 'HEAD' });
    expect(response).toMatchObject({ status: 200, body: Buffer.alloc(0), oddities: [] });
  });

  it.each([
    ['gzip', gzipSync(ZEROS)],
    ['gzip, gzip', gzipSync(gzipSync(ZEROS))],
    ['br', brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
    ['gzip, br', brotliCompressSync(gzipSync(ZEROS))],
  ])('is bounded, however much a few bytes decode to: %s', async (encoding, bomb) => {
    const bounded = { status: 422, body: Buffer.alloc(CAP), note: '', isCut: true };
    await crowd(20, async () => expect(await answerTo(bomb, { encoding })).toEqual(bounded));
  });

  it('says so when its first encoding leaves too much for the second', async () => {
    const found = await answerTo(gzipSync(ZEROS.subarray(0, 900_000)), { encoding: 'gzip, gzip' });
    expect(found).toMatchObject({ status: 422, note: expect.stringMatching(/not gzip|too large/) });
  });

  it('is bounded in empty members of gzip', async () => {
    const members = Buffer.concat(Array.from({ length: 3000 }, () => gzipSync('')));
    const found = await answerTo(gzipSync(members), { encoding: 'gzip, gzip' });
    expect(found).toMatchObject({ status: 422, note: 'damaged gzip content', isCut: true });
  });
});
