import type { IncomingMessage, ServerResponse } from 'node:http';
import { EgressClient } from '../../src/egress/egress-client.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { MediaDownload } from '../../src/egress/media-download.js';
import { MEDIA_LIMITS, MEGABYTE, type MediaKind } from '../../src/egress/media-limits.js';
import { MediaProbe } from '../../src/egress/media-probe.js';
import { MediaSource } from '../../src/egress/media-source.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { crowd } from '../support/crowd.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { padded, SAMPLES } from '../support/media-samples.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Gives downloads more time than a probe does, because the server shares the process of the tests. */
class PatientClient extends EgressClient {
  override download(request: Parameters<EgressClient['download']>[0]): ReturnType<EgressClient['download']> {
    return super.download({ ...request, timeoutMs: 200_000, deadline: performance.now() + 200_000 });
  }
}

let server: LoopbackServer;
let client: EgressClient;
let probe: MediaProbe;
let download: MediaDownload;
const files = new Map<string, Answer>();

beforeAll(async () => {
  server = await LoopbackServer.start((request, response) => {
    const answer = files.get(request.url ?? '');
    if (answer) answer(request, response);
    else response.writeHead(404).end('no such file');
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  client = new PatientClient(new EgressGuard(['127.0.0.0/8'], new HostResolver()));
  const source = new MediaSource(client);
  probe = new MediaProbe(source);
  download = new MediaDownload(source);
  files.clear();
  server.requests.length = 0;
});
afterEach(() => client.onApplicationShutdown());

/** Serves `answer` under its own path and returns the URL. */
function serve(answer: Answer, name = `/file-${files.size}`): string {
  files.set(name, answer);
  return server.url(name);
}

/** Enough time for any download of these tests. */
const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal };
/** The headers of a file of that format. */
const headersOf = (sample: Buffer) => {
  const types: readonly (readonly [Buffer, string])[] = [
    [SAMPLES.PNG, 'image/png'],
    [SAMPLES.MP4, 'video/mp4'],
    [SAMPLES.OGG, 'audio/ogg'],
    [SAMPLES.PDF, 'application/pdf'],
  ];
  return { 'content-type': types.find(([each]) => each === sample)?.[1] ?? '' };
};
const PNG = headersOf(SAMPLES.PNG);

/** Ways in which a server may report, or hide, a file size of `size` bytes. */
const WAYS: Record<string, (sample: Buffer, size: number) => Answer> = {
  'by Content-Range': (sample, size) => (_request, response) => {
    const head = padded(sample, Math.min(size, 4096));
    const range = `bytes 0-${head.length - 1}/${size}`;
    response.writeHead(206, { ...headersOf(sample), 'content-range': range, 'content-length': head.length }).end(head);
  },
  'by Content-Length': (sample, size) => (_request, response) => {
    response.writeHead(200, { ...headersOf(sample), 'content-length': size });
    response.write(padded(sample, Math.min(size, 8192)));
  },
  'only by its last byte': (sample, size) => (_request, response) => {
    response.writeHead(200, headersOf(sample)).write(padded(sample, 8192));
    const filler = Buffer.alloc(MEGABYTE, sample === SAMPLES.TXT ? 32 : 0);
    let left = size - 8192;
    const more = () => {
      while (left > 0) {
        const part = Math.min(left, filler.length);
        left -= part;
        if (!response.write(filler.subarray(0, part))) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
  },
};

const refusal = (message: unknown) =>
  expect.objectContaining({ name: 'DomainError', code: 'bad_request', status: 400, message });

describe('size limits', () => {
  const kinds = Object.entries({
    image: ['PNG', 'an image', 5],
    video: ['MP4', 'a video', 16],
    audio: ['OGG', 'an audio file', 16],
    document: ['PDF', 'a document', 100],
  } as const);
  const cases = kinds.flatMap(([kind, [format, noun, megabytes]]) =>
    Object.keys(WAYS).map((way) => [kind, megabytes, way, format, noun] as const),
  );

  it.each(cases)(
    '%s: accepts exactly %i MB and rejects one byte more, shown %s',
    async (kind, mb, way, format, noun) => {
      const limit = mb * MEGABYTE;
      expect(MEDIA_LIMITS[kind as MediaKind].maxBytes).toBe(limit);
      const answer = WAYS[way] as (typeof WAYS)[string];
      const most = serve(answer(SAMPLES[format], limit));
      await expect(probe.probe(most, kind as MediaKind)).resolves.toMatchObject({ size: limit });
      const found = way === 'only by its last byte' ? `more than ${limit}` : limit + 1;
      await expect(probe.probe(serve(answer(SAMPLES[format], limit + 1)), kind as MediaKind)).rejects.toEqual(
        refusal(`media_url is ${found} bytes: ${noun} may have at most ${limit} bytes (${mb} MB)`),
      );
    },
  );

  it.each(Object.keys(WAYS))('rejects an empty file, shown %s', async (way) => {
    const empties: Record<string, Answer> = {
      'by Content-Range': (_request, response) => response.writeHead(416, { 'content-range': 'bytes */0' }).end(),
      'by Content-Length': (_request, response) => response.writeHead(200, { 'content-length': 0 }).end(),
      'only by its last byte': (_request, response) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked' }).end();
      },
    };
    await expect(probe.probe(serve(empties[way] as Answer), 'image')).rejects.toEqual(refusal('media_url is empty'));
  });

  it('requests only the first 4 KiB', async () => {
    let range: string | undefined;
    const url = serve((request, response) => {
      range = request.headers.range;
      response.writeHead(200, PNG).end(SAMPLES.PNG);
    });
    await expect(probe.probe(url, 'image')).resolves.toEqual({
      mimeType: 'image/png',
      size: SAMPLES.PNG.length,
      isAnimated: false,
    });
    expect(range).toBe('bytes=0-4095');
  });

  it.each([
    ['a range of unknown total', 206, { 'content-range': 'bytes 0-4095/*' }],
    ['a range without Content-Range', 206, {}],
    ['a range other than requested', 206, { 'content-range': 'bytes 5-10/100' }],
    ['a refusal of ranges', 416, {}],
  ] as const)('reads the whole file after %s', async (_what, status, headers) => {
    const url = serve((request, response) => {
      if (request.headers.range) response.writeHead(status, headers).end(padded(SAMPLES.PNG, 4096));
      else response.writeHead(200, PNG).end(padded(SAMPLES.PNG, 5000));
    });
    await expect(probe.probe(url, 'image')).resolves.toEqual({ mimeType: 'image/png', size: 5000, isAnimated: false });
  });
});

describe('formats', () => {
  const served = (sample: Buffer, headers: Record<string, string>) =>
    serve((_request, response) => response.writeHead(200, headers).end(padded(sample, 9000)));

  it('names the type of the content if that does not fit, whatever the headers say', async () => {
    await expect(probe.probe(served(SAMPLES.PDF, PNG), 'image')).rejects.toEqual(
      refusal('media_url is application/pdf: an image must be one of JPEG, PNG'),
    );
  });

  it.each([
    ['image', SAMPLES.JPEG, 'image/jpeg'],
    ['image', SAMPLES.PNG, 'IMAGE/PNG; name="a.png"'],
    ['video', SAMPLES.MP4, 'video/mp4;codecs=avc1'],
    ['audio', SAMPLES.OGG, 'audio/ogg; codecs=opus'],
    ['audio', SAMPLES.MP3, 'audio/mpeg'],
    ['document', SAMPLES.TXT, 'text/plain; charset=utf-8'],
    ['document', SAMPLES.PDF, ' application/pdf '],
  ] as const)('accepts %s %# by content and by the type under which it is served: %s', async (kind, sample, type) => {
    await expect(probe.probe(served(sample, { 'content-type': type }), kind)).resolves.toMatchObject({ size: 9000 });
  });

  it.each([
    ['image', SAMPLES.JPEG, 'application/octet-stream', 'an image only as image/jpeg, image/png'],
    ['image', SAMPLES.JPEG, 'image/jpg', 'an image only as image/jpeg, image/png'],
    ['image', SAMPLES.PNG, 'constructor', 'an image only as image/jpeg, image/png'],
    ['video', SAMPLES.MP4, 'audio/mp4', 'a video only as video/mp4'],
    [
      'audio',
      SAMPLES.OGG,
      'audio/opus; rate=48000',
      'an audio file only as audio/aac, audio/mpeg, audio/mp4, audio/amr, audio/ogg',
    ],
    ['document', SAMPLES.PDF, 'binary/octet-stream', 'a document only as application/pdf, application/msword'],
  ] as const)('rejects %s %# that is served as %s', async (kind, sample, type, only) => {
    const [declared] = type.split(';');
    await expect(probe.probe(served(sample, { 'content-type': type }), kind)).rejects.toEqual(
      refusal(expect.stringContaining(`media_url is served as ${declared}: the network takes ${only}`)),
    );
  });

  it('rejects a file that is served without a type', async () => {
    await expect(probe.probe(served(SAMPLES.PNG, {}), 'image')).rejects.toEqual(
      refusal(
        'media_url is served without a Content-Type: the network takes an image only as image/jpeg, image/png. ' +
          'Have its server send the right Content-Type',
      ),
    );
  });

  it('rejects an HTML page served as text', async () => {
    const page = serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('<!doctype html><h1>Sign in</h1>'),
    );
    await expect(probe.probe(page, 'document')).rejects.toEqual(
      refusal('media_url is text/html: a document must be one of PDF, DOC, DOCX, PPT, PPTX, TXT'),
    );
  });
});

describe('reachability', () => {
  it.each([400, 403, 404, 410, 500, 503, 204])('names HTTP status %i', async (status) => {
    const url = serve((_request, response) => response.writeHead(status).end());
    await expect(probe.probe(url, 'image')).rejects.toEqual(
      refusal(`Media download failed: media_url answered HTTP ${status}`),
    );
  });

  it.each([
    ['bytes 0-9/20', false],
    ['bytes 10-19/20', false],
    ['bytes 0-9/*', false],
    ['', false],
    [`bytes 0-${SAMPLES.PNG.length - 1}/${SAMPLES.PNG.length}`, true],
  ])('takes a part that was not asked for only if it is the whole file: %j', async (range, isWhole) => {
    const headers = { ...PNG, ...(range === '' ? {} : { 'content-range': range }) };
    const url = serve((_request, response) => response.writeHead(206, headers).end(SAMPLES.PNG));
    const size = download.withMedia(url, 'image', LIMITS, async (media) => media.size);
    if (isWhole) expect(await size).toBe(SAMPLES.PNG.length);
    else {
      await expect(size).rejects.toEqual(
        refusal(
          'Media download failed: media_url answered with a part of the file (HTTP 206), which was not asked for',
        ),
      );
    }
  });

  it('says that a file broke off', async () => {
    const url = serve((request, response) => {
      response.writeHead(200, { ...PNG, 'content-length': 90_000 }).write(padded(SAMPLES.PNG, 40_000));
      setTimeout(() => request.socket.end(), 20);
    });
    await expect(download.withMedia(url, 'image', LIMITS, async () => null)).rejects.toEqual(
      refusal('Media download failed: media_url closed the connection before the end of its response'),
    );
  });

  it('follows at most 3 redirects', async () => {
    const file = serve((_request, response) => response.writeHead(200, PNG).end(SAMPLES.PNG), '/file');
    for (const [from, to] of [3, 2, 1].map((left) => [left, left === 1 ? '/file' : `/left-${left - 1}`] as const)) {
      serve((_request, response) => response.writeHead(302, { location: to }).end(), `/left-${from}`);
    }
    const four = serve((_request, response) => response.writeHead(302, { location: '/left-3' }).end(), '/left-4');
    expect(file).toBe(server.url('/file'));
    await expect(probe.probe(server.url('/left-3'), 'image')).resolves.toMatchObject({ mimeType: 'image/png' });
    await expect(probe.probe(four, 'image')).rejects.toEqual(
      refusal('Media download failed: media_url redirects more than 3 times'),
    );
  });

  it('rejects private addresses, private redirects and malformed URLs, naming media_url', async () => {
    const away = serve((_request, response) => response.writeHead(301, { location: 'http://10.0.0.1/secret' }).end());
    await expect(probe.probe('http://10.0.0.1/a.png', 'image')).rejects.toEqual(
      refusal('media_url leads to an address that is not public'),
    );
    await expect(probe.probe(away, 'image')).rejects.toEqual(
      refusal('media_url redirects to a URL that leads to an address that is not public'),
    );
    await expect(probe.probe('nonsense', 'image')).rejects.toEqual(
      refusal('media_url must be a valid URL that starts with http:// or https://'),
    );
  });

  it('reports a closed connection', async () => {
    const url = serve((request) => request.socket.destroy());
    await expect(probe.probe(url, 'image')).rejects.toEqual(
      refusal('Media download failed: media_url closed the connection before it responded'),
    );
  });
});

describe('results', () => {
  it('are cached per URL and kind, and shared by parallel callers', async () => {
    const url = serve((_request, response) => response.writeHead(200, PNG).end(SAMPLES.PNG));
    const results = await crowd(20, () => probe.probe(url, 'image'), 20);
    expect(new Set(results).size).toBe(1);
    await probe.probe(url, 'image');
    expect(server.requests).toHaveLength(1);
    await expect(probe.probe(url, 'document')).rejects.toBeInstanceOf(DomainError);
    expect(server.requests).toHaveLength(2);
  });

  it('expire after 5 minutes', async () => {
    const url = serve((_request, response) => response.writeHead(200, PNG).end(SAMPLES.PNG));
    const clock = jest.spyOn(performance, 'now');
    const start = performance.now();
    const at = (ms: number) => clock.mockReturnValue(start + ms);
    try {
      at(0);
      await probe.probe(url, 'image');
      at(5 * 60_000 - 1);
      await probe.probe(url, 'image');
      expect(server.requests).toHaveLength(1);
      at(5 * 60_000);
      await probe.probe(url, 'image');
      expect(server.requests).toHaveLength(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('are not used when the file is to be looked at again; looks at the same time share a request', async () => {
    let type = PNG;
    const url = serve((_request, response) => response.writeHead(200, type).end(SAMPLES.PNG));
    await probe.probe(url, 'image');
    await Promise.all([1, 2, 3].map(() => probe.probeAgain(url, 'image')));
    expect(server.requests).toHaveLength(2);
    type = { 'content-type': 'application/octet-stream' };
    await expect(probe.probe(url, 'image')).resolves.toMatchObject({ mimeType: 'image/png' });
    await expect(probe.probeAgain(url, 'image')).rejects.toBeInstanceOf(DomainError);
    await expect(probe.probe(url, 'image')).rejects.toBeInstanceOf(DomainError);
  });

  it('are not cached when the probe failed', async () => {
    let healthy = false;
    const url = serve((_request, response) =>
      healthy ? response.writeHead(200, PNG).end(SAMPLES.PNG) : response.writeHead(503).end('later'),
    );
    await expect(probe.probe(url, 'image')).rejects.toBeInstanceOf(DomainError);
    healthy = true;
    await expect(probe.probe(url, 'image')).resolves.toMatchObject({ mimeType: 'image/png' });
  });
});

describe('a download for the network’s upload', () => {
  const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  it('returns all bytes on every read, with type, size and name', async () => {
    const content = padded(SAMPLES.JPEG, 3 * MEGABYTE);
    const url = serve((_request, response) => response.end(content), '/photos/Summer%20sale.jpeg?size=1');
    const seen = await download.withMedia(url, 'image', LIMITS, async (media) => {
      const { mimeType, size, fileName } = media;
      return { mimeType, size, fileName, first: await bytesOf(media.read()), second: await bytesOf(media.read()) };
    });
    expect(seen).toMatchObject({ mimeType: 'image/jpeg', size: 3 * MEGABYTE, fileName: 'Summer sale.jpg' });
    expect(seen.first.equals(content)).toBe(true);
    expect(seen.second.equals(content)).toBe(true);
  });

  it('uses the server’s file name without folders', async () => {
    const url = serve((_request, response) =>
      response
        .writeHead(200, { 'content-disposition': 'attachment; filename="../../etc/terms.of.use.pdf"' })
        .end(SAMPLES.PDF),
    );
    await expect(download.withMedia(url, 'document', LIMITS, async ({ fileName }) => fileName)).resolves.toBe(
      'terms.of.use.pdf',
    );
  });

  it('rejects a file that is too large, shorter than its Content-Length, or of the wrong type', async () => {
    const use = jest.fn(async () => undefined);
    const endless = serve((WAYS['only by its last byte'] as (typeof WAYS)[string])(SAMPLES.PNG, 5 * MEGABYTE + 1));
    await expect(download.withMedia(endless, 'image', LIMITS, use)).rejects.toEqual(
      refusal(expect.stringMatching(/^media_url is more than 5242880 bytes/)),
    );
    const broken = serve((_request, response) => {
      response.writeHead(200, { 'content-length': 9000 }).write(padded(SAMPLES.PNG, 8000), () => response.destroy());
    });
    await expect(download.withMedia(broken, 'image', LIMITS, use)).rejects.toEqual(
      refusal(expect.stringMatching(/^Media download failed: media_url closed the connection/)),
    );
    const page = serve((_request, response) => response.end('<html>'));
    await expect(download.withMedia(page, 'image', LIMITS, use)).rejects.toEqual(
      refusal(expect.stringMatching(/^media_url is text\/html/)),
    );
    expect(use).not.toHaveBeenCalled();
  });

  it('names the HTTP status', async () => {
    await expect(download.withMedia(server.url('/missing'), 'image', LIMITS, async () => undefined)).rejects.toEqual(
      refusal('Media download failed: media_url answered HTTP 404'),
    );
  });
});
