import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTypeFromBuffer } from 'file-type/core';
import { LoopbackServer } from '../support/loopback-server.js';
import { until } from '../support/until.js';
import { atOneMoment, CUSTOMER, PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

const MB = 1024 * 1024;
const AUTHORISED = { authorization: 'Bearer token' };

interface FileInMessage {
  id: string;
  url: string;
  mime_type: string;
  sha256: string;
  caption?: string;
}
interface Description extends FileInMessage {
  file_size: number;
  messaging_product: string;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('files that people send on the simulated network', () => {
  let network: SimulatedNetwork;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  /** The file of a message as the business receives it. */
  const received = async (type: string, media: object = {}, more: object = {}): Promise<FileInMessage> => {
    await network.inbound(CUSTOMER, { type, media, ...more });
    return (network.receiver.messages.at(-1) as unknown as Record<string, FileInMessage>)[type] as FileInMessage;
  };
  const describe_ = async (id: string, query = '') =>
    network.call<Description & { error?: { code: number; error_subcode: number } }>('GET', `/v23.0/${id}${query}`);
  const fetched = async (url: string): Promise<{ status: number; type: string | null; bytes: Buffer }> => {
    const response = await fetch(url, { headers: AUTHORISED, redirect: 'manual' });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, type: response.headers.get('content-type'), bytes };
  };

  it.each([
    ['image', 'image/jpeg'],
    ['image', 'image/png'],
    ['video', 'video/mp4'],
    ['video', 'video/3gpp'],
    ['audio', 'audio/ogg; codecs=opus'],
    ['audio', 'audio/mpeg'],
    ['audio', 'audio/aac'],
    ['audio', 'audio/amr'],
    ['document', 'application/pdf'],
    ['sticker', 'image/webp'],
  ])('makes up an %s that is recognised as %s', async (type, mime_type) => {
    const { id, ...shown } = await received(type, { mime_type, size: 5000 });
    expect(shown.mime_type).toBe(mime_type);
    const { body } = await describe_(id);
    expect(body).toMatchObject({ id, mime_type, file_size: 5000, messaging_product: 'whatsapp' });
    const file = await fetched(body.url);
    expect(file).toMatchObject({ status: 200, type: mime_type });
    expect(file.bytes).toHaveLength(5000);
    expect([sha256(file.bytes), Buffer.from(shown.sha256, 'base64').toString('hex')]).toEqual([
      body.sha256,
      body.sha256,
    ]);
    expect((await fileTypeFromBuffer(file.bytes))?.mime).toMatch(mime_type.split(';')[0] ?? '');
    expect((await fetched(shown.url)).bytes.equals(file.bytes)).toBe(true);
  });

  it.each([0, 1, 20, 64, 100, 65_600])('makes up files of %i bytes, no two alike', async (size) => {
    const files = [await received('image', { size }), await received('image', { size })];
    const bytes = await Promise.all(files.map(async ({ url }) => (await fetched(url)).bytes));
    expect(bytes.map(({ length }) => length)).toEqual([size, size]);
    for (const [index, file] of files.entries())
      expect(Buffer.from(file.sha256, 'base64').toString('hex')).toBe(sha256(bytes[index] ?? Buffer.of()));
    if (size > 1) expect(new Set(files.map((file) => file.sha256)).size).toBe(2);
  });

  it('keeps a file that the caller gives, beyond a restart', async () => {
    const bytes = Buffer.alloc(2 * MB, 'Grüße');
    const { id, caption } = await received('document', { bytes_base64: bytes.toString('base64'), caption: 'Read' });
    expect(caption).toBe('Read');
    const generated = await received('image');
    await network.restart();
    for (const [media, expected] of [
      [id, sha256(bytes)],
      [generated.id, Buffer.from(generated.sha256, 'base64').toString('hex')],
    ] as const) {
      const { body } = await describe_(media);
      expect([body.sha256, sha256((await fetched(body.url)).bytes)]).toEqual([expected, expected]);
    }
    // It listens on another port now.
    const { pathname, search } = new URL(generated.url);
    expect((await fetched(network.url + pathname + search)).status).toBe(200);
  });

  it('makes up a large file while it is read, and keeps none', async () => {
    const files = () => readdir(join(network.dataDir, 'received-media'));
    const before = await files();
    const { url, sha256: announced } = await received('video', { size: 90 * MB });
    const response = await fetch(url, { headers: AUTHORISED });
    const hash = createHash('sha256');
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) hash.update(piece);
    expect(hash.digest('base64')).toBe(announced);
    expect(await files()).toEqual(before);
  });

  it('passes on no file over 100 MB', async () => {
    await network.inbound(CUSTOMER, { type: 'video', media: { size: 100 * MB + 1 } });
    expect(network.receiver.messages.at(-1)).toMatchObject({ type: 'unsupported', errors: [{ code: 131052 }] });
  });

  it('wants the token for description and file, and knows the phone', async () => {
    const { id, url } = await received('image');
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: 'Bearer expired' } })).status).toBe(401);
    expect((await network.call('GET', `/v23.0/${id}`, undefined, { authorization: '' })).status).toBe(401);
    expect((await describe_(id, `?phone_number_id=${PHONE}`)).body.id).toBe(id);
    expect((await describe_(id, '?phone_number_id=1')).body.error).toMatchObject({ code: 100, error_subcode: 33 });
  });

  it('refuses addresses that were changed or have expired', async () => {
    const [now, { url }] = await atOneMoment(
      async () => [Math.floor(Date.now() / 1000), await received('image')] as const,
    );
    const other = new URL(url);
    other.searchParams.set('mid', (await received('image')).id);
    expect((await fetched(other.href)).status).toBe(404);
    const old = new URL(url);
    expect(Number(old.searchParams.get('ext')) - now).toBe(300);
    old.searchParams.set('ext', String(now - 1));
    expect((await fetched(old.href)).status).toBe(404);
  });

  it('forgets a file after media_days, and when it is deleted', async () => {
    const { id, url } = await received('image');
    await network.behave({ media_days: 0 });
    expect((await describe_(id)).body.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await fetched(url)).status).toBe(404);
    await network.behave({ media_days: 7 });
    expect((await fetched(url)).status).toBe(200);
    expect((await network.call('DELETE', `/v23.0/${id}`)).body).toEqual({ success: true });
    expect((await fetched(url)).status).toBe(404);
  });

  it('takes no file of a customer for one to send', async () => {
    const { id } = await received('image');
    expect((await network.post({ type: 'image', image: { id } })).body.error.code).toBe(100);
  });

  it('gives one phone the files of its own messages only', async () => {
    const other = { phone_number_id: `${PHONE}3`, waba_id: WABA, display_phone_number: '+49 30 901823' };
    await network.call('POST', '/_sim/phones', other);
    const { id } = await received('image', {}, { phone_number_id: other.phone_number_id });
    expect((await describe_(id, `?phone_number_id=${other.phone_number_id}`)).status).toBe(200);
    expect((await describe_(id, `?phone_number_id=${PHONE}`)).status).toBe(400);
  });

  describe('with a fault', () => {
    const size = 3000;

    it('delivers other bytes than it announces', async () => {
      const { id, url } = await received('image', { size });
      await network.behave({ media_fault: { kind: 'wrong_sha256' } });
      const { bytes } = await fetched(url);
      expect(bytes).toHaveLength(size);
      expect(sha256(bytes)).not.toBe((await describe_(id)).body.sha256);
    });

    it.each([
      ['too_long', size + 1024],
      ['too_short', size / 2],
    ])('%s delivers %i bytes', async (kind, length) => {
      const { url } = await received('image', { size });
      await network.behave({ media_fault: { kind } });
      expect((await fetched(url)).bytes).toHaveLength(length);
    });

    it('cuts the connection off', async () => {
      const { url } = await received('image', { size });
      await network.behave({ media_fault: { kind: 'cut_off' } });
      await expect(fetched(url)).rejects.toThrow();
    });

    it('names another type', async () => {
      const { url } = await received('image', { size });
      await network.behave({ media_fault: { kind: 'wrong_type' } });
      expect(await fetched(url)).toMatchObject({ status: 200, type: 'text/html' });
    });

    it('answers 404 or 503', async () => {
      const { id, url } = await received('image');
      await network.behave({ media_fault: { kind: 'expired' } });
      expect([(await fetched(url)).status, (await describe_(id)).status]).toEqual([404, 200]);
      await network.behave({ media_fault: { kind: 'unavailable' } });
      expect([(await fetched(url)).status, (await describe_(id)).status]).toEqual([503, 503]);
      await network.behave({ media_fault: { kind: 'unavailable', rate: 0 } });
      expect([(await fetched(url)).status, (await describe_(id)).status]).toEqual([200, 200]);
    });

    it('leads elsewhere', async () => {
      const server = await LoopbackServer.start((_, response) => response.end('secret'));
      try {
        const to = server.url('/secret');
        const { id, url } = await received('image');
        await network.behave({ media_fault: { kind: 'redirect', to } });
        const response = await fetch(url, { headers: AUTHORISED, redirect: 'manual' });
        expect([response.status, response.headers.get('location')]).toEqual([302, to]);
        await network.behave({ media_fault: { kind: 'elsewhere', to } });
        expect([(await describe_(id)).body.url, (await received('image')).url]).toEqual([to, to]);
        expect(server.requests).toEqual([]);
      } finally {
        await server.stop();
      }
    });

    it.each(['endless', 'silent', 'slow'])('%s goes on until the client leaves', async (kind) => {
      const { url } = await received('image', { size });
      await network.behave({ media_fault: { kind, ...(kind === 'slow' ? { bytes_per_second: 100 } : {}) } });
      const aborter = new AbortController();
      const response = await fetch(url, { headers: AUTHORISED, signal: aborter.signal });
      let read = 0;
      const enough = { endless: 10 * size, silent: size / 2, slow: 1 }[kind] ?? 0;
      const reading = (async () => {
        for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) read += piece.length;
      })();
      reading.catch(() => undefined);
      await until('some of it has come', () => read >= enough);
      if (kind !== 'endless') expect(read).toBeLessThan(size);
      aborter.abort();
      await expect(reading).rejects.toThrow();
      await network.behave({ media_fault: null });
      expect((await fetched(url)).bytes).toHaveLength(size);
    });

    it.each([
      { kind: 'strange' },
      { kind: 'slow', rate: 2 },
      { kind: 'slow', bytes_per_second: 0 },
      { kind: 'redirect' },
      { kind: 'redirect', to: 'nowhere' },
      { kind: 'slow', to: 'http://localhost' },
      { kind: 'slow', speed: 1 },
      'slow',
    ])('refuses the fault %j', async (media_fault) => {
      const { status, body } = await network.call<{ message: string }>('POST', '/_sim/behaviour', { media_fault });
      expect([status, body.message]).toEqual([400, expect.stringContaining('media_fault must be')]);
    });
  });

  it.each<[object, string]>([
    [{ bytes_base64: 'not base64!' }, 'media.bytes_base64'],
    [{ bytes_base64: Buffer.alloc(17 * MB).toString('base64') }, 'media.bytes_base64'],
    [{ size: -1 }, 'media.size'],
    [{ size: 'large' }, 'media.size'],
    [{ size: 2 ** 40 }, 'media.size'],
    [{ mime_type: 5 }, 'mime_type'],
  ])('refuses a file by what is wrong with it', async (media, name) => {
    const input = { phone_number_id: PHONE, from: CUSTOMER, type: 'image', media };
    const { status, body } = await network.call<{ message: string }>('POST', '/_sim/inbound', input);
    expect([status, body.message]).toEqual([400, expect.stringContaining(name)]);
  });
});
