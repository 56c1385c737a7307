import { brotliCompressSync, gzipSync } from 'node:zlib';
import { LoopbackServer } from '../support/loopback-server.js';
import { type TestAccount, World } from '../support/world.js';
import { emit, event, settledDeliveries, subscribe } from './events.js';

const JSON_TEXT = '{"error":"order_id is unknown"}';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the log of a delivery', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let answer: { status: number; headers: Record<string, string>; body: Buffer };

  beforeAll(async () => {
    world = await World.start();
    server = await LoopbackServer.start((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(answer.status, answer.headers).end(answer.body));
    });
  });
  afterAll(async () => {
    await world.stop();
    await server.stop();
  });
  beforeEach(async () => {
    account = await world.account();
    server.requests.length = 0;
  });

  /** Delivers one event. @returns its only attempt, and what became of it */
  async function attemptAt(status: number, headers: Record<string, string>, body: Buffer) {
    answer = { status, headers, body };
    const id = await subscribe(account, { url: server.url('/hook'), retry_count: 0 });
    await emit(world, [event(account, 1)]);
    const [delivery] = await settledDeliveries(account, id);
    expect(server.requests).toEqual(['POST /hook']);
    return { status: delivery?.status, ...delivery?.attempts[0] };
  }

  it.each([
    ['gzip', gzipSync(JSON_TEXT)],
    ['br', brotliCompressSync(JSON_TEXT)],
    ['identity', Buffer.from(JSON_TEXT)],
  ])('shows what a response says that is encoded as %s', async (encoding, body) => {
    expect(await attemptAt(422, { ...JSON_TYPE, 'content-encoding': encoding }, body)).toMatchObject({
      status: 'failed',
      status_code: 422,
      error: 'the endpoint answered 422',
      response: JSON_TEXT,
      note: null,
    });
  });

  it('shows what a response says in its charset', async () => {
    const headers = { 'content-type': 'text/plain; charset=iso-8859-1' };
    expect(await attemptAt(422, headers, Buffer.from('Ungültige Größe', 'latin1'))).toMatchObject({
      status: 'failed',
      status_code: 422,
      response: 'Ungültige Größe',
      note: null,
    });
  });

  it('shows what an encoded response says in its charset', async () => {
    const headers = { 'content-type': 'text/plain; charset=utf-16le', 'content-encoding': 'gzip' };
    const body = gzipSync(Buffer.from('Größe\u0000', 'utf16le'));
    expect(await attemptAt(400, headers, body)).toMatchObject({ response: 'Größe\ufffd', note: null });
  });

  it.each([
    ['gzip', 'a body that is not gzip, though its Content-Encoding says so'],
    ['zstd', 'an unknown content encoding, "zstd"'],
  ])('shows a response that is not encoded as it is, and notes it: %s', async (encoding, oddity) => {
    const found = await attemptAt(200, { ...JSON_TYPE, 'content-encoding': encoding }, Buffer.from(JSON_TEXT));
    expect(found).toMatchObject({
      status: 'delivered',
      status_code: 200,
      error: null,
      response: JSON_TEXT,
      note: `the response is odd: it has ${oddity}`,
    });
  });

  it('shows the first 1 KiB of a response that decodes to any length', async () => {
    const body = gzipSync(Buffer.alloc(100_000_000, 'ä'));
    expect(await attemptAt(200, { 'content-encoding': 'gzip' }, body)).toMatchObject({
      status: 'delivered',
      response: 'ä'.repeat(512),
      note: null,
    });
  });
});
