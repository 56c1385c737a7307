import type { CreateCampaignResponse } from '../../src/campaigns/dto/create-campaign.dto.js';
import { eventsOf, openWindow, sentUpstream } from '../messages/messages.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES, typeHeader } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { badRequest, PATIENT } from './campaigns.js';

type Fields = Record<string, unknown>;

const TWO_VARIABLES = {
  body: { text: 'Hello {{1}}, your order {{2}} is ready.', examples: { '1': 'Ada', '2': '4711' } },
};

describe('personal values in a campaign', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let two: { name: string };
  /** What happens before `held.png` is answered. */
  let heldFile: () => Promise<void> = () => Promise.resolve();

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ statuses: [] });
    server = await LoopbackServer.start(async (request, response) => {
      if (request.url?.endsWith('/held.png')) await heldFile();
      if (request.url?.endsWith('.png')) response.writeHead(200, typeHeader('.png')).end(SAMPLES.PNG);
      else response.writeHead(404).end();
    });
  });
  beforeEach(async () => {
    account = await world.account({ credits: 100 });
    two = await approvedTemplate(world, account, TWO_VARIABLES);
  });
  afterAll(async () => {
    await world.stop();
    await server.stop();
  });

  const create = (fields: Fields, template: { name: string } = two) =>
    account.api.post<CreateCampaignResponse & { message: string }>('/api/v1/campaigns/', {
      name: 'Orders',
      template_name: template.name,
      ...fields,
    });
  const refused = async (fields: Fields, template = two) => {
    const { status, body } = await create(fields, template);
    return { status, message: body.message };
  };
  /** Sends the campaign and waits until it is completed. */
  const send = async (id: string): Promise<void> => {
    const { status, text } = await account.api.post(`/api/v1/campaigns/${id}/send`);
    if (status !== 202) throw new Error(text);
    await until('the campaign is completed', async () => {
      const { body } = await account.api.get<Fields>(`/api/v1/campaigns/${id}/stats`);
      return body['campaign_status'] === 'completed';
    });
  };
  const created = async (fields: Fields, template = two): Promise<string> => {
    const { status, body, text } = await create(fields, template);
    if (status !== 200) throw new Error(text);
    return body.campaign_id;
  };
  const sent = async (fields: Fields, template = two): Promise<string> => {
    const id = await created(fields, template);
    await send(id);
    return id;
  };
  /** The components that the network received, by recipient. */
  const componentsByPhone = async (): Promise<Record<string, unknown>> => {
    const requests = (await sentUpstream(world, account.phone)) as { to: string; template: { components: unknown } }[];
    return Object.fromEntries(requests.map(({ to, template }) => [to.replace('+', ''), template.components]));
  };
  const texts = (...values: string[]) => ({ type: 'body', parameters: values.map((text) => ({ type: 'text', text })) });
  /** Content, status and error of the campaign's messages, by recipient. */
  const messagesByPhone = async (id: string): Promise<Record<string, Fields>> => {
    const { body } = await account.api.get<{ messages: ({ contact_phone: string } & Fields)[] }>(
      `/api/v1/messages/?campaign_id=${id}&limit=100`,
    );
    return Object.fromEntries(body.messages.map((message) => [message.contact_phone, message]));
  };
  const contact = async (fields: Fields): Promise<string> => {
    const phone_number = uniquePhone();
    const { status, text } = await account.api.post('/api/v1/contacts/', { phone_number, ...fields });
    if (status !== 201) throw new Error(text);
    return phone_number;
  };

  it('override the campaign’s values for their recipient only', async () => {
    const [ada, bob, eve] = [uniquePhone(), uniquePhone(), uniquePhone()];
    const id = await sent({
      body_data: { '1': 'friend', '2': '0000' },
      contacts: [
        { phone: ada, body_data: { '1': 'Ada', '2': '4711' } },
        { phone: bob, body_data: { ' 2 ': '4712' } },
        { phone: eve },
      ],
    });
    expect(await componentsByPhone()).toEqual({
      [ada]: [texts('Ada', '4711')],
      [bob]: [texts('friend', '4712')],
      [eve]: [texts('friend', '0000')],
    });
    const messages = await messagesByPhone(id);
    expect(messages[ada]).toMatchObject({ content: 'Hello Ada, your order 4711 is ready.', status: 'sent' });
    expect(messages[bob]).toMatchObject({ content: 'Hello friend, your order 4712 is ready.' });
    expect(messages[eve]).toMatchObject({ content: 'Hello friend, your order 0000 is ready.' });
    const { body } = await account.api.get<{ conversations: Fields[] }>('/api/v1/conversations/');
    const previews = Object.fromEntries(
      body.conversations.map(({ phone_number, last_message_preview }) => [phone_number, last_message_preview]),
    );
    expect(previews).toEqual({
      [ada]: 'Hello Ada, your order 4711 is ready.',
      [bob]: 'Hello friend, your order 4712 is ready.',
      [eve]: 'Hello friend, your order 0000 is ready.',
    });
  });

  it('carry a reference to the message, and change nothing else about it', async () => {
    const plain = await approvedTemplate(world, account, { body: { text: 'Hello' } });
    const [ada, bob, eve] = [uniquePhone(), uniquePhone(), uniquePhone()];
    const id = await sent(
      {
        contacts: [
          { phone: ada, reference: 'order-4711' },
          { phone: bob, reference: ' ' },
          { phone: eve, reference: 'x'.repeat(255) },
        ],
      },
      plain,
    );
    const messages = await messagesByPhone(id);
    expect(messages[ada]).toMatchObject({ status: 'sent', content: 'Hello', reference: 'order-4711' });
    expect(messages[bob]).not.toHaveProperty('reference');
    expect(messages[eve]).toMatchObject({ reference: 'x'.repeat(255) });
    const told = await eventsOf(world, account);
    const references = told.flatMap(({ event, message }) =>
      event === 'message.sent' ? [(message as Fields)['reference'] ?? null] : [],
    );
    expect(references.map(String).sort()).toEqual(['null', 'order-4711', 'x'.repeat(255)].sort());
    expect(await refused({ contacts: [{ phone: ada, reference: 'x'.repeat(256) }] }, plain)).toEqual(
      badRequest('contacts[0].reference must be at most 255 characters (got 256)'),
    );
  });

  it('carry the reference with values of their own, too', async () => {
    const ada = uniquePhone();
    const id = await sent({ contacts: [{ phone: ada, body_data: { '1': 'Ada', '2': '4711' }, reference: 'r1' }] });
    expect((await messagesByPhone(id))[ada]).toMatchObject({
      content: 'Hello Ada, your order 4711 is ready.',
      reference: 'r1',
    });
  });

  it('can fill in the whole template', async () => {
    const phones = Array.from({ length: 20 }, () => uniquePhone());
    const id = await sent({
      contacts: phones.map((phone, n) => ({ phone, body_data: { '1': `Name ${n}`, '2': String(n) } })),
    });
    expect(await componentsByPhone()).toEqual(
      Object.fromEntries(phones.map((phone, n) => [phone, [texts(`Name ${n}`, String(n))]])),
    );
    const messages = await messagesByPhone(id);
    expect(messages[phones[7] ?? '']).toMatchObject({ content: 'Hello Name 7, your order 7 is ready.' });
  });

  it('fill in named variables in any case, the text header, buttons and the header’s file', async () => {
    const named = await approvedTemplate(world, account, {
      header: { format: 'TEXT', text: 'For {{Who}}', text_example: { Who: 'Ada' } },
      body: { text: 'Order {{Number}}', examples: { Number: '1' } },
      buttons: [
        { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', url_example: 'https://shop.example/1' },
        { type: 'QUICK_REPLY', text: 'Thanks' },
      ],
    });
    const [ada, bob] = [uniquePhone(), uniquePhone()];
    await sent(
      {
        header_data: { who: 'you' },
        body_data: { NUMBER: '1' },
        button_params: [
          { index: 0, url_param: 'common' },
          { index: 1, payload: 'thanks' },
        ],
        contacts: [
          {
            phone: ada,
            header_data: { WHO: 'Ada' },
            body_data: { number: '2' },
            button_params: [{ index: 0, url_param: 'ada' }],
          },
          { phone: bob, header_data: {}, button_params: [{ index: 1, payload: 'from bob' }] },
        ],
      },
      named,
    );
    const expected = (who: string, number: string, url: string, payload: string) => [
      { type: 'header', parameters: [{ type: 'text', parameter_name: 'who', text: who }] },
      { type: 'body', parameters: [{ type: 'text', parameter_name: 'number', text: number }] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: url }] },
      { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload }] },
    ];
    expect(await componentsByPhone()).toEqual({
      [ada]: expected('Ada', '2', 'ada', 'thanks'),
      [bob]: expected('you', '1', 'common', 'from bob'),
    });
  });

  describe('taken from the contact', () => {
    const values = (field: string, fallback?: string) => ({
      body_data: { '1': { contact_field: field, ...(fallback === undefined ? {} : { fallback }) }, '2': '1' },
    });
    const firstOf = async (phone: string): Promise<unknown> => {
      const [component] = (await componentsByPhone())[phone] as { parameters: { text: string }[] }[];
      return component?.parameters[0]?.text;
    };

    it.each([
      ['first_name', 'Ada'],
      ['last_name', 'Lindgrove'],
      ['email', 'ada@example.test'],
      ['company', 'Lindgrove Ltd'],
    ])('are its current %s when the message is created', async (field, value) => {
      const phone = await contact({ first_name: 'Before' });
      const id = await created({ ...values(field, 'fallback'), contacts: [{ phone }] });
      const { body } = await account.api.get<{ contacts: { id: string }[] }>(`/api/v1/contacts/?search=${phone}`);
      const changes = {
        first_name: 'Ada',
        last_name: 'Lindgrove',
        email: 'ada@example.test',
        company: 'Lindgrove Ltd',
      };
      expect((await account.api.patch(`/api/v1/contacts/${body.contacts[0]?.id}`, changes)).status).toBe(200);
      await send(id);
      expect(await firstOf(phone)).toBe(value);
      expect((await messagesByPhone(id))[phone]).toMatchObject({ content: `Hello ${value}, your order 1 is ready.` });
    });

    it('can be its phone_number, also for members of a group', async () => {
      const phone = await contact({ first_name: 'Ada' });
      const { body } = await account.api.get<{ contacts: { id: string }[] }>(`/api/v1/contacts/?search=${phone}`);
      const group = await account.api.post<{ group: { id: string } }>('/api/v1/groups/', {
        name: 'VIP',
        contact_ids: [body.contacts[0]?.id],
      });
      await sent({ ...values('phone_number'), group_ids: [group.body.group.id] });
      expect(await firstOf(phone)).toBe(phone);
    });

    it('can be set for one recipient', async () => {
      const [ada, bob] = [await contact({ first_name: 'Ada' }), await contact({ first_name: 'Bob' })];
      await sent({
        body_data: { '1': 'friend', '2': '1' },
        contacts: [{ phone: ada, body_data: { '1': { contact_field: 'first_name' } } }, { phone: bob }],
      });
      expect([await firstOf(ada), await firstOf(bob)]).toEqual(['Ada', 'friend']);
    });

    it('are the fallback when the field is empty or a generated name', async () => {
      const [nameless, named] = [uniquePhone(), uniquePhone()];
      await sent({ ...values('first_name', 'there'), contacts: [{ phone: nameless }, { phone: named, name: 'Ada' }] });
      expect([await firstOf(nameless), await firstOf(named)]).toEqual(['there', 'Ada']);
    });

    it.each([
      ['no fallback', undefined],
      ['an empty fallback', ''],
      ['a blank fallback', ' '],
    ])('fail only this recipient (900006) when missing, with %s', async (_, fallback) => {
      const [nameless, named] = [uniquePhone(), uniquePhone()];
      const id = await sent({
        ...values('first_name', fallback),
        contacts: [{ phone: nameless }, { phone: named, name: 'Ada' }],
      });
      expect(Object.keys(await componentsByPhone())).toEqual([named]);
      const messages = await messagesByPhone(id);
      expect(messages[nameless]).toMatchObject({
        status: 'failed',
        error_code: 900006,
        error_message: 'The contact has no value for body_data.1.',
      });
      expect(messages[named]).toMatchObject({ status: 'sent' });
      const { body } = await account.api.get<Fields>(`/api/v1/campaigns/${id}/stats`);
      expect(body).toMatchObject({ total_contacts: 2, sent_count: 1, failed_count: 1, success_count: 1 });
      const failed = (await eventsOf(world, account)).filter(({ event }) => event === 'message.failed');
      expect(failed).toEqual([
        expect.objectContaining({ message: expect.objectContaining({ contact_phone: nameless, error_code: 900006 }) }),
      ]);
      const { amount } = (await world.unitOfWork.autocommit.row<{ amount: number }>(
        `SELECT sum(amount)::integer AS amount FROM wallet_entries WHERE account_id = $1`,
        [account.accountId],
      )) ?? { amount: null };
      expect(amount).toBe(99);
    });

    it('fail only this recipient (900006) when they cannot be sent', async () => {
      const [spaced, long, fit] = [
        await contact({ first_name: 'Ada', company: 'A \n\t     B' }),
        await contact({ first_name: 'Bob', company: 'x'.repeat(256) }),
        await contact({ first_name: 'Cid', company: 'Cid Ltd' }),
      ];
      const { name } = await approvedTemplate(world, account, {
        header: { format: 'TEXT', text: 'Hello {{1}}', text_example: { '1': 'Ada' } },
        body: { text: `${'y'.repeat(900)} {{1}}`, examples: { '1': 'Ada' } },
      });
      const id = await sent(
        {
          header_data: { '1': 'you' },
          body_data: { '1': { contact_field: 'company' } },
          contacts: [spaced, long, fit].map((phone) => ({ phone })),
        },
        { name },
      );
      const messages = await messagesByPhone(id);
      expect(messages[spaced]).toMatchObject({ status: 'sent', content: expect.stringMatching(/ A B$/) });
      expect(messages[long]).toMatchObject({
        error_code: 900006,
        error_message: expect.stringMatching(/must be at most 1024 characters/),
      });
      expect(messages[fit]).toMatchObject({ status: 'sent' });
    });
  });

  describe('with a personal file', () => {
    let image: { name: string };
    beforeEach(async () => {
      image = await approvedTemplate(world, account, {
        header: { format: 'IMAGE' },
        media_url: server.url('/example.png'),
      });
    });

    it('send it instead of the campaign’s; one that cannot be fetched fails its recipient (900006)', async () => {
      const [own, gone, common] = [uniquePhone(), uniquePhone(), uniquePhone()];
      const id = await sent(
        {
          media_url: server.url('/common.png'),
          contacts: [
            { phone: own, media_url: server.url('/own.png') },
            { phone: gone, media_url: server.url('/gone.jpg') },
            { phone: common },
          ],
        },
        image,
      );
      const header = (path: string) => [
        { type: 'header', parameters: [{ type: 'image', image: { link: server.url(path) } }] },
      ];
      expect(await componentsByPhone()).toEqual({ [own]: header('/own.png'), [common]: header('/common.png') });
      expect((await messagesByPhone(id))[gone]).toMatchObject({
        status: 'failed',
        error_code: 900006,
        error_message: 'Media download failed: media_url answered HTTP 404',
      });
    });

    it('send no marketing to people who opt out while a file is fetched (900001)', async () => {
      const marketing = await approvedTemplate(world, account, {
        category: 'MARKETING',
        header: { format: 'IMAGE' },
        media_url: server.url('/example.png'),
      });
      const [own, common, staying] = [uniquePhone(), uniquePhone(), uniquePhone()];
      const fetched = new Promise<void>((release) => {
        heldFile = async () => {
          for (const phone of [own, common]) await openWindow(world, account.phone, phone, { text: 'STOP' });
          release();
        };
      });
      const id = await sent(
        {
          media_url: server.url('/common.png'),
          contacts: [{ phone: own, media_url: server.url('/held.png') }, { phone: common }, { phone: staying }],
        },
        marketing,
      );
      await fetched;
      const messages = await messagesByPhone(id);
      expect(messages[own]).toMatchObject({ status: 'failed', error_code: 900001 });
      expect(messages[common]).toMatchObject({ status: 'failed', error_code: 900001 });
      expect(Object.keys(await componentsByPhone())).toEqual([staying]);
    });

    it('need no file in the campaign', async () => {
      const phone = uniquePhone();
      await sent({ contacts: [{ phone, media_url: server.url('/only.png') }] }, image);
      expect(Object.keys(await componentsByPhone())).toEqual([phone]);
    });

    it.each([
      ['no-url', /^contacts\[1\]\.media_url must be a valid URL/],
      ['ftp://example.com/a.png', /^contacts\[1\]\.media_url must be a valid URL/],
      ['http://10.0.0.1/a.png', /^contacts\[1\]\.media_url leads to an address that is not public/],
      ['http://169.254.169.254/', /^contacts\[1\]\.media_url leads to an address that is not public/],
    ])('are rejected for the URL %s (400) without fetching any', async (media_url, message) => {
      const contacts = [
        { phone: uniquePhone(), media_url: server.url('/never-asked.png') },
        { phone: uniquePhone(), media_url },
      ];
      expect(await refused({ contacts }, image)).toEqual(badRequest(message));
      expect(server.requests.join()).not.toContain('never-asked');
    });
  });

  describe('on creation of the campaign', () => {
    it('rejects contacts that lack a required variable (400), naming the first 10 phones', async () => {
      const lacking = Array.from({ length: 12 }, () => uniquePhone());
      const contacts = [
        { phone: uniquePhone(), body_data: { '1': 'Ada', '2': '1' } },
        ...lacking.map((phone, n) => ({ phone, body_data: n === 0 ? { '1': 'Ada', '2': ' ' } : { '2': '1' } })),
      ];
      const [first, ...rest] = lacking.slice(0, 10);
      expect(await refused({ contacts })).toEqual(
        badRequest(
          `template ${two.name} requires values that these contacts lack: ${first} (body_data.2), ` +
            `${rest.map((phone) => `${phone} (body_data.1)`).join(', ')} and 2 more`,
        ),
      );
      expect(await refused({ body_data: { '1': 'you' }, contacts: contacts.slice(0, 2) })).toEqual(
        badRequest(/requires values that these contacts lack: \d+ \(body_data\.2\)$/),
      );
    });

    it('rejects group members who lack a required variable (400)', async () => {
      const phone = await contact({ first_name: 'Ada' });
      const { body } = await account.api.get<{ contacts: { id: string }[] }>(`/api/v1/contacts/?search=${phone}`);
      const group = await account.api.post<{ group: { id: string } }>('/api/v1/groups/', {
        name: 'VIP',
        contact_ids: [body.contacts[0]?.id],
      });
      const contacts = [{ phone: uniquePhone(), body_data: { '1': 'Ada', '2': '1' } }];
      expect(await refused({ contacts, group_ids: [group.body.group.id] })).toEqual(
        badRequest(
          `template ${two.name} requires values that these contacts lack: ${phone} (body_data.1, body_data.2)`,
        ),
      );
    });

    it('names the campaign’s missing values when there are no personal ones', async () => {
      expect(await refused({ contacts: [{ phone: uniquePhone() }] })).toEqual(
        badRequest(`template ${two.name} requires body_data.1, body_data.2`),
      );
    });

    it('takes the first entry for a repeated number, with or without values', async () => {
      const [a, b] = [uniquePhone(), uniquePhone()];
      const id = await sent({
        body_data: { '1': 'friend', '2': '1' },
        contacts: [
          { phone: a, body_data: { '1': 'First' } },
          { phone: `+${a}`, body_data: { '1': 'Second' } },
          { phone: b },
          { phone: `00${b}`, body_data: { '1': 'Second' } },
        ],
      });
      const messages = await messagesByPhone(id);
      expect(messages[a]).toMatchObject({ content: 'Hello First, your order 1 is ready.' });
      expect(messages[b]).toMatchObject({ content: 'Hello friend, your order 1 is ready.' });
      expect(await refused({ contacts: [{ phone: a }, { phone: a, body_data: { '1': 'x', '2': 'y' } }] })).toEqual(
        badRequest(`template ${two.name} requires body_data.1, body_data.2`),
      );
    });

    const fallbackError = 'body_data.1.fallback must be a string, not a number';
    const fields = 'one of first_name, last_name, email, company, phone_number';
    it.each<[Fields, string]>([
      [{ body_data: 'Ada' }, 'body_data must be an object that maps variables to values, not a string'],
      [{ body_data: { '1': 7 } }, 'body_data.1 must be a string or {contact_field, fallback?}, not a number'],
      [{ body_data: { '1': null } }, 'body_data.1 must be a string or {contact_field, fallback?}, not null'],
      [{ body_data: { '1': { contact_field: 'tags' } } }, `body_data.1.contact_field must be ${fields} (got tags)`],
      [
        { body_data: { '1': { contact_field: 'firstname' } } },
        `body_data.1.contact_field must be ${fields} (got firstname). Did you mean "first_name"?`,
      ],
      [{ body_data: { '1': {} } }, `body_data.1.contact_field is required: ${fields}`],
      [{ body_data: { '1': { contact_field: 'email', fallback: 7 } } }, fallbackError],
    ])('rejects body_data %j for the campaign and for a contact (400)', async (fields, message) => {
      expect(await refused({ ...fields, contacts: [{ phone: uniquePhone() }] })).toEqual(badRequest(message));
      const contacts = [{ phone: uniquePhone() }, { phone: uniquePhone(), ...fields }];
      expect(await refused({ contacts })).toEqual(badRequest(`contacts[1].${message}`));
    });

    it.each<[Fields, string]>([
      [{ header_data: ['a'] }, 'header_data must be an object of strings, not an array (["a"])'],
      [
        { header_data: { '1': { contact_field: 'email' } } },
        'header_data.1 must be a string, not an object ({"contact_field":"email"})',
      ],
      [{ button_params: {} }, 'button_params must be an array of objects, not an object ({})'],
      [
        { button_params: Array.from({ length: 11 }, (_, index) => ({ index })) },
        'button_params must have at most 10 entries (got 11)',
      ],
      [{ button_params: ['x'] }, 'button_params[0] must be an object, not a string ("x")'],
      [{ button_params: [{ index: 10 }] }, 'button_params[0].index must be a whole number from 0 to 9 (got 10)'],
      [{ button_params: [{ index: -1 }] }, 'button_params[0].index must be a whole number from 0 to 9 (got -1)'],
      [{ button_params: [{ index: 1 }, { index: 1 }] }, 'button_params[1].index names the button 1 a second time'],
      [
        { button_params: [{ index: 0, url_param: 1 }] },
        'button_params[0].url_param must be a string, not a number (1)',
      ],
      [
        { button_params: [{ index: 0, url_param: 'x'.repeat(2001) }] },
        'button_params[0].url_param must be at most 2000 characters (got 2001)',
      ],
      [
        { button_params: [{ index: 0, payload: 'x'.repeat(257) }] },
        'button_params[0].payload must be at most 256 characters (got 257)',
      ],
      [
        { button_params: [{ index: 0, coupon_code: 'x'.repeat(21) }] },
        'button_params[0].coupon_code must be at most 20 characters (got 21)',
      ],
      [{ media_url: 1 }, 'media_url must be a string, not a number (1)'],
      [{ media_url: 'x'.repeat(2049) }, 'media_url must be at most 2048 characters (got 2049)'],
    ])('rejects %j for a contact (400)', async (fields, message) => {
      expect(await refused({ contacts: [{ phone: uniquePhone(), ...fields }] })).toEqual(
        badRequest(`contacts[0].${message}`),
      );
    });

    it('rejects values that do not fit the template (400), naming the contact’s index', async () => {
      const phone = uniquePhone();
      const body_data = { '1': 'a', '2': 'b' };
      const at = (fields: Fields) => ({ body_data, contacts: [{ phone: uniquePhone() }, { phone, ...fields }] });
      expect(await refused(at({ body_data: { '1': 'a\nb' } }))).toEqual(
        badRequest('contacts[1]: body_data.1 must not contain line breaks, tabs or more than 4 spaces in a row'),
      );
      const room = 32_768 - 'Hello , your order  is ready.'.length;
      expect((await create(at({ body_data: { '1': 'x'.repeat(room - 1), '2': 'b' } }))).status).toBe(200);
      expect(await refused(at({ body_data: { '1': 'x'.repeat(room), '2': 'b' } }))).toEqual(
        badRequest('contacts[1]: the body with its variables must be at most 32768 characters (got 32769)'),
      );
      expect(await refused(at({ button_params: [{ index: 0, payload: 'x' }] }))).toEqual(
        badRequest('contacts[1]: button_params[0].index must be the index of a button: the template has 0 (got 0)'),
      );
    });

    it('treats null and blank values as missing', async () => {
      const phone = uniquePhone();
      await sent({
        body_data: { '1': 'friend', '2': '1' },
        contacts: [{ phone, body_data: { '1': '' }, header_data: null, button_params: null, media_url: '' }],
      });
      expect(await componentsByPhone()).toEqual({ [phone]: [texts('friend', '1')] });
      const rows = await world.unitOfWork.autocommit.rows(
        'SELECT personal FROM campaign_recipients WHERE account_id = $1',
        [account.accountId],
      );
      expect(rows).toEqual([{ personal: null }]);
    });

    it('rejects contact fields in single sends (400)', async () => {
      const { status, body } = await account.api.post('/api/v1/messages/send', {
        template_name: two.name,
        contact_phone: uniquePhone(),
        body_data: { '1': { contact_field: 'first_name' }, '2': '1' },
      });
      expect(status).toBe(400);
      expect(body['message']).toMatch(/^body_data\.1 must be a string/);
    });
  });

  it('keep their text when a message is retried', async () => {
    const phone = uniquePhone();
    const id = await created({ contacts: [{ phone, body_data: { '1': 'Ada', '2': '1' } }] });
    await world.simulator.behave({ error: { code: 131016, rate: 1 } });
    try {
      await account.api.post(`/api/v1/campaigns/${id}/send`);
      // It stays so until the test says otherwise.
      await until('it waits for a retry', async () => {
        const waiting = await world.unitOfWork.autocommit.affected(
          `UPDATE campaign_recipients SET due_at = now() + interval '1 hour'
           WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending' AND attempts > 0`,
          [account.accountId, id],
        );
        return waiting === 1;
      });
    } finally {
      await world.simulator.behave({ error: null });
    }
    const content = 'Hello Ada, your order 1 is ready.';
    expect((await messagesByPhone(id))[phone]).toMatchObject({ content, status: 'pending' });
    await world.unitOfWork.autocommit.affected(
      'UPDATE campaign_recipients SET due_at = now() WHERE account_id = $1 AND campaign_id = $2',
      [account.accountId, id],
    );
    await until('it is sent', async () => (await messagesByPhone(id))[phone]?.['status'] === 'sent');
    expect((await messagesByPhone(id))[phone]).toMatchObject({ content });
    expect(await componentsByPhone()).toEqual({ [phone]: [texts('Ada', '1')] });
  });
});
