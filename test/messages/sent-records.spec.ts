import type { RecordParts } from '../../src/messages/sent-parts.js';
import type { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';
import { startWithFiles } from '../support/world-with-files.js';
import {
  eventsOf,
  type MessageRecord,
  openWindow,
  recordOf,
  SEND,
  SEND_MESSAGE,
  sentUpstream,
  untilStatus,
} from './messages.js';

type SentRecord = MessageRecord & RecordParts;

const files: Record<string, Buffer> = {
  '/a.jpg': SAMPLES.JPEG,
  '/a.mp4': SAMPLES.MP4,
  '/a.mp3': SAMPLES.MP3,
  '/bill.pdf': SAMPLES.PDF,
};

describe('the record of what was sent', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let stop: () => Promise<void>;
  let contact: string;

  beforeAll(async () => {
    ({ world, server, stop } = await startWithFiles(files));
  });
  afterAll(() => stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
    await openWindow(world, account.phone, contact);
  });

  const send = async (path: string, fields: Record<string, unknown>): Promise<string> => {
    const { status, body, text } = await account.api.post<{ message_id: string }>(path, {
      contact_phone: contact,
      ...fields,
    });
    if (status !== 200) throw new Error(text);
    return body.message_id;
  };
  const record = async (id: string): Promise<SentRecord> => (await recordOf(account, id)) as SentRecord;
  const thread = async (query = ''): Promise<SentRecord[]> =>
    (await account.api.get<{ messages: SentRecord[] }>(`/api/v1/conversations/${contact}/messages${query}`)).body
      .messages;
  const upstream = async (): Promise<Record<string, unknown> | undefined> =>
    (await sentUpstream(world, account.phone)).at(-1);
  const linked = (path: string, more: Record<string, unknown>) => ({
    mime_type: null,
    filename: null,
    size: files[path]?.length,
    sha256: null,
    voice: false,
    animated: false,
    status: 'gone',
    link: server.url(path),
    ...more,
  });
  /** Sends a message and follows it to the network, its record, the thread, and the event of its delivery. */
  async function roundTrip(path: string, fields: Record<string, unknown>, type: string, payload: object) {
    const id = await send(path, fields);
    expect(await upstream()).toMatchObject({ biz_opaque_callback_data: id, type, ...payload });
    await untilStatus(account, id, 'read');
    // A report that the service could not take at once is repeated, and comes after later ones.
    await eventually(async () => {
      expect((await thread())[0]).toEqual(await record(id));
      const events = await eventsOf(world, account);
      expect(events).toContainEqual(
        expect.objectContaining({ event: 'message.delivered', message: expect.objectContaining({ message_id: id }) }),
      );
    });
    return record(id);
  }

  it('shows no parts of a plain text', async () => {
    const fields = { message_type: 'text', message: 'Hello' };
    const shown = await roundTrip(SEND_MESSAGE, fields, 'text', { text: { body: 'Hello', preview_url: false } });
    expect(shown).toMatchObject({ message_type: 'text', content: 'Hello', reactions: [] });
    for (const name of ['media', 'buttons', 'rendered']) expect(shown).not.toHaveProperty(name);
  });

  const REPLIES = [
    { id: 'yes', title: 'Yes' },
    { id: 'no', title: 'No' },
  ];
  const URL_BUTTON = { display_text: 'Track it', url: 'https://example.com/4711' };
  it.each([
    [{ type: 'reply', reply_buttons: REPLIES }, 'button'],
    [{ type: 'cta_url', url_button: URL_BUTTON }, 'cta_url'],
  ])('shows buttons as they were requested: %j', async (buttons, type) => {
    const fields = { message_type: 'text', message: 'Tomorrow?', buttons };
    const shown = await roundTrip(SEND_MESSAGE, fields, 'interactive', { interactive: { type } });
    expect(shown).toMatchObject({ message_type: 'text', content: 'Tomorrow?' });
    expect(shown.buttons).toEqual(buttons);
  });

  it.each([
    ['image', '/a.jpg', { caption: 'Left at your door' }, { mime_type: 'image/jpeg' }],
    ['video', '/a.mp4', {}, { mime_type: 'video/mp4' }],
    ['audio', '/a.mp3', {}, { mime_type: 'audio/mpeg' }],
    ['document', '/bill.pdf', {}, { mime_type: 'application/pdf', filename: 'bill.pdf' }],
    ['document', '/bill.pdf', { filename: 'May.pdf' }, { mime_type: 'application/pdf', filename: 'May.pdf' }],
  ])('shows the address of a file: %s %s %j', async (type, path, more: Record<string, unknown>, facts) => {
    const link = server.url(path);
    const fields = { message_type: type, media_url: link, ...more };
    const shown = await roundTrip(SEND_MESSAGE, fields, type, { [type]: { link } });
    expect(shown).toMatchObject({ message_type: type, content: more['caption'] ?? '' });
    expect(shown.media).toEqual(linked(path, facts));
    expect(await account.api.get(`/api/v1/messages/${shown.message_id}/media`)).toMatchObject({
      status: 404,
      body: { error: 'media_gone' },
    });
  });

  it('shows a template as its preview does', async () => {
    const { name } = await approvedTemplate(world, account, {
      header: { format: 'TEXT', text: 'Order {{1}}', text_example: { '1': '17' } },
      body: { text: 'Hello {{1}}, it is here.', examples: { '1': 'Ada' } },
      footer: { text: 'Thank you' },
      buttons: [
        { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', url_example: 'x' },
        { type: 'QUICK_REPLY', text: 'Stop' },
      ],
    });
    const values = {
      template_name: name,
      header_data: { '1': '4711' },
      body_data: { '1': 'Grace' },
      button_params: [{ index: 0, url_param: '4711' }],
    };
    const preview = await account.api.post<{ preview: object }>('/api/v1/templates/preview', values);
    const { missing: _, ...expected } = preview.body.preview as { missing: unknown };
    const shown = await roundTrip(SEND, values, 'template', { template: { name } });
    expect(shown).toMatchObject({ message_type: 'template', content: 'Hello Grace, it is here.' });
    expect(shown.rendered).toEqual(expected);
    expect(shown.rendered).toMatchObject({
      header: 'Order 4711',
      body: 'Hello Grace, it is here.',
      buttons: [{ url: 'https://example.com/4711' }, { type: 'QUICK_REPLY', text: 'Stop' }],
    });
  });

  it('shows a template without header, footer and buttons, and the address of the file in a header', async () => {
    const plain = await approvedTemplate(world, account);
    const id = await send(SEND, { template_name: plain.name });
    expect((await record(id)).rendered).toEqual({
      header: null,
      body: 'Hello from the test',
      footer: null,
      buttons: [],
    });
    const media_url = server.url('/a.jpg');
    const pictured = await approvedTemplate(world, account, { header: { format: 'IMAGE' }, media_url });
    const shown = await record(await send(SEND, { template_name: pictured.name, media_url }));
    expect(shown.rendered).toMatchObject({ header: media_url, body: 'Hello from the test' });
    expect(shown).not.toHaveProperty('media');
  });

  it('never shows a one-time code', async () => {
    const { name } = await approvedTemplate(world, account, { category: 'AUTHENTICATION', body: undefined });
    const id = await send(SEND, { template_name: name, body_data: { '1': '314159' } });
    const { text } = await account.api.get(`/api/v1/messages/${id}`);
    expect(text).not.toContain('314159');
    expect((await record(id)).rendered?.body).toContain('•');
    const stored = await world.unitOfWork.autocommit.row('SELECT payload::text FROM messages WHERE id = $1', [id]);
    expect(JSON.stringify(stored)).not.toContain('314159');
  });

  it('shows only the content of a single message of an earlier release', async () => {
    const { name } = await approvedTemplate(world, account);
    const ids = [
      await send(SEND, { template_name: name }),
      await send(SEND_MESSAGE, { message_type: 'image', media_url: server.url('/a.jpg'), caption: 'Look' }),
    ];
    await world.unitOfWork.autocommit.affected('UPDATE messages SET payload = NULL WHERE account_id = $1', [
      account.accountId,
    ]);
    for (const id of ids) {
      expect(await record(id)).not.toHaveProperty('rendered');
      expect(await record(id)).not.toHaveProperty('media');
    }
    expect(await account.api.get(`/api/v1/messages/${ids[1]}/media`)).toMatchObject({ status: 404 });
  });

  it('shows automatic replies with their text', async () => {
    await world.unitOfWork.autocommit.affected("UPDATE organisations SET auto_reply = 'We are closed' WHERE id = $1", [
      account.organisationId,
    ]);
    const before = contact;
    contact = uniquePhone();
    await openWindow(world, account.phone, contact);
    const reply = await until('the reply is there', async () =>
      (await thread()).find(({ direction }) => direction === 'out'),
    );
    expect(reply).toMatchObject({ message_type: 'text', content: 'We are closed', reactions: [] });
    contact = before;
  });

  it('loses its parts when the person is erased', async () => {
    const id = await send(SEND_MESSAGE, {
      message_type: 'text',
      message: 'Private',
      buttons: { type: 'reply', reply_buttons: REPLIES },
    });
    const { contact_id } = await record(id);
    expect((await account.api.delete(`/api/v1/contacts/${contact_id}?erase=true`)).status).toBe(200);
    const shown = await record(id);
    expect(shown).toMatchObject({ content: '' });
    expect(shown).not.toHaveProperty('buttons');
  });

  it('is among those of a thread between two times', async () => {
    const moment = async (): Promise<string> => {
      const at = new Date();
      await until('the clock has moved on', () => Date.now() > at.getTime() + 1);
      return new Date(at.getTime() + 1).toISOString();
    };
    const before = await moment();
    await send(SEND_MESSAGE, { message_type: 'text', message: 'One' });
    const middle = await moment();
    await send(SEND_MESSAGE, { message_type: 'text', message: 'Two' });
    const between = async (since: string, until_: string): Promise<unknown[]> =>
      (await thread(`?since=${since}&until=${until_}`)).map(({ content }) => content);
    const later = '2099-01-01';
    expect(await between(middle, later)).toEqual(['Two']);
    expect(await between(before, later)).toEqual(['Two', 'One']);
    expect(await between(before, middle)).toEqual(['One']);
    expect(
      await account.api.get(`/api/v1/conversations/${contact}/messages?since=${later}&until=2026-01-01`),
    ).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^since must not be after until/) } });
  });
});
