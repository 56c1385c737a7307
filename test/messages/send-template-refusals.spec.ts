import type { ContactsResponse } from '../../src/contacts/dto/contact-responses.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES } from '../support/media-samples.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';
import { startWithFiles } from '../support/world-with-files.js';
import { SEND, sentUpstream } from './messages.js';

const files: Record<string, Buffer> = { '/a.png': SAMPLES.PNG, '/a.pdf': SAMPLES.PDF, '/bytes': SAMPLES.PNG };

describe('a template message is refused', () => {
  let world: World;
  let account: TestAccount;
  let server: LoopbackServer;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ world, server, stop } = await startWithFiles(files));
    await world.simulator.behave({ statuses: [] });
    account = await world.account();
  });
  afterAll(() => stop());

  const send = (fields: Record<string, unknown>, from: TestAccount = account) => from.api.post(SEND, fields);
  const error = (status: number, code: string, message: unknown) => ({ status, body: { error: code, message } });
  const refused = async (fields: Record<string, unknown>) => {
    const before = (await sentUpstream(world, account.phone)).length;
    const { status, body } = await send({ contact_phone: uniquePhone(), ...fields });
    expect((await sentUpstream(world, account.phone)).length).toBe(before);
    return { status, body };
  };

  it.each([
    ['+4915112345678', /^contact_phone must be 7 to 15 digits .* \(got \+4915112345678\)$/],
    ['49 151 12345678', /^contact_phone must be 7 to 15 digits/],
    ['123456', /^contact_phone must be 7 to 15 digits .* \(got 123456\)$/],
    ['1234567890123456', /^contact_phone must be 7 to 15 digits/],
    [4915112345678, /^contact_phone must be a string of digits, not a number \(4915112345678\)$/],
    [undefined, /^contact_phone or contact_user_id is required$/],
  ])('with 400 for the phone %s', async (contact_phone, message) => {
    const answer = await refused({ template_name: 'any', contact_phone });
    expect(answer).toEqual(error(400, 'bad_request', expect.stringMatching(message)));
  });

  it('with 400 without template_name', async () => {
    expect(await refused({})).toEqual(error(400, 'bad_request', 'template_name is required'));
  });

  it('with 400 for missing variables, naming each of them', async () => {
    const { name } = await approvedTemplate(world, account, {
      header: { format: 'TEXT', text: 'Order {{1}}' },
      body: { text: 'Hi {{1}}, {{2}}' },
    });
    expect(await refused({ template_name: name, body_data: { '2': '  ' } })).toEqual(
      error(400, 'bad_request', `template ${name} requires header_data.1, body_data.1, body_data.2`),
    );
  });

  it.each([
    ['IMAGE', '/a.png', 'media_url'],
    ['LOCATION', null, 'location'],
  ])('with 400 when a %s header lacks its field', async (format, path, field) => {
    const media = path === null ? {} : { media_url: server.url(path) };
    const { name } = await approvedTemplate(world, account, { header: { format }, ...media });
    expect(await refused({ template_name: name })).toEqual(
      error(400, 'bad_request', `template ${name} requires ${field}`),
    );
  });

  it('with 400 for media that cannot be downloaded, naming the HTTP status', async () => {
    const media_url = server.url('/a.png');
    const { name } = await approvedTemplate(world, account, { header: { format: 'IMAGE' }, media_url });
    expect(await refused({ template_name: name, media_url: server.url('/gone.png') })).toEqual(
      error(400, 'bad_request', 'Media download failed: media_url answered HTTP 404'),
    );
    expect(await refused({ template_name: name, media_url: server.url('/bytes') })).toEqual(
      error(
        400,
        'bad_request',
        expect.stringMatching(/^media_url is served as application\/octet-stream: the network takes/),
      ),
    );
    expect(await refused({ template_name: name, media_url: server.url('/a.pdf') })).toEqual(
      error(400, 'bad_request', expect.stringMatching(/^media_url .*PDF|^media_url .*pdf/)),
    );
  });

  it('with 400 without expiration_time_ms, or with one in the past, for a limited-time offer', async () => {
    const { name } = await approvedTemplate(world, account, {
      category: 'MARKETING',
      limited_time_offer: { text: 'Ends soon' },
      offer_code: 'SAVE10',
      buttons: [{ type: 'COPY_CODE', text: 'Copy' }],
    });
    expect(await refused({ template_name: name })).toEqual(
      error(400, 'bad_request', `template ${name} requires expiration_time_ms`),
    );
    const past = await refused({ template_name: name, expiration_time_ms: Date.now() - 1 });
    expect(past).toEqual(
      error(400, 'bad_request', expect.stringMatching(/^expiration_time_ms must be later than the send time/)),
    );
  });

  it('with 400 for a template that is not approved, naming its status', async () => {
    await world.simulator.behave({ review: 'manual' });
    try {
      const created = await account.api.post('/api/v1/templates/create', {
        name: `pending_${Date.now()}`,
        category: 'UTILITY',
        body: { text: 'Hello' },
      });
      const { body } = await account.api.get<{ template: { name: string } }>(
        `/api/v1/templates/${created.body['template_id']}`,
      );
      const name = body.template.name;
      expect(await refused({ template_name: name })).toEqual(
        error(400, 'bad_request', `template ${name} (en_US) is not approved: its status is PENDING`),
      );
    } finally {
      await world.simulator.behave({ review: 'auto' });
    }
  });

  it('with 404 for an unknown template; names are case-sensitive', async () => {
    const { name } = await approvedTemplate(world, account);
    const shouted = name.toUpperCase();
    expect(await refused({ template_name: shouted })).toEqual(
      error(404, 'not_found', `template ${shouted} was not found. Did you mean "${name}"?`),
    );
  });

  it('with 404 for another account’s template', async () => {
    const { name } = await approvedTemplate(world, await world.account());
    expect((await refused({ template_name: name })).status).toBe(404);
  });

  it('with 404 naming the languages when it exists only in others', async () => {
    const { name } = await approvedTemplate(world, account, { language: 'de' });
    expect(await refused({ template_name: name, template_language: 'fr' })).toEqual(
      error(404, 'not_found', `template ${name} was not found in fr: it exists in de`),
    );
  });

  it('with 400 for a malformed and 403 for a foreign waba_phone_id', async () => {
    const { name } = await approvedTemplate(world, account);
    const foreign = (await world.account()).phone.id;
    expect(await refused({ template_name: name, waba_phone_id: '12' })).toEqual(
      error(400, 'bad_request', 'waba_phone_id must be an id (got 12)'),
    );
    for (const waba_phone_id of [foreign, newRecordId()]) {
      expect(await refused({ template_name: name, waba_phone_id })).toEqual(
        error(403, 'forbidden', `no access to business phone ${waba_phone_id}`),
      );
    }
  });

  it('with 404 before 403, and with 403 before the template’s rules', async () => {
    const { name } = await approvedTemplate(world, account, { body: { text: 'Hi {{1}}' } });
    const waba_phone_id = newRecordId();
    expect((await refused({ template_name: 'nowhere', waba_phone_id })).status).toBe(404);
    expect((await refused({ template_name: name, waba_phone_id })).status).toBe(403);
  });

  it('with 401 without a valid key', async () => {
    const answer = await fetch(world.baseUrl + SEND, { method: 'POST', body: '{' });
    expect(answer.status).toBe(401);
  });

  it('with 400 contact_opted_out for a MARKETING template to a contact who opted out', async () => {
    const { name } = await approvedTemplate(world, account, { category: 'MARKETING' });
    const utility = await approvedTemplate(world, account);
    const contact_phone = uniquePhone();
    await world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from: contact_phone,
      type: 'text',
      text: 'stop',
    });
    expect(await refused({ template_name: name, contact_phone })).toEqual(
      error(400, 'contact_opted_out', expect.stringContaining(contact_phone)),
    );
    const { body } = await account.api.get<{ total: number }>(
      `/api/v1/messages/?contact_phone=${contact_phone}&direction=out`,
    );
    expect(body.total).toBe(0);
    expect((await send({ template_name: utility.name, contact_phone })).status).toBe(200);
    const contacts = async () =>
      (await account.api.get<ContactsResponse>(`/api/v1/contacts/?search=${contact_phone}`)).body;
    await account.api.delete(`/api/v1/contacts/${(await contacts()).contacts[0]?.id}`);
    expect((await send({ template_name: name, contact_phone })).body.error).toBe('contact_opted_out');
    // A refused message does not revive a deleted contact; a sent one does.
    expect((await contacts()).total).toBe(0);
    await Promise.all([name, utility.name].map((template_name) => send({ template_name, contact_phone })));
    expect(await contacts()).toMatchObject({ total: 1, contacts: [{ opted_in: false }] });
  });

  it('with 429 beyond the rate limit of the key', async () => {
    const slow = await world.account({ rateLimit: 1 });
    const fields = { template_name: 'any', contact_phone: uniquePhone() };
    expect((await send(fields, slow)).status).toBe(404);
    expect(await send(fields, slow)).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
  });
});
