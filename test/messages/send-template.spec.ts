import { ApiClient } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
import type { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { startWithFiles } from '../support/world-with-files.js';
import { ISO, openWindow, recordOf, SEND, sentUpstream, UUID } from './messages.js';

interface Sent {
  message_id: string;
  contact_id: string;
  message: string;
}

interface Contact {
  first_name: string;
  last_name: string | null;
  source: string;
  phone_number: string;
}

const files: Record<string, Buffer> = {
  '/a.png': SAMPLES.PNG,
  '/a.mp4': SAMPLES.MP4,
  '/a.pdf': SAMPLES.PDF,
  '/bill%204711.pdf': SAMPLES.PDF,
  '/folder/': SAMPLES.PDF,
};

describe('sending a template message', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ world, server, stop } = await startWithFiles(files));
    await world.simulator.behave({ statuses: [] });
    account = await world.account({ phones: 2 });
  });
  afterAll(() => stop());

  const send = (fields: Record<string, unknown>, from: TestAccount = account) => from.api.post<Sent>(SEND, fields);
  const contactOf = async (contactId: string): Promise<Contact> =>
    (await account.api.get<{ contact: Contact }>(`/api/v1/contacts/${contactId}`)).body.contact;

  const contactsOf = async (phone: string): Promise<number> =>
    (await account.api.get<{ total: number }>(`/api/v1/contacts/?search=${phone}`)).body.total;

  /** Creates a template, sends it with `fields` and returns the body the network received. */
  async function sentWith(template: Record<string, unknown>, fields: Record<string, unknown>) {
    const { name } = await approvedTemplate(world, account, template);
    const contact_phone = uniquePhone();
    const { status, body, text } = await send({ template_name: name, contact_phone, ...fields });
    if (status !== 200) throw new Error(text);
    const [request] = (await sentUpstream(world, account.phone)).slice(-1);
    const frame = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${contact_phone}`,
      type: 'template',
      biz_opaque_callback_data: body.message_id,
    };
    return {
      request,
      message: (components: unknown[]) => ({
        ...frame,
        template: { name, language: { code: 'en_US' }, components },
      }),
    };
  }

  describe('that the network accepts', () => {
    it('answers status, message, message_id, contact_id, template_name and timestamp', async () => {
      const { name } = await approvedTemplate(world, account);
      const { status, body } = await send({ template_name: name, contact_phone: uniquePhone() });
      expect(status).toBe(200);
      expect(body).toEqual({
        status: 'success',
        message: 'The network accepted the message',
        message_id: expect.stringMatching(UUID),
        contact_id: expect.stringMatching(UUID),
        template_name: name,
        timestamp: expect.stringMatching(ISO),
      });
      const [accepted] = (await world.simulator.ledger(account.phone.phoneNumberId)).slice(-1);
      expect(await recordOf(account, body.message_id)).toMatchObject({
        status: 'sent',
        content: 'Hello from the test',
        network_message_id: accepted?.id,
      });
    });

    it('needs no open window', async () => {
      const { name } = await approvedTemplate(world, account);
      expect((await send({ template_name: name, contact_phone: uniquePhone() })).status).toBe(200);
    });

    it('goes out without components when the template has no variables', async () => {
      const { request, message } = await sentWith({}, {});
      expect(request).toEqual(message([]));
    });

    it('sends positional variables in numeric order, whatever the order of the keys', async () => {
      const { request, message } = await sentWith(
        { body: { text: 'Hi {{1}}, your {{2}} is {{3}}' } },
        { body_data: { '3': 'ready', '1': 'Ada', '2': 'order' } },
      );
      const parameters = ['Ada', 'order', 'ready'].map((text) => ({ type: 'text', text }));
      expect(request).toEqual(message([{ type: 'body', parameters }]));
    });

    it('sends named variables by name', async () => {
      const { request, message } = await sentWith(
        { body: { text: 'Hi {{first}}, see {{thing}}' } },
        { body_data: { thing: 'this', first: 'Ada' } },
      );
      const parameters = [
        { type: 'text', parameter_name: 'first', text: 'Ada' },
        { type: 'text', parameter_name: 'thing', text: 'this' },
      ];
      expect(request).toEqual(message([{ type: 'body', parameters }]));
    });

    it('fills a TEXT header from header_data', async () => {
      const { request, message } = await sentWith(
        { header: { format: 'TEXT', text: 'Order {{1}}' } },
        { header_data: { '1': 'A-17' } },
      );
      expect(request).toEqual(message([{ type: 'header', parameters: [{ type: 'text', text: 'A-17' }] }]));
    });

    it.each([
      ['IMAGE', '/a.png', {}],
      ['VIDEO', '/a.mp4', {}],
      ['DOCUMENT', '/a.pdf', { filename: 'bill.pdf' }],
    ])('sends the file of %s headers by link', async (format, path, more) => {
      const media_url = server.url(path);
      const { request, message } = await sentWith({ header: { format }, media_url }, { media_url, ...more });
      const kind = format.toLowerCase();
      const parameter = { type: kind, [kind]: { link: media_url, ...more } };
      expect(request).toEqual(message([{ type: 'header', parameters: [parameter] }]));
    });

    it.each([
      ['/bill%204711.pdf', {}, 'bill 4711.pdf'],
      ['/bill%204711.pdf', { filename: ' ' }, 'bill 4711.pdf'],
      ['/bill%204711.pdf', { filename: 'mine.pdf' }, 'mine.pdf'],
      ['/folder/', {}, 'document.pdf'],
    ])('names the document at %s, sent with %j: %s', async (path, more, filename) => {
      const media_url = server.url(path);
      const { request, message } = await sentWith(
        { header: { format: 'DOCUMENT' }, media_url: server.url('/a.pdf') },
        { media_url, ...more },
      );
      const parameter = { type: 'document', document: { link: media_url, filename } };
      expect(request).toEqual(message([{ type: 'header', parameters: [parameter] }]));
    });

    it('sends the given place in a LOCATION header', async () => {
      const location = { latitude: 52.52, longitude: -13.4, name: 'Shop', address: 'Main St 1' };
      const { request, message } = await sentWith({ header: { format: 'LOCATION' } }, { location });
      expect(request).toEqual(message([{ type: 'header', parameters: [{ type: 'location', location }] }]));
    });

    it('sends expiration_time_ms with a limited-time offer', async () => {
      const expiration_time_ms = Date.now() + 3_600_000;
      const { request, message } = await sentWith(
        {
          category: 'MARKETING',
          limited_time_offer: { text: 'Ends soon' },
          offer_code: 'SAVE10',
          buttons: [{ type: 'COPY_CODE', text: 'Copy' }],
        },
        { expiration_time_ms },
      );
      const offer = { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } };
      const coupon = { type: 'coupon_code', coupon_code: 'SAVE10' };
      expect(request).toEqual(
        message([
          { type: 'limited_time_offer', parameters: [offer] },
          { type: 'button', sub_type: 'copy_code', index: '0', parameters: [coupon] },
        ]),
      );
    });

    it('puts the code of an AUTHENTICATION template in body and button', async () => {
      const { request, message } = await sentWith(
        { category: 'AUTHENTICATION', body: undefined },
        { body_data: { '1': '123456' } },
      );
      const parameters = [{ type: 'text', text: '123456' }];
      expect(request).toEqual(
        message([
          { type: 'body', parameters },
          { type: 'button', sub_type: 'url', index: '0', parameters },
        ]),
      );
      const { content } = await recordOf(account, request?.['biz_opaque_callback_data']);
      expect(content).toContain('•');
      expect(content).not.toContain('123456');
    });

    it('does not quote a code in the error for a wrong type', async () => {
      const { status, body } = await send({
        template_name: 'any',
        contact_phone: '4915112345678',
        body_data: { '1': 123456 },
      });
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: 'body_data.1 must be a string, not a number',
      });
    });

    it('sends the parameters of its buttons', async () => {
      const { request, message } = await sentWith(
        {
          category: 'MARKETING',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Yes' },
            { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', url_example: 'https://shop.example/1' },
            { type: 'COPY_CODE', copy_code_example: 'SPRING' },
          ],
        },
        {
          button_params: [
            { index: 2, coupon_code: 'SUMMER' },
            { index: 1, url_param: 'A-17' },
            { index: 0, payload: 'said-yes' },
          ],
        },
      );
      const button = (sub_type: string, index: string, parameter: unknown) => ({
        type: 'button',
        sub_type,
        index,
        parameters: [parameter],
      });
      expect(request).toEqual(
        message([
          button('quick_reply', '0', { type: 'payload', payload: 'said-yes' }),
          button('url', '1', { type: 'text', text: 'A-17' }),
          button('copy_code', '2', { type: 'coupon_code', coupon_code: 'SUMMER' }),
        ]),
      );
    });

    it('fills each carousel card from its entry in carousel_data, and requires one per card', async () => {
      const media_url = server.url('/a.png');
      const url = { type: 'URL', text: 'Buy', url: 'https://shop.example/{{1}}' };
      const card = { header_format: 'IMAGE', media_url, body_text: 'Nice', buttons: [url] };
      const created = await account.api.post('/api/v1/templates/create-carousel', {
        name: 'cards',
        body: { text: 'Hello' },
        cards: [card, card],
      });
      const fields = { template_name: 'cards', contact_phone: uniquePhone() };
      await until('the template is approved', async () => {
        const { body } = await account.api.get(`/api/v1/templates/${created.body['template_id']}`);
        return JSON.stringify(body).includes('APPROVED');
      });
      const carousel_data = ['a', 'b'].map((suffix) => ({ media_url, url_button_params: [suffix] }));
      expect((await send({ ...fields, carousel_data })).status).toBe(200);
      const components = (suffix: string) => [
        { type: 'header', parameters: [{ type: 'image', image: { link: media_url } }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: suffix }] },
      ];
      const cards = ['a', 'b'].map((suffix, card_index) => ({ card_index, components: components(suffix) }));
      expect((await sentUpstream(world, account.phone)).at(-1)).toMatchObject({
        template: { name: 'cards', components: [{ type: 'carousel', cards }] },
      });
      const requires = async (more: Record<string, unknown>) => (await send({ ...fields, ...more })).body.message;
      expect(await requires({})).toBe('template cards requires carousel_data');
      expect(await requires({ carousel_data: carousel_data.slice(1) })).toMatch(/^carousel_data must have 2 entries/);
      expect(await requires({ carousel_data: [{ media_url }, { media_url }] })).toBe(
        'template cards requires carousel_data[0].url_button_params[0], carousel_data[1].url_button_params[0]',
      );
      const gone = { media_url: server.url('/gone.png'), url_button_params: ['b'] };
      expect(await requires({ carousel_data: [carousel_data[0], gone] })).toMatch(
        /carousel_data\[1\]\.media_url answered HTTP 404/,
      );
    });

    it('goes out from the phone in waba_phone_id', async () => {
      const { name } = await approvedTemplate(world, account);
      const [, second] = account.phones;
      const contact_phone = uniquePhone();
      const { body } = await send({ template_name: name, contact_phone, waba_phone_id: second?.id });
      const ledger = await world.simulator.ledger(String(second?.phoneNumberId));
      expect(ledger.map(({ to }) => to)).toEqual([contact_phone]);
      expect(await recordOf(account, body.message_id)).toMatchObject({ waba_phone_id: second?.id });
    });

    it('uses template_language, or the only language without it', async () => {
      const { name } = await approvedTemplate(world, account, { language: 'de' });
      const send1 = await send({ template_name: name, contact_phone: uniquePhone() });
      const send2 = await send({ template_name: name, template_language: 'de', contact_phone: uniquePhone() });
      expect([send1.status, send2.status]).toEqual([200, 200]);
      const [last] = (await sentUpstream(world, account.phone)).slice(-1);
      expect(last).toMatchObject({ template: { name, language: { code: 'de' } } });
    });
  });

  describe('to a phone number that is not yet a contact', () => {
    let name: string;
    beforeAll(async () => {
      name = (await approvedTemplate(world, account)).name;
    });

    it('creates the contact, called User # and six digits when contact_name is omitted', async () => {
      const contact_phone = uniquePhone();
      const { body } = await send({ template_name: name, contact_phone });
      expect(await contactOf(body.contact_id)).toMatchObject({
        phone_number: contact_phone,
        first_name: expect.stringMatching(/^User #\d{6}$/),
        last_name: null,
        source: 'send',
      });
    });

    it('splits contact_name at the first space, and replaces only a default name', async () => {
      const contact_phone = uniquePhone();
      await send({ template_name: name, contact_phone });
      const { body } = await send({ template_name: name, contact_phone, contact_name: 'Ada King Lindgrove' });
      expect(await contactOf(body.contact_id)).toMatchObject({ first_name: 'Ada', last_name: 'King Lindgrove' });
      await send({ template_name: name, contact_phone, contact_name: 'Bob' });
      expect(await contactOf(body.contact_id)).toMatchObject({ first_name: 'Ada', last_name: 'King Lindgrove' });
    });

    it('creates one contact for 50 concurrent sends', async () => {
      const contact_phone = uniquePhone();
      // All at once: only those that come before the first is stored could create another one.
      const answers = await crowd(50, () => send({ template_name: name, contact_phone, contact_name: 'Ada' }), 50);
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
      expect(new Set(answers.map(({ body }) => body.contact_id)).size).toBe(1);
      expect(new Set(answers.map(({ body }) => body.message_id)).size).toBe(50);
      expect(await contactsOf(contact_phone)).toBe(1);
    });

    it('creates one contact for concurrent sends of two processes, a campaign and inbound messages', async () => {
      const contact_phone = uniquePhone();
      const other = await World.start({ env: { PARLEY_ROLES: 'api', NETWORK_BASE_URL: world.simulator.url } });
      try {
        const api = new ApiClient(other.baseUrl, account.apiKey);
        const sending = crowd(10, (index) =>
          (index % 2 === 0 ? api : account.api).post<Sent>(SEND, { template_name: name, contact_phone }),
        );
        const writing = crowd(10, () => openWindow(world, account.phone, contact_phone));
        const contacts = [{ phone: contact_phone }];
        const creating = account.api.post('/api/v1/campaigns/', { name: 'Spring', template_name: name, contacts });
        const [sent] = await Promise.all([sending, writing, creating]);
        expect(sent.map(({ status }) => status)).toEqual(Array(10).fill(200));
        expect(new Set(sent.map(({ body }) => body.contact_id)).size).toBe(1);
        expect((await creating).body).toMatchObject({ total_contacts: 1 });
      } finally {
        await other.stop();
      }
      expect(await contactsOf(contact_phone)).toBe(1);
      const { body } = await account.api.get<{ total: number }>(`/api/v1/messages/?contact_phone=${contact_phone}`);
      expect(body.total).toBe(20);
    });
  });
});
