import { uniqueKey } from '../idempotency/keys.js';
import { openWindow, sentUpstream } from '../messages/messages.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES as FILES, typeHeader } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

let world: World;
let files: LoopbackServer;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  files = await LoopbackServer.start((_, response) => void response.writeHead(200, typeHeader('.png')).end(FILES.PNG));
  await world.simulator.behave({ statuses: [] });
});
afterAll(async () => {
  await files.stop();
  await world.stop();
});
beforeEach(async () => {
  account = await world.account();
});

const HOURS = { from: '09:00', to: '20:00' };

describe('a form with fields left blank', () => {
  it('sends a template', async () => {
    const { name } = await approvedTemplate(world, account);
    const blank = {
      template_language: '',
      waba_phone_id: '',
      contact_user_id: '',
      contact_name: '',
      body_data: [],
      header_data: '',
      media_url: '',
      media_id: '',
      filename: '',
      location: [],
      button_params: '',
      carousel_data: [],
      expiration_time_ms: '',
      reply_to: '',
      agent_user_id: '',
      reference: '',
    };
    const send = { template_name: name, contact_phone: uniquePhone(), ...blank };
    const { status, headers } = await account.api.post('/api/v1/messages/send', send);
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, null]);
  });

  /** Sends a free-form message in an open window. @returns the network's request body */
  const upstream = async (body: Record<string, unknown>): Promise<Record<string, unknown> | undefined> => {
    const contact_phone = uniquePhone();
    await openWindow(world, account.phone, contact_phone);
    const { status, text, headers } = await account.api.post('/api/v1/messages/send-message', {
      contact_phone,
      ...body,
    });
    expect([status, headers.get('x-ignored-fields'), text]).toEqual([200, null, expect.any(String)]);
    return (await sentUpstream(world, account.phone)).at(-1);
  };

  it('sends a text beside blank fields of media, and a picture beside blank fields of texts', async () => {
    const media = { media_url: '', media_id: '', caption: '', filename: '', voice: '' };
    const others = { buttons: [], preview_url: '', list: [], location: '', contacts: '', reaction: [], reply_to: '' };
    expect(await upstream({ message_type: 'text', message: 'Hello', ...media, ...others })).toMatchObject({
      type: 'text',
      text: { body: 'Hello' },
    });
    const media_url = files.url('/a.png');
    const picture = { message_type: 'image', ...media, media_url, message: ' ', ...others };
    expect(await upstream(picture)).toMatchObject({ type: 'image', image: { link: media_url } });
  });

  it('sends a message beside whole objects of which every field is blank', async () => {
    const others = {
      list: { button: '', sections: [{ title: '', rows: [{ id: '', title: '' }] }] },
      location: { latitude: '', longitude: '', name: '', address: '' },
      reaction: { message_id: '', emoji: '' },
      buttons: {},
    };
    const url_button = { display_text: '', url: '' };
    expect(await upstream({ message_type: 'text', message: 'Hello', ...others })).toMatchObject({ type: 'text' });
    const buttons = { type: 'reply', reply_buttons: [{ id: 'yes', title: 'Yes' }], url_button };
    expect(await upstream({ message_type: 'text', message: 'Hello', ...others, buttons })).toMatchObject({
      interactive: { type: 'button' },
    });
    const website = { type: 'cta_url', url_button: { display_text: 'Open', url: 'https://shop.example/' } };
    expect(await upstream({ message_type: 'text', message: 'Hello', buttons: website })).toMatchObject({
      interactive: { type: 'cta_url' },
    });
  });

  it('creates a template beside whole objects of which every field is blank', async () => {
    const { status } = await account.api.post('/api/v1/templates/create', {
      name: 'plain',
      category: 'UTILITY',
      body: { text: 'Hello' },
      header: { format: '', text: '', text_example: {} },
      footer: { text: '' },
      limited_time_offer: { text: '', has_expiration: '' },
    });
    expect(status).toBe(201);
  });

  it('sends a contact card without the parts in which everything is blank', async () => {
    const card = {
      name: { formatted_name: 'Ada', first_name: '' },
      org: { company: '', title: ' ' },
      phones: [{ phone: '', type: '' }, { phone: '+1 555 999 0100' }, {}],
      emails: [{}],
      urls: [{ url: '' }, { type: null }],
      birthday: '',
    };
    expect(await upstream({ message_type: 'contacts', contacts: [card] })).toMatchObject({
      contacts: [{ name: { formatted_name: 'Ada' }, phones: [{ phone: '+1 555 999 0100' }] }],
    });
    const sent = (await sentUpstream(world, account.phone)).at(-1);
    expect(JSON.stringify(sent)).not.toMatch(/\{\}|\[\]|""/);
  });

  const createCampaign = async (fields: Record<string, unknown>) => {
    const { name } = await approvedTemplate(world, account);
    const campaign = { name: 'Spring', template_name: name, contacts: [{ phone: uniquePhone() }], ...fields };
    return account.api.post('/api/v1/campaigns/', campaign);
  };

  it('creates a campaign at once, for entries with blank values of their own', async () => {
    const own = { name: '', body_data: [], header_data: '', media_url: ' ', button_params: '', reference: '' };
    const { status, body, headers } = await createCampaign({
      contacts: [{ phone: uniquePhone(), ...own }],
      scheduled_at: '',
      scheduled_timezone: '',
      send_before: '',
      description: '',
      group_ids: '',
      default_country: '',
    });
    expect([status, body['status_value'], headers.get('x-ignored-fields')]).toEqual([200, 'draft', null]);
  });

  it.each([{ send_before: '' }, { scheduled_timezone: ' ' }, { send_window: { ...HOURS, timezone: '' } }])(
    'creates a campaign without a deadline or zone that was left blank: %j',
    async (fields) => {
      expect((await createCampaign({ scheduled_at: '2031-01-31T09:30:00', ...fields })).status).toBe(200);
    },
  );

  it('creates no campaign that would send at any hour (400)', async () => {
    const message = 'send_window must be an object with from, to and timezone (got "")';
    expect(await createCampaign({ send_window: '' })).toMatchObject({ status: 400, body: { message } });
    for (const send_window of [{}, { from: '', to: '', timezone: '' }]) {
      expect((await createCampaign({ send_window })).status).toBe(400);
    }
  });

  it('is another request than one without these fields, for an Idempotency-Key (422)', async () => {
    const { name } = await approvedTemplate(world, account);
    const phone = uniquePhone();
    const headers = { 'idempotency-key': uniqueKey() };
    const create = async (entry: object) => {
      const campaign = { name: 'Spring', template_name: name, contacts: [entry] };
      const answer = await account.api.post('/api/v1/campaigns/', campaign, { headers });
      return [answer.status, answer.headers.get('idempotency-replayed')];
    };
    expect(await create({ phone, name: '', reference: '' })).toEqual([200, null]);
    expect(await create({ phone, name: '', reference: '' })).toEqual([200, 'true']);
    expect(await create({ phone })).toEqual([422, null]);
  });
});
