import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { EgressClient } from '../../src/egress/egress-client.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { MediaDownload } from '../../src/egress/media-download.js';
import { MEGABYTE, type MediaKind } from '../../src/egress/media-limits.js';
import { MediaProbe } from '../../src/egress/media-probe.js';
import { MediaSource } from '../../src/egress/media-source.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { padded, SAMPLES } from '../support/media-samples.js';
import { ENCODINGS, encodingOf, inTurn } from './encodings.js';

const ZEROS = Buffer.alloc(100_000_000);
const BOMBS: readonly (readonly [string, Buffer])[] = [
  ['gzip', gzipSync(Buffer.concat([SAMPLES.PNG, ZEROS]))],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.concat([SAMPLES.PNG, ZEROS])))],
  ['br', brotliCompressSync(Buffer.concat([SAMPLES.PNG, ZEROS]), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
];
const PDF_FILE = padded(SAMPLES.PDF, 20_000);
const GZIP = encodingOf('gzip');
/** A file that hardly gets smaller. */
const noisy = (size: number): Buffer => Buffer.concat([SAMPLES.PDF, randomBytes(size)], size);

/** Gives downloads more time than a probe does, because the server shares the process of the tests. */
class PatientClient extends EgressClient {
  override download(request: Parameters<EgressClient['download']>[0]): ReturnType<EgressClient['download']> {
    return super.download({ ...request, timeoutMs: 200_000, deadline: performance.now() + 200_000 });
  }
}

describe('an encoded media file', () => {
  let server: LoopbackServer;
  let client: EgressClient;
  let probe: MediaProbe;
  let download: MediaDownload;
  let files: ((request: IncomingMessage, response: ServerResponse) => void)[];
  /** `Accept-Encoding` and `Range` of each request. */
  let asked: (readonly [string | undefined, string | undefined])[];

  beforeAll(async () => {
    server = await LoopbackServer.start((request, response) => {
      asked.push([request.headers['accept-encoding'] as string | undefined, request.headers.range]);
      files[Number(request.url?.slice(1))]?.(request, response);
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    client = new PatientClient(new EgressGuard(['127.0.0.0/8'], new HostResolver()));
    const source = new MediaSource(client);
    probe = new MediaProbe(source);
    download = new MediaDownload(source);
    files = [];
    asked = [];
  });
  afterEach(() => client.onApplicationShutdown());

  const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void): string => {
    files.push(answer);
    return server.url(`/${files.length - 1}`);
  };
  const served = (body: Buffer, encoding: string, type = 'application/pdf', length = true): string =>
    serve((_request, response) => {
      const headers = { 'content-type': type, 'content-encoding': encoding };
      response.writeHead(200, length ? { ...headers, 'content-length': body.length } : headers).end(body);
    });
  const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal };
  const downloaded = (url: string, kind: MediaKind = 'document') =>
    download.withMedia(url, kind, LIMITS, async ({ mimeType, size, read }) => ({
      mimeType,
      size,
      bytes: Buffer.concat(await read().toArray()),
    }));
  const refusal = (message: unknown) =>
    expect.objectContaining({ name: 'DomainError', code: 'bad_request', status: 400, message });

  const WAYS = [
    ...ENCODINGS,
    inTurn(GZIP, GZIP),
    inTurn(encodingOf('deflate'), encodingOf('br')),
    inTurn(encodingOf('br'), encodingOf('gzip with bytes behind it')),
  ];

  it.each(WAYS)('has type and size of its content: $name', async ({ header, encode }) => {
    const encoded = encode(PDF_FILE);
    for (const hasLength of [true, false]) {
      const url = served(encoded, header, 'application/pdf', hasLength);
      expect(await probe.probe(url, 'document')).toEqual({
        mimeType: 'application/pdf',
        size: PDF_FILE.length,
        isAnimated: false,
      });
      const { mimeType, size, bytes } = await downloaded(url);
      expect([mimeType, size]).toEqual(['application/pdf', PDF_FILE.length]);
      expect(bytes.equals(PDF_FILE)).toBe(true);
    }
    expect(asked).toEqual([
      ['gzip, deflate, br', 'bytes=0-4095'],
      ['gzip, deflate, br', undefined],
      ['gzip, deflate, br', 'bytes=0-4095'],
      ['gzip, deflate, br', undefined],
    ]);
  });

  it.each(Object.entries({ PNG: 'image/png', MP4: 'video/mp4', OGG: 'audio/ogg', PDF: 'application/pdf' } as const))(
    'is of the type of its content: %s',
    async (name, mimeType) => {
      const kind = mimeType === 'application/pdf' ? 'document' : (mimeType.split('/', 1)[0] as MediaKind);
      for (const { header, encode } of WAYS) {
        const content = padded(SAMPLES[name as keyof typeof SAMPLES], 9000);
        expect(await probe.probe(served(encode(content), header, mimeType), kind)).toMatchObject({
          mimeType,
          size: 9000,
        });
        // What is not encoded although its header says so stays as it is.
        expect(await probe.probe(served(content, header, mimeType), kind)).toMatchObject({ mimeType, size: 9000 });
      }
    },
  );

  it('is what it is, in any encodings, however large', async () => {
    const size = fc.integer({ min: 100, max: 300_000 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...WAYS), size, fc.boolean(), async ({ header, encode }, bytes, isNoisy) => {
        const file = isNoisy ? noisy(bytes) : padded(SAMPLES.PDF, bytes);
        const found = await downloaded(served(encode(file), header));
        expect(found.bytes.equals(file)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is asked for as a whole when its ranges are encoded', async () => {
    const encoded = GZIP.encode(PDF_FILE);
    const url = serve(({ headers: { range } }, response) => {
      const part = range === undefined ? encoded : encoded.subarray(0, 20);
      response.writeHead(range === undefined ? 200 : 206, {
        'content-type': 'application/pdf',
        'content-encoding': 'gzip',
        ...(range === undefined ? {} : { 'content-range': `bytes 0-19/${encoded.length}` }),
      });
      response.end(part);
    });
    expect(await probe.probe(url, 'document')).toMatchObject({ size: PDF_FILE.length });
    expect(asked.map(([, range]) => range)).toEqual(['bytes=0-4095', undefined]);
  });

  it('is a tar archive where one is served as gzip in gzip', async () => {
    const tar = Buffer.alloc(1024);
    tar.write('file.txt', 0);
    tar.write('ustar\u000000', 257, 'latin1');
    const url = served(gzipSync(tar), 'gzip', 'application/gzip');
    await expect(probe.probe(url, 'document')).rejects.toEqual(
      refusal(expect.stringContaining('media_url is application/x-tar: a document must be')),
    );
  });

  it('may be a text in another charset', async () => {
    const text = Buffer.from('Öffnungszeiten: ganzjährig geöffnet\r\n'.repeat(200), 'latin1');
    for (const type of ['text/plain; charset=iso-8859-1', 'text/plain; charset="windows-1252"']) {
      const probed = await probe.probe(served(GZIP.encode(text), 'gzip', type), 'document');
      expect(probed).toMatchObject({ mimeType: 'text/plain', size: text.length });
    }
    const page = Buffer.from('<html><p>Größe</p></html>', 'latin1');
    for (const [body, type, found] of [
      [text, 'text/plain', 'an unknown type'],
      [text, 'text/plain; charset=unknown', 'an unknown type'],
      [page, 'text/plain; charset=latin1', 'text/html'],
    ] as const) {
      await expect(probe.probe(served(GZIP.encode(body), 'gzip', type), 'document')).rejects.toEqual(
        refusal(expect.stringContaining(`media_url is ${found}: `)),
      );
    }
  });

  it.each(BOMBS)('is refused beyond its limit, however few bytes it has: %s', async (encoding, bomb) => {
    const url = served(bomb, encoding, 'image/png');
    const tooLarge = refusal(
      `media_url is more than ${5 * MEGABYTE} bytes: an image may have at most ${5 * MEGABYTE} bytes (5 MB)`,
    );
    await expect(probe.probe(url, 'image')).rejects.toEqual(tooLarge);
    await expect(downloaded(url, 'image')).rejects.toEqual(tooLarge);
  });

  it('may have exactly as many bytes as its limit, and no more', async () => {
    const most = padded(SAMPLES.PNG, 5 * MEGABYTE);
    const more = Buffer.concat([most, Buffer.alloc(1)]);
    for (const { header, encode } of WAYS.slice(0, 9)) {
      expect(await probe.probe(served(encode(most), header, 'image/png'), 'image')).toMatchObject({
        size: most.length,
      });
      await expect(probe.probe(served(encode(more), header, 'image/png'), 'image')).rejects.toEqual(
        refusal(expect.stringContaining('media_url is more than 5242880 bytes')),
      );
    }
  });

  it('is refused when nothing comes of many bytes', async () => {
    const url = serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/webp', 'content-encoding': 'deflate' });
      response.write(Buffer.from([0x78, 0x9c]));
      // Blocks of deflate with nothing in them.
      const block = Buffer.from('000000ffff'.repeat(9000), 'hex');
      const more = () => {
        while (response.write(block));
      };
      response.on('drain', more);
      more();
    });
    await expect(probe.probe(url, 'sticker')).rejects.toEqual(
      refusal(expect.stringContaining('is more than 512000 bytes')),
    );
  });

  it.each(['zstd', 'compress', 'gzip, gzip, gzip'])(
    'is refused in an encoding that nobody can read: %s',
    async (name) => {
      const unreadable = refusal(
        `media_url is encoded as ${name}, which Parley cannot decode. Have its server send it without a Content-Encoding`,
      );
      await expect(probe.probe(served(PDF_FILE, name), 'document')).rejects.toEqual(unreadable);
      await expect(downloaded(served(PDF_FILE, name))).rejects.toEqual(unreadable);
    },
  );

  it.each(['identity', 'utf-8', 'none'])('is as it is in an encoding that is none: %s', async (name) => {
    expect(await probe.probe(served(PDF_FILE, name), 'document')).toMatchObject({ size: PDF_FILE.length });
  });

  it.each([404, 503])('is refused for its status first: %i', async (status) => {
    const url = serve((_request, response) => response.writeHead(status, { 'content-encoding': 'zstd' }).end('no'));
    await expect(probe.probe(url, 'document')).rejects.toEqual(
      refusal(`Media download failed: media_url answered HTTP ${status}`),
    );
  });

  it('is found behind a redirect that is encoded', async () => {
    const file = served(GZIP.encode(PDF_FILE), 'gzip');
    for (const encoding of ['gzip', 'zstd']) {
      const url = serve((_request, response) =>
        response.writeHead(302, { location: file, 'content-encoding': encoding }).end('moved'),
      );
      expect(await probe.probe(url, 'document')).toMatchObject({ size: PDF_FILE.length });
    }
  });

  it('is empty when nothing is sent, or nothing is encoded', async () => {
    for (const body of [Buffer.alloc(0), gzipSync('')]) {
      await expect(probe.probe(served(body, 'gzip'), 'document')).rejects.toEqual(refusal('media_url is empty'));
    }
  });

  it('is what its first Content-Type says where there are two', async () => {
    const url = serve((_request, response) => {
      response.writeHead(200, [...['Content-Type', 'application/pdf'], ...['Content-Type', 'text/html']]).end(PDF_FILE);
    });
    expect(await probe.probe(url, 'document')).toMatchObject({ mimeType: 'application/pdf' });
  });

  it('is refused wherever it is cut off', async () => {
    const file = noisy(9000);
    // Two members of gzip may be one, and what is behind it may be missing.
    const ways = ENCODINGS.filter(({ name }) => !/members|behind/.test(name));
    const share = fc.double({ min: 0.02, max: 0.999, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ways), share, async ({ header, encode }, part) => {
        const encoded = encode(file);
        const coding = header.toLowerCase().replace('x-', '');
        await expect(downloaded(served(encoded.subarray(0, encoded.length * part), header))).rejects.toEqual(
          refusal(`Media download failed: media_url ended before its ${coding} content was complete`),
        );
      }),
      { numRuns: 80 },
    );
  });

  it('is refused when a byte of it is another', async () => {
    const file = noisy(9000);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('gzip', 'deflate'),
        fc.nat({ max: 100_000 }),
        fc.integer({ min: 1, max: 255 }),
        async (name, place, change) => {
          const { header, encode } = encodingOf(name);
          const encoded = Buffer.from(encode(file));
          const at = place % encoded.length;
          encoded[at] = (encoded[at] ?? 0) ^ change;
          const found = await downloaded(served(encoded, header)).then(
            ({ bytes }) => bytes.equals(file),
            ({ message }) => message,
          );
          // The time and the system in a header of gzip are nobody's business.
          if (found !== true)
            expect(found).toMatch(/media_url (?:has damaged|ended before its|is application|is an unknown)/);
        },
      ),
      { numRuns: 150 },
    );
  });
});
