import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mediaKey } from '../../src/media/media-key.js';
import { eventually } from '../support/until.js';
import { uniquePhone } from '../support/world.js';
import { png } from './media-network.js';
import { type ArrivedFile, MediaWorld, pathOf, type SentFile } from './media-world.js';

describe('GET /api/v1/messages/{id}/media', () => {
  let media: MediaWorld;

  beforeAll(async () => {
    media = await MediaWorld.start();
  });
  afterAll(() => media.stop());
  beforeEach(() => {
    media.network.refusal = null;
  });

  const stored = async (bytes: Buffer, mimeType: string, sent: SentFile = {}): Promise<ArrivedFile> => {
    const file = await media.arrive(await media.account(), media.network.hold({ bytes, mimeType }), sent);
    await media.untilStatus(file, 'stored');
    return file;
  };

  it('serves the bytes, and says what they are and that nothing in them may act', async () => {
    const bytes = png(200_000);
    const {
      status,
      headers,
      bytes: got,
    } = await media.get(await stored(bytes, 'image/png'), {
      'accept-encoding': 'gzip',
    });
    expect([status, got.equals(bytes)]).toEqual([200, true]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringMatching(/^inline; filename="[\w-]+\.png"$/),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
    });
  });

  it('serves parts (206), and refuses those beyond the end (416)', async () => {
    const bytes = png(10_000);
    const file = await stored(bytes, 'image/png');
    const part = await media.get(file, { range: 'bytes=100-199' });
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
      206,
      'bytes 100-199/10000',
      '100',
    ]);
    expect(part.bytes.equals(bytes.subarray(100, 200))).toBe(true);
    expect((await media.get(file, { range: 'bytes=-50' })).bytes.equals(bytes.subarray(-50))).toBe(true);

    const beyond = await media.get(file, { range: 'bytes=10000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10000']);
    expect(JSON.parse(beyond.bytes.toString())).toMatchObject({ error: 'range_not_satisfiable' });
  });

  it('answers HEAD without the bytes, and 304 to whoever has them', async () => {
    const file = await stored(png(5000), 'image/png');
    const head = await media.get(file, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, '5000', 0]);
    const etag = head.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    expect((await media.get(file, { 'if-none-match': `"other", ${etag}` })).status).toBe(304);
    expect((await media.get(file, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
    expect((await media.get(file, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
  });

  it.each([
    ['<html><script>alert(1)</script></html>', 'image/png', 'text/html'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml', 'text/html'],
    ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'application/xml'],
    ['a,b\n1,2\n', 'text/csv', 'text/csv'],
    ['alert(1)', 'text/javascript', 'text/plain'],
    ['\u0000\u0001\u0002\u0003nothing known', 'image/jpeg', 'application/octet-stream'],
  ])('makes an attachment of %s, announced as %s', async (content, mimeType, servedAs) => {
    const { headers } = await media.get(await stored(Buffer.from(content), mimeType, { type: 'document' }));
    expect(headers.get('content-type')?.split(';')[0]).toBe(servedAs);
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  });

  it('calls the file as its sender did, without folders and characters that nobody sees', async () => {
    const file = await stored(Buffer.from('%PDF-1.7\n'), 'application/pdf', {
      type: 'document',
      filename: '../../etc/Rechnung\r\nX-Evil: 1 \u202e"März".pdf',
    });
    const { headers } = await media.get(file);
    expect(headers.get('x-evil')).toBeNull();
    const name = decodeURIComponent(
      /filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '',
    );
    expect(name).toBe('RechnungX-Evil: 1 "März".pdf');
  });

  it('needs messages:read, and shows nobody the files of another account (404)', async () => {
    const file = await stored(png(), 'image/png');
    const stranger = await media.account();
    expect((await media.get({ ...file, account: stranger })).status).toBe(404);
    const { api } = await media.world.account({ scopes: ['contacts:read'] });
    expect((await api.get(pathOf(file))).status).toBe(403);
  });

  it('has no file of a text (404 not_found), and keeps none that was sent by media_url (404 media_gone)', async () => {
    const account = await media.account();
    const { phoneNumberId } = account.phone;
    const from = uniquePhone();
    await media.world.simulator.inbound({ phone_number_id: phoneNumberId, from, type: 'text', text: 'Hello' });
    const { body } = await account.api.get<{ messages: { message_id: string }[] }>('/api/v1/messages/');
    const [text] = body.messages;
    const answer = await account.api.get(`/api/v1/messages/${text?.message_id}/media`);
    expect([answer.status, answer.body]).toEqual([
      404,
      { error: 'not_found', message: `message ${text?.message_id} has no file` },
    ]);
    await media.world.unitOfWork.autocommit.affected(
      `UPDATE messages SET direction = 'out', message_type = 'image', status = 'sent' WHERE account_id = $1`,
      [account.accountId],
    );
    const sent = await account.api.get(`/api/v1/messages/${text?.message_id}/media`);
    expect([sent.status, sent.body]).toMatchObject([404, { error: 'media_gone' }]);
  });

  it('answers 503 with Retry-After while a file may still come', async () => {
    media.network.refusal = { code: 2, message: 'service temporarily unavailable' };
    const file = await media.arrive(await media.account(), '4712001');
    const { status, headers, bytes } = await media.get(file);
    expect([status, JSON.parse(bytes.toString())]).toEqual([
      503,
      { error: 'unavailable', message: expect.stringContaining('not fetched yet') },
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('fetches the file of a message again that is missing in the store, while the network has it', async () => {
    const bytes = png();
    const file = await stored(bytes, 'image/png');
    const key = mediaKey({ accountId: file.account.accountId, messageId: file.messageId });
    const place = path.join(media.world.environment.media.directory, key);
    const expectServed = () => eventually(async () => expect((await media.get(file)).bytes.equals(bytes)).toBe(true));
    await rm(place);
    await expectServed();
    expect((await readFile(place)).equals(bytes)).toBe(true);
    // Neither is a file that is not whole.
    await writeFile(place, bytes.subarray(0, 10));
    await expectServed();
  });
});
