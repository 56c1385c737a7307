import { gzipSync } from 'node:zlib';
import type { LoopbackServer } from '../support/loopback-server.js';
import { padded, SAMPLES } from '../support/media-samples.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';
import { startWithFiles } from '../support/world-with-files.js';
import { openWindow, SEND_MESSAGE, sentUpstream } from './messages.js';

const PDF_FILE = padded(SAMPLES.PDF, 20_000);
const BOMB = gzipSync(Buffer.concat([SAMPLES.PNG, Buffer.alloc(100_000_000)]));

describe('sending a file by link', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let stop: () => Promise<void>;
  let contact: string;

  beforeAll(async () => {
    ({ world, server, stop } = await startWithFiles((request, response) => {
      const pdf = { 'content-type': 'application/pdf' };
      if (request.url === '/gzip.pdf') {
        response.writeHead(200, { ...pdf, 'content-encoding': 'gzip' }).end(gzipSync(PDF_FILE));
      } else if (request.url === '/zstd.pdf') {
        response.writeHead(200, { ...pdf, 'content-encoding': 'zstd' }).end(PDF_FILE);
      } else if (request.url === '/bomb.png') {
        response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(BOMB);
      } else if (request.url === '/moved') {
        const head = 'HTTP/1.1 302 Found\r\nLocation: /März.pdf\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
        request.socket.end(Buffer.from(head));
      } else if (request.url === '/M%C3%A4rz.pdf') {
        response.writeHead(200, pdf).end(PDF_FILE);
      } else {
        response.writeHead(404).end();
      }
    }));
    await world.simulator.behave({ statuses: [] });
    account = await world.account();
    contact = uniquePhone();
    await openWindow(world, account.phone, contact);
  });
  afterAll(() => stop());
  beforeEach(() => {
    server.requests.length = 0;
  });

  const send = (path: string, message_type = 'document') =>
    account.api.post(SEND_MESSAGE, { contact_phone: contact, message_type, media_url: server.url(path) });

  it('accepts one that its server encodes (200)', async () => {
    const link = server.url('/gzip.pdf');
    expect((await send('/gzip.pdf')).status).toBe(200);
    expect((await sentUpstream(world, account.phone)).at(-1)).toMatchObject({
      document: { link, filename: 'gzip.pdf' },
    });
  });

  it('follows a redirect to a name in UTF-8 (200)', async () => {
    expect((await send('/moved')).status).toBe(200);
    // The network fetches it too, later.
    expect(server.requests.slice(0, 2)).toEqual(['GET /moved', 'GET /M%C3%A4rz.pdf']);
  });

  it('refuses one that is too large once decoded (400)', async () => {
    const { status, body } = await send('/bomb.png', 'image');
    expect([status, body]).toEqual([
      400,
      {
        error: 'bad_request',
        message: 'media_url is more than 5242880 bytes: an image may have at most 5242880 bytes (5 MB)',
      },
    ]);
  });

  it('names an encoding that Parley cannot decode (400)', async () => {
    const { status, body } = await send('/zstd.pdf');
    expect([status, body]).toEqual([
      400,
      {
        error: 'bad_request',
        message:
          'media_url is encoded as zstd, which Parley cannot decode. Have its server send it without a Content-Encoding',
      },
    ]);
  });
});
