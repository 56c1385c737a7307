import { newRecordId } from '../../src/values/record-id.js';
import type { LoopbackServer } from '../support/loopback-server.js';
import { padded, SAMPLES, typeHeader } from '../support/media-samples.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';
import { startWithFiles } from '../support/world-with-files.js';
import { ISO, openWindow, recordOf, SEND_MESSAGE, secondsAgo, sentUpstream, UUID } from './messages.js';

interface Sent {
  message_id: string;
  contact_id: string;
  message: string;
  detail: string;
}

const MB = 1024 * 1024;
/** Files of the media server by path; large sizes are only announced. */
const files: Record<string, Buffer> = {
  '/a.jpg': SAMPLES.JPEG,
  '/a.png': SAMPLES.PNG,
  '/a.mp4': SAMPLES.MP4,
  '/a.mp3': SAMPLES.MP3,
  '/a.pdf': SAMPLES.PDF,
  '/files/invoice%204711.pdf': SAMPLES.PDF,
  '/': SAMPLES.PDF,
};

describe('sending a free-form message', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let stop: () => Promise<void>;
  let contact: string;

  beforeAll(async () => {
    ({ world, server, stop } = await startWithFiles((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      const file = files[pathname];
      if (file === undefined) return void response.writeHead(Number(pathname.slice(1)) || 404).end();
      const size = Number(searchParams.get('size') ?? file.length);
      const range = { 'content-range': `bytes 0-${Math.min(size, 4096) - 1}/${size}` };
      response.writeHead(206, { ...typeHeader(pathname === '/' ? '.pdf' : pathname), ...range });
      response.end(padded(file, Math.min(size, 4096)));
    }));
    await world.simulator.behave({ statuses: [] });
    account = await world.account({ phones: 2 });
    contact = uniquePhone();
    await openWindow(world, account.phone, contact);
  });
  afterAll(() => stop());

  const send = (fields: Record<string, unknown>) =>
    account.api.post<Sent>(SEND_MESSAGE, { contact_phone: contact, ...fields });
  const text = (message: string, more: Record<string, unknown> = {}) =>
    send({ message_type: 'text', message, ...more });
  const standard = (status: number, message: unknown) => ({
    status,
    body: { error: status === 422 ? 'unprocessable_entity' : 'bad_request', message },
  });
  /** Sends a message that must not reach the network; returns status and body. */
  const refused = async (fields: Record<string, unknown>) => {
    const before = (await sentUpstream(world, account.phone)).length;
    const { status, body } = await send(fields);
    expect((await sentUpstream(world, account.phone)).length).toBe(before);
    return { status, body };
  };
  const frame = (type: string, messageId: string) => ({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: `+${contact}`,
    type,
    biz_opaque_callback_data: messageId,
  });
  const lastSent = async () => (await sentUpstream(world, account.phone)).at(-1);

  describe('inside the 24-hour window', () => {
    it('answers status, message, message_id, contact_id, message_type and timestamp', async () => {
      const { status, body } = await text('Hello');
      expect(status).toBe(200);
      expect(body).toEqual({
        status: 'success',
        message: 'The network accepted the message',
        message_id: expect.stringMatching(UUID),
        contact_id: expect.stringMatching(UUID),
        message_type: 'text',
        timestamp: expect.stringMatching(ISO),
      });
      expect(await lastSent()).toEqual({
        ...frame('text', body.message_id),
        text: { body: 'Hello', preview_url: false },
      });
      expect(await recordOf(account, body.message_id)).toMatchObject({ status: 'sent', content: 'Hello' });
    });

    it.each([
      ['image', '/a.jpg', { caption: 'Look' }],
      ['image', '/a.png', {}],
      ['video', '/a.mp4', { caption: 'Look' }],
      ['audio', '/a.mp3', {}],
      ['document', '/a.pdf', { caption: 'Read', filename: 'bill.pdf' }],
    ])('sends %s %s by link, with caption and filename', async (message_type, path, more) => {
      const media_url = server.url(path);
      const { status, body } = await send({ message_type, media_url, ...more });
      expect(status).toBe(200);
      expect(body).toMatchObject({ message_type });
      expect(await lastSent()).toEqual({
        ...frame(message_type, body.message_id),
        [message_type]: { link: media_url, ...more },
      });
      expect(await recordOf(account, body.message_id)).toMatchObject({
        message_type,
        content: 'caption' in more ? more.caption : '',
      });
    });

    it.each([
      ['/files/invoice%204711.pdf?sig=abc', 'invoice 4711.pdf'],
      ['/', 'document.pdf'],
    ])('names a document without filename after its URL %s, else its type: %s', async (path, filename) => {
      const media_url = server.url(path);
      const { body } = await send({ message_type: 'document', media_url });
      expect(await lastSent()).toEqual({
        ...frame('document', body.message_id),
        document: { link: media_url, filename },
      });
    });

    it('sends reply buttons', async () => {
      const reply_buttons = [
        { id: 'yes', title: 'Yes' },
        { id: 'no', title: 'No' },
        { id: 'later', title: 'Later' },
      ];
      const { body } = await text('Coming?', { buttons: { type: 'reply', reply_buttons } });
      const buttons = reply_buttons.map((reply) => ({ type: 'reply', reply }));
      expect(await lastSent()).toEqual({
        ...frame('interactive', body.message_id),
        interactive: { type: 'button', body: { text: 'Coming?' }, action: { buttons } },
      });
    });

    it('sends a website button', async () => {
      const url_button = { display_text: 'Open', url: 'https://shop.example/a?b=c' };
      const { body } = await text('See', { buttons: { type: 'cta_url', url_button } });
      expect(await lastSent()).toEqual({
        ...frame('interactive', body.message_id),
        interactive: {
          type: 'cta_url',
          body: { text: 'See' },
          action: { name: 'cta_url', parameters: url_button },
        },
      });
    });

    it('applies contact_name only to a contact with a default name', async () => {
      const contact_phone = uniquePhone();
      await openWindow(world, account.phone, contact_phone);
      const nameAfter = async (contact_name: string): Promise<unknown> => {
        const { body } = await text('Hi', { contact_phone, contact_name });
        return (await recordOf(account, body.message_id)).contact_name;
      };
      expect(await nameAfter(' ')).toMatch(/^User #\d{6}$/);
      expect(await nameAfter('Ada Lindgrove')).toBe('Ada Lindgrove');
      expect(await nameAfter('Grace Harbour')).toBe('Ada Lindgrove');
    });

    it('revives a deleted contact under its id', async () => {
      const contact_phone = uniquePhone();
      await openWindow(world, account.phone, contact_phone);
      const { body } = await text('Hi', { contact_phone });
      const path = `/api/v1/contacts/${body.contact_id}`;
      expect((await account.api.delete(path)).status).toBe(200);
      const again = await text('Hi again', { contact_phone });
      expect([again.status, again.body.contact_id]).toEqual([200, body.contact_id]);
      expect((await account.api.get(path)).status).toBe(200);
    });

    it('goes out from the phone in waba_phone_id, within that phone’s window', async () => {
      const [, second] = account.phones;
      if (second === undefined) throw new Error('the account has two phones');
      const closed = await refused({ message_type: 'text', message: 'Hi', waba_phone_id: second.id });
      expect(closed.status).toBe(403);
      await openWindow(world, second, contact);
      expect((await text('Hi', { waba_phone_id: second.id })).status).toBe(200);
      expect((await sentUpstream(world, second)).map(({ to }) => to)).toEqual([`+${contact}`]);
    });
  });

  describe('at the limits', () => {
    it('accepts a text of at most 4,096 characters, counted as code points', async () => {
      expect((await text('😀'.repeat(4096))).status).toBe(200);
      expect(await refused({ message_type: 'text', message: '😀'.repeat(4097) })).toEqual(
        standard(400, 'message must be at most 4096 characters (got 4097)'),
      );
    });

    it('accepts 1,024 characters with buttons, and answers 422 to more', async () => {
      const buttons = { type: 'reply', reply_buttons: [{ id: 'a', title: 'A' }] };
      expect((await text('x'.repeat(1024), { buttons })).status).toBe(200);
      expect(await refused({ message_type: 'text', message: 'x'.repeat(1025), buttons })).toEqual(
        standard(422, 'message must be at most 1024 characters when buttons are present (got 1025)'),
      );
    });

    it.each(['image', 'video', 'document'])('accepts a caption of at most 1,024 characters on %s', async (kind) => {
      const media_url = server.url({ image: '/a.png', video: '/a.mp4', document: '/a.pdf' }[kind]);
      expect((await send({ message_type: kind, media_url, caption: 'é'.repeat(1024) })).status).toBe(200);
      expect(await refused({ message_type: kind, media_url, caption: 'é'.repeat(1025) })).toEqual(
        standard(400, 'caption must be at most 1024 characters (got 1025)'),
      );
    });

    it('accepts ids of 256 and titles of 20 characters on reply buttons, and answers 422 to more', async () => {
      const reply = (id: string, title: string) => ({ type: 'reply', reply_buttons: [{ id, title }] });
      expect((await text('Hi', { buttons: reply('i'.repeat(256), 't'.repeat(20)) })).status).toBe(200);
      expect(await refused({ message_type: 'text', message: 'Hi', buttons: reply('i'.repeat(257), 'T') })).toEqual(
        standard(422, 'buttons.reply_buttons[0].id must be at most 256 characters (got 257)'),
      );
      expect(await refused({ message_type: 'text', message: 'Hi', buttons: reply('i', 't'.repeat(21)) })).toEqual(
        standard(422, 'buttons.reply_buttons[0].title must be at most 20 characters (got 21)'),
      );
    });

    it('accepts a display_text of 20 characters on a website button, and answers 422 to more', async () => {
      const website = (display_text: string) => ({
        type: 'cta_url',
        url_button: { display_text, url: 'http://shop.example' },
      });
      expect((await text('Hi', { buttons: website('d'.repeat(20)) })).status).toBe(200);
      expect(await refused({ message_type: 'text', message: 'Hi', buttons: website('d'.repeat(21)) })).toEqual(
        standard(422, 'buttons.url_button.display_text must be at most 20 characters (got 21)'),
      );
    });

    it.each([
      ['image', '/a.jpg', 5],
      ['video', '/a.mp4', 16],
      ['audio', '/a.mp3', 16],
      ['document', '/a.pdf', 100],
    ])('accepts %s of its maximum size, and no byte more', async (message_type, path, megabytes) => {
      const most = megabytes * MB;
      expect((await send({ message_type, media_url: server.url(`${path}?size=${most}`) })).status).toBe(200);
      expect(await refused({ message_type, media_url: server.url(`${path}?size=${most + 1}`) })).toEqual(
        standard(400, expect.stringMatching(new RegExp(`^media_url .*${megabytes} MB`))),
      );
    });

    it('accepts a URL of the maximum number of characters, and no character more', async () => {
      const media_url = `${server.url('/a.png')}?${'x'.repeat(1900)}`;
      const longest = media_url + '😀'.repeat(2048 - media_url.length);
      expect((await send({ message_type: 'image', media_url: longest })).status).toBe(200);
      expect(await refused({ message_type: 'image', media_url: `${longest}😀` })).toEqual(
        standard(400, 'media_url must be at most 2048 characters (got 2049)'),
      );
    });
  });

  describe('answers 400', () => {
    const media_url = 'https://media.example/a.png';
    it.each([
      [{ contact_phone: '+4915112345678' }, /^contact_phone must be 7 to 15 digits/],
      [{ contact_phone: undefined }, 'contact_phone or contact_user_id is required'],
      [
        { message_type: undefined },
        /^message_type is required: one of text, image, video, audio, document, sticker, list, /,
      ],
      [{ message_type: 'stamp' }, /^message_type must be one of text, image, .* \(got stamp\)$/],
      [{ message: undefined }, 'message is required when message_type is text'],
      [{ message: '  ' }, 'message is required when message_type is text'],
      [{ message: 5 }, 'message must be a string, not a number (5)'],
      [{ caption: 'x' }, 'caption is only allowed with message_type image, video or document (got text)'],
      [{ filename: 'x' }, 'filename is only allowed with message_type document (got text)'],
      [{ message_type: 'image' }, 'media_url is required when message_type is image, unless media_id is given'],
      [
        { message_type: 'audio', media_url, caption: 'x' },
        'caption is only allowed with message_type image, video or document (got audio)',
      ],
      [{ message_type: 'image', media_url, filename: 'x' }, /^filename is only allowed with message_type document/],
      [{ message_type: 'image', media_url: 'ftp://a.example/b' }, /^media_url must be a valid URL that starts with/],
      [{ message_type: 'image', media_url: 'not a url' }, /^media_url must be a valid URL that starts with/],
      [{ waba_phone_id: 'x' }, 'waba_phone_id must be an id (got x)'],
      [{ buttons: 'x' }, 'buttons must be an object, not a string ("x")'],
      [{ buttons: ['a'] }, 'buttons must be an object, not an array (["a"])'],
    ])('to %j, also when the window is closed', async (fields, message) => {
      const expected = standard(400, typeof message === 'string' ? message : expect.stringMatching(message));
      expect(await refused({ message_type: 'text', message: 'Hi', contact_phone: uniquePhone(), ...fields })).toEqual(
        expected,
      );
    });

    it.each([
      [404, 'Media download failed: media_url answered HTTP 404'],
      [500, 'Media download failed: media_url answered HTTP 500'],
    ])('naming the HTTP status %i of media that cannot be downloaded', async (code, message) => {
      expect(await refused({ message_type: 'image', media_url: server.url(`/${code}`) })).toEqual(
        standard(400, message),
      );
    });

    it('to media of an unsupported type, whatever their name', async () => {
      for (const [message_type, path] of [
        ['image', '/a.pdf'],
        ['video', '/a.png'],
        ['audio', '/a.mp4'],
        ['document', '/a.png'],
      ]) {
        expect(await refused({ message_type, media_url: server.url(path) })).toEqual(
          standard(400, expect.stringMatching(/^media_url /)),
        );
      }
    });

    it('to media on a non-public address', async () => {
      expect(await refused({ message_type: 'image', media_url: 'http://169.254.169.254/latest' })).toEqual(
        standard(400, expect.stringMatching(/^media_url .*not public/)),
      );
    });
  });

  it('answers 401 without a valid key, before it reads the body', async () => {
    const answer = await fetch(world.baseUrl + SEND_MESSAGE, { method: 'POST', body: '{' });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'unauthorized' }]);
  });

  it('answers 429 beyond the rate limit of the key', async () => {
    const slow = await world.account({ rateLimit: 1 });
    const fields = { contact_phone: uniquePhone(), message_type: 'text', message: 'Hi' };
    expect((await slow.api.post(SEND_MESSAGE, fields)).status).toBe(403);
    expect(await slow.api.post(SEND_MESSAGE, fields)).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
  });

  describe('answers 422 to buttons', () => {
    const reply_buttons = [{ id: 'a', title: 'A' }];
    const url_button = { display_text: 'Open', url: 'https://shop.example' };
    it.each([
      ['of no type', { reply_buttons }, /^buttons.type must be reply or cta_url \(got nothing\)$/],
      ['of an unknown type', { type: 'list' }, /^buttons.type must be reply or cta_url \(got "list"\)$/],
      ['of both kinds', { type: 'reply', reply_buttons, url_button }, /must not combine/],
      ['of both kinds', { type: 'cta_url', reply_buttons, url_button }, /must not combine/],
      ['without replies', { type: 'reply' }, /^buttons.reply_buttons is required when buttons.type is reply$/],
      [
        'with zero replies',
        { type: 'reply', reply_buttons: [] },
        /reply_buttons is required when buttons.type is reply$/,
      ],
      [
        'with four replies',
        { type: 'reply', reply_buttons: ['a', 'b', 'c', 'd'].map((id) => ({ id, title: id })) },
        /must have 1 to 3 items \(got 4\)$/,
      ],
      ['without a website', { type: 'cta_url' }, /^buttons.url_button is required when buttons.type is cta_url$/],
      ['with two websites', { type: 'cta_url', url_button: [url_button, url_button] }, /^buttons.url_button/],
      ['without an id', { type: 'reply', reply_buttons: [{ title: 'A' }] }, /reply_buttons\[0\].id is required$/],
      ['without a title', { type: 'reply', reply_buttons: [{ id: 'a' }] }, /reply_buttons\[0\].title is required$/],
      ['with a numeric title', { type: 'reply', reply_buttons: [{ id: 'a', title: 1 }] }, /must be a string$/],
      [
        'with a repeated title',
        { type: 'reply', reply_buttons: [...reply_buttons, { id: 'b', title: 'A' }] },
        /must not repeat the same title \(got "A" twice\)$/,
      ],
      ['without display_text', { type: 'cta_url', url_button: { url: 'https://a.example' } }, /display_text is req/],
      ['without url', { type: 'cta_url', url_button: { display_text: 'Open' } }, /url_button.url is required$/],
      [
        'with a url of an unsupported scheme',
        { type: 'cta_url', url_button: { display_text: 'Open', url: 'ftp://a.example' } },
        /^buttons.url_button.url must start with http:\/\/ or https:\/\/ \(got ftp:\/\/a.example\)$/,
      ],
      [
        'with a url without a host',
        { type: 'cta_url', url_button: { display_text: 'Open', url: 'https:///path' } },
        /^buttons.url_button.url must be a valid URL \(got https:\/\/\/path\)$/,
      ],
    ])('%s', async (_, buttons, message) => {
      expect(await refused({ message_type: 'text', message: 'Hi', buttons })).toEqual(
        standard(422, expect.stringMatching(message)),
      );
    });

    it('without a message', async () => {
      const buttons = { type: 'reply', reply_buttons };
      expect(await refused({ message_type: 'text', buttons })).toEqual(
        standard(422, 'message is required when buttons are present'),
      );
    });

    it.each(['image', 'video', 'audio', 'document'])('on %s', async (message_type) => {
      const buttons = { type: 'reply', reply_buttons };
      const media_url = server.url('/a.png');
      expect(await refused({ message_type, media_url, message: 'Hi', buttons })).toEqual(
        standard(422, `buttons are only allowed with message_type text (got ${message_type})`),
      );
    });
  });

  describe('outside the 24-hour window', () => {
    const never = expect.stringMatching(
      /has not sent a message to this business number.*POST \/api\/v1\/messages\/send /,
    );

    it('answers 403 with a detail that advises the template endpoint when the contact never wrote', async () => {
      const contact_phone = uniquePhone();
      expect(await refused({ message_type: 'text', message: 'Hi', contact_phone })).toEqual({
        status: 403,
        body: { detail: never },
      });
      const { body } = await account.api.get<{ total: number }>(`/api/v1/contacts/?search=${contact_phone}`);
      expect(body.total).toBe(0);
    });

    it('answers 403 with a detail that states the time of the last inbound message when it has expired', async () => {
      const contact_phone = uniquePhone();
      const timestamp = secondsAgo(24 * 3600);
      await openWindow(world, account.phone, contact_phone, { timestamp });
      const { status, body } = await refused({ message_type: 'text', message: 'Hi', contact_phone });
      expect(status).toBe(403);
      expect(body).toEqual({ detail: expect.stringContaining(new Date(timestamp * 1000).toISOString()) });
    });

    it('closes 24 hours after the contact’s own message time', async () => {
      const contact_phone = uniquePhone();
      await openWindow(world, account.phone, contact_phone, { timestamp: secondsAgo(24 * 3600 - 60) });
      expect((await text('Hi', { contact_phone })).status).toBe(200);
    });

    it('answers 403 with buttons too, and before media are fetched', async () => {
      const contact_phone = uniquePhone();
      const buttons = { type: 'reply', reply_buttons: [{ id: 'a', title: 'A' }] };
      const closed = { status: 403, body: { detail: never } };
      expect(await refused({ message_type: 'text', message: 'Hi', buttons, contact_phone })).toEqual(closed);
      const asked = server.requests.length;
      const media_url = server.url('/404');
      expect(await refused({ message_type: 'image', media_url, contact_phone })).toEqual(closed);
      expect(server.requests.length).toBe(asked);
    });

    it('answers 422 for buttons before 403 for the window', async () => {
      const fields = { message_type: 'text', message: 'Hi', contact_phone: uniquePhone() };
      expect((await refused({ ...fields, buttons: { type: 'reply' } })).status).toBe(422);
      expect((await refused({ ...fields, buttons: { type: 'reply' }, waba_phone_id: newRecordId() })).status).toBe(422);
    });

    it('answers 403 with a detail for another account’s phone', async () => {
      for (const waba_phone_id of [newRecordId(), (await world.account()).phone.id]) {
        expect(await refused({ message_type: 'text', message: 'Hi', waba_phone_id })).toEqual({
          status: 403,
          body: { detail: `no access to business phone ${waba_phone_id}` },
        });
      }
    });
  });
});
