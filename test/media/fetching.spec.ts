import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { takeDue } from '../../src/media/fetch.queries.js';
import { until } from '../support/until.js';
import { png } from './media-network.js';
import { MediaWorld } from './media-world.js';

const MB = 1024 * 1024;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('files of inbound messages', () => {
  let media: MediaWorld;

  beforeAll(async () => {
    media = await MediaWorld.start({ INBOUND_MEDIA_MAX_MB: '1' });
  });
  afterAll(() => media.stop());
  beforeEach(() => {
    media.network.refusal = null;
  });

  it('are fetched on arrival, with the token of the phone, and kept where only this user can read them', async () => {
    const account = await media.account();
    const bytes = png(300_000);
    const id = media.network.hold({ bytes, mimeType: 'image/jpeg' });
    const file = await media.arrive(account, id);
    expect(await media.untilStatus(file, 'stored')).toMatchObject({
      // By its content, whatever the network says.
      mimeType: 'image/png',
      size: bytes.length,
      sha256: sha256(bytes),
      reason: null,
    });
    expect(media.network.downloads.filter((each) => each.id === id)).toEqual([
      { id, authorization: 'Bearer test-token' },
    ]);
    const [own = ''] = (await media.stored()).filter((each) => each.endsWith(file.messageId));
    const root = media.world.environment.media.directory;
    expect((await stat(path.join(root, own))).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(path.join(root, own)))).mode & 0o777).toBe(0o700);
  });

  it('shows the file in the record of its message', async () => {
    const account = await media.account();
    const bytes = Buffer.from('%PDF-1.7\n1 0 obj');
    const file = await media.arrive(account, media.network.hold({ bytes, mimeType: 'application/pdf' }), {
      type: 'document',
      filename: 'invoice.pdf',
    });
    await media.untilStatus(file, 'stored');
    const { body } = await account.api.get(`/api/v1/messages/${file.messageId}`);
    expect(body.message_record).toMatchObject({
      media: {
        mime_type: 'application/pdf',
        filename: 'invoice.pdf',
        size: bytes.length,
        sha256: sha256(bytes),
        status: 'stored',
        url: `/api/v1/messages/${file.messageId}/media`,
      },
    });
  });

  it.each(['gzip', 'identity'])('are kept as they were before their server encoded them: %s', async (encoding) => {
    const account = await media.account();
    const bytes = png(300_000);
    let accepted: unknown;
    const id = media.network.hold({
      bytes,
      mimeType: 'image/png',
      said: { file_size: bytes.length, sha256: sha256(bytes) },
      serve: (response, request) => {
        accepted = request.headers['accept-encoding'];
        response.writeHead(200, { 'content-encoding': encoding }).end(encoding === 'gzip' ? gzipSync(bytes) : bytes);
      },
    });
    const file = await media.arrive(account, id);
    expect(await media.untilStatus(file, 'stored')).toMatchObject({
      mimeType: 'image/png',
      size: bytes.length,
      sha256: sha256(bytes),
    });
    expect(accepted).toBe('gzip, deflate, br');
  });

  it.each<[string, Buffer, string]>([
    ['zstd', png(5000), 'it is encoded as zstd, which Parley cannot decode'],
    ['gzip', gzipSync(png(5000)).subarray(0, 1000), 'it ended before its gzip content was complete'],
  ])('are fetched again when they cannot be decoded: %s', async (encoding, body, reason) => {
    const account = await media.account();
    const bytes = png(5000);
    let isEncoded = true;
    const id = media.network.hold({
      bytes,
      mimeType: 'image/png',
      serve: (response) => {
        if (isEncoded) response.writeHead(200, { 'content-encoding': encoding }).end(body);
        else response.writeHead(200).end(bytes);
      },
    });
    const file = await media.arrive(account, id);
    const failed = await media.untilRow(file, 'an attempt has failed', (row) => row.reason !== null);
    expect(failed).toMatchObject({ status: 'pending', reason: expect.stringContaining(reason) });
    isEncoded = false;
    expect(await media.untilStatus(file, 'stored')).toMatchObject({ size: bytes.length });
  });

  it.each<[string, Parameters<MediaWorld['network']['hold']>[0], string, string]>([
    [
      'larger than announced',
      { bytes: png(5000), mimeType: 'image/png', said: { file_size: 1000 } },
      'refused',
      'more than the 1000 bytes',
    ],
    [
      'smaller than announced',
      { bytes: png(5000), mimeType: 'image/png', said: { file_size: 9000 } },
      'refused',
      '5000 bytes instead of the 9000',
    ],
    [
      'of another hash',
      { bytes: png(5000), mimeType: 'image/png', said: { sha256: 'a'.repeat(64) } },
      'refused',
      'SHA-256',
    ],
    ['empty', { bytes: Buffer.alloc(0), mimeType: 'image/png' }, 'refused', 'empty'],
    ['larger than the limit', { bytes: png(2 * MB), mimeType: 'image/png' }, 'too_large', 'INBOUND_MEDIA_MAX_MB'],
    [
      'larger than the limit, of no announced size',
      { bytes: png(2 * MB), mimeType: 'image/png', said: { file_size: undefined } },
      'too_large',
      'INBOUND_MEDIA_MAX_MB',
    ],
  ])('refuses one that is %s, with the reason, and keeps nothing of it', async (_, held, status, reason) => {
    const file = await media.arrive(await media.account(), media.network.hold(held));
    expect((await media.untilStatus(file, status)).reason).toContain(reason);
    expect(
      (await media.stored()).filter((each) => each.includes(file.messageId) || each.startsWith('.incoming')),
    ).toEqual([]);
    const { status: answered, body } = await file.account.api.get(`/api/v1/messages/${file.messageId}/media`);
    expect([answered, body]).toEqual([404, { error: 'media_gone', message: expect.stringContaining(reason) }]);
  });

  it('says gone when the network has forgotten a file, but not when it refuses the token', async () => {
    const account = await media.account();
    const forgotten = await media.arrive(account, '4711001');
    expect((await media.untilStatus(forgotten, 'gone')).reason).toContain('does not have it any more');

    media.network.refusal = { code: 100, error_subcode: 33, message: 'missing permissions' };
    const id = media.network.hold({ bytes: png(), mimeType: 'image/png' });
    const refused = await media.arrive(account, id);
    const failed = await media.untilRow(
      refused,
      'two attempts have failed',
      ({ attempts, reason }) => attempts >= 2 && reason !== null,
    );
    expect(failed).toMatchObject({ status: 'pending', reason: expect.stringContaining('missing permissions') });
    media.network.refusal = null;
    await media.untilStatus(refused, 'stored');
  });

  it('are not gone when the token is given its right back between two requests', async () => {
    const account = await media.account();
    media.network.nextRefusal = { code: 100, error_subcode: 33, message: 'missing permissions' };
    const file = await media.arrive(account, media.network.hold({ bytes: png(), mimeType: 'image/png' }));
    await media.untilRow(file, 'it is fetched', ({ status }) => status !== 'pending');
    expect(await media.rowOf(file)).toMatchObject({ status: 'stored' });
  });

  it('are taken one at a time, whatever the plan', async () => {
    const account = await media.account();
    media.network.refusal = { code: 190, message: 'the token has expired' };
    for (const id of ['4711003', '4711004', '4711005']) {
      const file = await media.arrive(account, id);
      await media.untilRow(file, 'an attempt has failed', ({ reason }) => reason !== null);
    }
    const { unitOfWork } = media.world;
    const left = await unitOfWork.transaction(async (tx) => {
      for (const plan of ['enable_hashjoin', 'enable_mergejoin', 'enable_material', 'enable_indexscan']) {
        await tx.affected(`SET LOCAL ${plan} = off`);
      }
      // Locked, so that no process takes them meanwhile.
      await tx.affected(
        'UPDATE media_files SET due_at = now(), leased_until = NULL, attempts = 1 WHERE account_id = $1',
        [account.accountId],
      );
      expect(await takeDue(account.accountId, 1000, tx)).toMatchObject({ attempts: 2 });
      return tx.rows("SELECT FROM media_files WHERE account_id = $1 AND due_at <= now() AND status = 'pending'", [
        account.accountId,
      ]);
    });
    expect(left).toHaveLength(2);
  });

  it('gives up after a week', async () => {
    media.network.refusal = { code: 190, message: 'the token has expired' };
    const file = await media.arrive(await media.account(), '4711002');
    await media.world.unitOfWork.autocommit.affected(
      `UPDATE media_files SET received_at = now() - interval '8 days' WHERE account_id = $1`,
      [file.account.accountId],
    );
    expect((await media.untilStatus(file, 'gone')).reason).toContain('the token has expired');
  });

  it('asks for the address again when it has expired', async () => {
    let isExpired = true;
    const bytes = png();
    const id = media.network.hold({
      bytes,
      mimeType: 'image/png',
      serve: (response) => (isExpired ? response.writeHead(404).end() : response.writeHead(200).end(bytes)),
    });
    const file = await media.arrive(await media.account(), id);
    await media.untilRow(file, 'an attempt has failed', ({ reason }) => reason?.includes('HTTP 404') === true);
    isExpired = false;
    await media.untilStatus(file, 'stored');
  });

  it('sends the token nowhere else: neither after a redirect nor into our own network', async () => {
    const account = await media.account();
    const redirected = media.network.hold({
      bytes: png(),
      mimeType: 'image/png',
      serve: (response) => response.writeHead(302, { location: `${media.network.url}/bytes/elsewhere` }).end(),
    });
    const file = await media.arrive(account, redirected);
    await media.untilRow(file, 'the redirect was refused', ({ reason }) => reason?.includes('HTTP 302') === true);
    expect(media.network.downloads.filter(({ id }) => id === 'elsewhere')).toEqual([]);

    for (const url of ['http://169.254.169.254/latest', 'https://10.0.0.1/', 'file:///etc/passwd']) {
      const led = await media.arrive(
        account,
        media.network.hold({ bytes: png(), mimeType: 'image/png', said: { url } }),
      );
      const { reason } = await media.untilRow(led, `${url} was refused`, (row) => row.reason !== null);
      expect(reason).toMatch(/leads to an address|starts? with/);
    }
  });

  it('holds up no other account by a server that is slow or never ends', async () => {
    const slow = await media.account();
    const open = new Set<() => void>();
    let mostOpen = 0;
    const held = Array.from({ length: 40 }, () =>
      media.network.hold({
        bytes: png(5000),
        mimeType: 'image/png',
        serve: (response) => {
          response.writeHead(200, { 'content-length': 5000 }).write('x');
          const end = () => void response.destroy();
          open.add(end);
          response.once('close', () => open.delete(end));
          mostOpen = Math.max(mostOpen, open.size);
        },
      }),
    );
    for (const id of held) await media.arrive(slow, id);
    await until('the slow server has as many downloads as it gets', () => mostOpen >= 8);

    const other = await media.account();
    const bytes = png();
    const files = [];
    for (let count = 0; count < 10; count += 1) {
      files.push(await media.arrive(other, media.network.hold({ bytes, mimeType: 'image/png' })));
    }
    for (const file of files) await media.untilStatus(file, 'stored');
    expect(mostOpen).toBeLessThan(16);
    await media.world.unitOfWork.autocommit.affected('DELETE FROM media_files WHERE account_id = $1', [slow.accountId]);
    for (const end of open) end();
  });

  it('fetches a file once, however many workers and requests want it', async () => {
    const account = await media.account();
    const bytes = png(100_000);
    let finish: () => void = () => undefined;
    const id = media.network.hold({
      bytes,
      mimeType: 'image/png',
      serve: (response) => {
        response.writeHead(200, { 'content-length': bytes.length });
        finish = () => response.end(bytes);
      },
    });
    const file = await media.arrive(account, id);
    const answers = Promise.all([media.get(file), media.get(file), media.get(file)]);
    await until('the download has begun', () => media.network.downloads.some((each) => each.id === id));
    finish();
    for (const { status, bytes: got } of await answers) expect([status, got.equals(bytes)]).toEqual([200, true]);
    expect(media.network.downloads.filter((each) => each.id === id)).toHaveLength(1);
  });
});
