import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DirectoryStore } from '../../src/media/directory-store.js';
import { JobQueue } from '../../src/queues/job-queue.js';
import { eventsOf, recordOf } from '../messages/messages.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { FullDisk } from './full-disk.js';
import { type ArrivedFile, MediaFiles, pathOf } from './media-world.js';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('a file that a customer sends through the network', () => {
  let store: string;
  let files: MediaFiles;
  let account: TestAccount;

  beforeAll(async () => {
    store = await mkdtemp(path.join(tmpdir(), 'parley-media-'));
    // Loopback addresses are allowed as the network's own only.
    const env = { MEDIA_STORE: `directory:${store}`, EGRESS_ALLOW: '10.255.0.0/16' };
    files = new MediaFiles(await World.start({ env }));
  });
  afterAll(async () => {
    await files.stop();
    await rm(store, { recursive: true, force: true });
  });
  beforeEach(async () => {
    account = await files.account();
  });
  afterEach(() => files.world.simulator.behave({ media_fault: null }));

  const arrive = async (sent: Parameters<MediaFiles['send']>[1] = {}): Promise<ArrivedFile> => ({
    account,
    messageId: await files.send(account, sent),
  });
  const fault = (media_fault: Record<string, unknown> | null) => files.world.simulator.behave({ media_fault });
  const incoming = async (): Promise<string[]> => (await files.stored()).filter((each) => each.startsWith('.incoming'));

  it('is fetched and served as well when the business sent it with the phone app', async () => {
    const to = uniquePhone();
    const { phoneNumberId: phone_number_id } = account.phone;
    await files.world.simulator.echo({
      phone_number_id,
      to,
      type: 'image',
      media: { mime_type: 'image/png', size: 5000 },
    });
    const { body } = await account.api.get<{ messages: { message_id: string; direction: string }[] }>(
      '/api/v1/messages/',
    );
    const [message] = body.messages;
    expect(message).toMatchObject({ direction: 'out', sent_by: { source: 'phone_app' } });
    const file = { account, messageId: message?.message_id ?? '' };
    await files.untilStatus(file, 'stored');
    expect(await files.get(file)).toMatchObject({ status: 200, bytes: { length: 5000 } });
  });

  it('wakes the workers that fetch files; a message without a file does not', async () => {
    const wakes = jest.spyOn(files.world.parley.app.get(JobQueue), 'enqueueAll');
    const { phone } = account;
    await files.world.simulator.inbound({
      phone_number_id: phone.phoneNumberId,
      from: uniquePhone(),
      type: 'text',
      text: 'Hello',
    });
    const other = await files.account();
    await files.untilStatus({ account: other, messageId: await files.send(other) }, 'stored');
    const woken = wakes.mock.calls.flatMap(([kind, jobs]) => (kind.queue === 'media' ? jobs : []));
    wakes.mockRestore();
    const told = new Set(woken.map(({ data }) => JSON.stringify(data)));
    expect(told).toEqual(new Set([JSON.stringify({ account_id: other.accountId })]));
  });

  it.each([
    ['image', 'image/jpeg', {}],
    ['video', 'video/mp4', {}],
    ['audio', 'audio/ogg', {}],
    ['document', 'application/pdf', { filename: 'terms.pdf' }],
    ['sticker', 'image/webp', {}],
  ])('is fetched, shown as stored everywhere, and served: %s', async (type, mime_type, more) => {
    const from = uniquePhone();
    const file = await arrive({ type, from, size: 300_000, ...more });
    await files.untilStatus(file, 'stored');
    const { bytes, headers } = await files.get(file);
    expect([bytes.length, headers.get('content-type')]).toEqual([300_000, mime_type]);
    const url = pathOf(file);
    const shown = { mime_type, size: 300_000, sha256: sha256(bytes), url, ...more };

    const [event] = await eventsOf(files.world, account);
    // Told when the message arrived, before the file did. The hash is the network's word.
    const told = { status: 'pending', size: null, sha256: shown.sha256, url, ...more };
    expect(event).toMatchObject({ event: 'message.received', message: { media: told } });
    const record = await recordOf(account, file.messageId);
    expect(record).toMatchObject({ media: { status: 'stored', ...shown } });
    for (const list of ['/api/v1/messages/', `/api/v1/conversations/${from}/messages`]) {
      const { body: listed } = await account.api.get(list);
      expect(listed.messages).toMatchObject([{ media: { status: 'stored', ...shown } }]);
    }
    const contact = `/api/v1/contacts/${String(record.contact_id)}`;
    const exported = await account.api.get<{ messages: unknown[] }>(`${contact}/export`);
    expect(exported.body.messages).toMatchObject([{ file: { status: 'stored', size: 300_000 } }]);
    expect((await account.api.delete(`${contact}?erase=true`)).status).toBe(200);
    await until('row and file are gone', async () => {
      const isLeft = (await files.stored()).some((each) => each.endsWith(file.messageId));
      return !isLeft && (await files.rowOf(file)) === null;
    });
  });

  it('is known by its content where the server names another type', async () => {
    await fault({ kind: 'wrong_type' });
    expect(await files.untilStatus(await arrive(), 'stored')).toMatchObject({ mimeType: 'image/jpeg' });
  });

  it('is fetched from a slow server too', async () => {
    await fault({ kind: 'slow', bytes_per_second: 20_000 });
    await files.untilStatus(await arrive({ size: 20_000 }), 'stored');
  });

  it.each([
    ['endless', 'more than the 4096 bytes'],
    ['too_long', 'more than the 4096 bytes'],
    ['too_short', '2048 bytes instead of the 4096'],
    ['wrong_sha256', 'SHA-256'],
  ])(
    'is refused when its bytes are always others than announced (%s), and nothing of it is kept',
    async (kind, why) => {
      await fault({ kind });
      const file = await arrive();
      expect(await files.untilStatus(file, 'refused')).toMatchObject({ reason: expect.stringContaining(why) });
      expect((await files.stored()).filter((each) => each.includes(file.messageId))).toEqual([]);
      expect(await incoming()).toEqual([]);
      const { status, body } = await account.api.get(pathOf(file));
      expect([status, body]).toEqual([404, { error: 'media_gone', message: expect.stringContaining(why) }]);
    },
  );

  it.each([
    ['cut_off', /media server/],
    ['expired', /HTTP 404/],
    ['unavailable', /did not say where it is/],
  ])('waits while the network cannot give it (%s), and is stored once it can', async (kind, why) => {
    await fault({ kind });
    const file = await arrive();
    await files.untilRow(file, 'an attempt has failed', ({ reason }) => why.test(reason ?? ''));
    expect((await files.get(file)).status).toBe(503);
    await fault(null);
    await files.untilStatus(file, 'stored');
    expect(await incoming()).toEqual([]);
  });

  it.each(['redirect', 'elsewhere'])('is not looked for where the network must not lead us (%s)', async (kind) => {
    const other = await LoopbackServer.start((_, response) => response.end('secret'));
    try {
      await fault({ kind, to: other.url('/secret') });
      const file = await arrive();
      await files.untilRow(file, 'an attempt has failed', ({ reason }) => reason !== null);
      await fault(null);
      await files.untilStatus(file, 'stored');
      expect(other.requests).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('holds up nobody else while its server is silent; is given up after its time, and tried again', async () => {
    const file = await until('others are stored during its first attempt', async () => {
      await fault({ kind: 'silent' });
      const held = await arrive();
      await until('the download has begun', async () => (await incoming()).length > 0);
      await fault(null);
      const own = await arrive();
      const stranger = await files.account();
      const theirs = { account: stranger, messageId: await files.send(stranger) };
      for (const each of [own, theirs]) await files.untilStatus(each, 'stored');
      const row = await files.rowOf(held);
      // On a busy machine its time may be over before that.
      return row?.status === 'pending' && row.attempts === 1 && row.reason === null && held;
    });
    await files.untilStatus(file, 'stored');
    expect((await files.rowOf(file))?.attempts).toBeGreaterThan(1);
  });

  it('waits while the store cannot be written; messages arrive meanwhile', async () => {
    const blocked = path.join(store, '.incoming');
    await rm(blocked, { recursive: true, force: true });
    await writeFile(blocked, '');
    const file = await arrive();
    await files.untilRow(file, 'the store has failed', ({ reason }) => reason?.includes('media store failed') === true);
    expect((await files.get(file)).status).toBe(503);
    const sent = { phone_number_id: account.phone.phoneNumberId, from: uniquePhone(), type: 'text', text: 'Hello' };
    expect((await files.world.simulator.inbound(sent)).callback_status).toBe(200);
    await rm(blocked);
    await files.untilStatus(file, 'stored');
    expect((await files.get(file)).status).toBe(200);
  });
});

it('waits while the disk of the store is full, of which nothing is left; messages arrive meanwhile', async () => {
  const store = await mkdtemp(path.join(tmpdir(), 'parley-media-'));
  const disk = new FullDisk(path.join(store, '.incoming'));
  const files = new MediaFiles(await World.start({ env: { MEDIA_STORE: `directory:${store}` } }));
  try {
    const account = await files.account();
    disk.fill(10_000);
    const file = { account, messageId: await files.send(account, { size: 300_000 }) };
    await files.untilRow(file, 'the disk is full', ({ reason }) => reason?.includes('ENOSPC') === true);
    expect(disk.refusals).toBeGreaterThan(0);
    await eventually(async () => expect(await files.stored()).toEqual([]));
    expect((await files.get(file)).status).toBe(503);
    const sent = { phone_number_id: account.phone.phoneNumberId, from: uniquePhone(), type: 'text', text: 'Hello' };
    expect((await files.world.simulator.inbound(sent)).callback_status).toBe(200);
    const second = { account, messageId: await files.send(account, { size: 300_000 }) };
    expect(await files.rowOf(second)).toMatchObject({ status: 'pending' });
    disk.empty();
    for (const each of [file, second]) await files.untilStatus(each, 'stored');
    expect((await files.get(file)).bytes).toHaveLength(300_000);
    expect((await files.stored()).filter((each) => each.startsWith('.incoming'))).toEqual([]);

    disk.fill(0);
    await expect(DirectoryStore.at(store)).rejects.toThrow(/^MEDIA_STORE: cannot write to .+: ENOSPC/);
  } finally {
    disk.empty();
    await files.world.stop();
    await rm(store, { recursive: true, force: true });
  }
});

it('a file is given back at once by a process that stops while it fetches, and fetched by the next one', async () => {
  const store = await mkdtemp(path.join(tmpdir(), 'parley-media-'));
  const MEDIA_STORE = `directory:${store}`;
  const world = await World.start({ env: { MEDIA_STORE } });
  let next: World | undefined;
  try {
    const files = new MediaFiles(world);
    await world.simulator.behave({ media_fault: { kind: 'silent' } });
    const account = await files.account();
    const file = { account, messageId: await files.send(account) };
    await until('the download has begun', async () =>
      (await files.stored()).some((each) => each.startsWith('.incoming')),
    );
    await world.parley.close();
    expect(await files.stored()).toEqual([]);
    await world.simulator.behave({ media_fault: null });

    const { databaseUrl, network } = world.environment;
    next = await World.start({ databaseUrl, env: { MEDIA_STORE, NETWORK_BASE_URL: network.baseUrl } });
    const left = new MediaFiles(next);
    await left.untilStatus(file, 'stored');
    expect((await left.get(file)).status).toBe(200);
  } finally {
    await next?.stop();
    await world.stop();
    await rm(store, { recursive: true, force: true });
  }
});
