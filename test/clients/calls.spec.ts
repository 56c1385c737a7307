import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ContactRecord, Parley, ParleyError } from '../../clients/typescript/src/index.js';
import { ROOT } from '../sandbox/program.js';
import { inherited } from '../support/inherited.js';
import { approvedTemplate } from '../support/templates.js';
import { type AccountOptions, type TestAccount, uniquePhone, World } from '../support/world.js';

describe('the TypeScript client', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  async function start(options: AccountOptions = {}): Promise<{ parley: Parley; account: TestAccount }> {
    const account = await world.account(options);
    return { parley: new Parley({ baseUrl: `${world.baseUrl}/`, apiKey: account.apiKey }), account };
  }

  const failure = async (call: PromiseLike<unknown>): Promise<ParleyError> => {
    const error = await Promise.resolve(call).catch((reason: unknown) => reason);
    if (!(error instanceof ParleyError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
    return error;
  };

  it('has a method for every operation that customers call', async () => {
    const { paths } = JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'));
    const operations = Object.values<Record<string, { operationId: string; tags: string[] }>>(paths)
      .flatMap((item) => Object.values(item))
      // The network calls back, and only pages of Parley read streams.
      .filter(({ tags, operationId }) => !tags.includes('network') && operationId !== 'session.watch');
    expect(operations.length).toBeGreaterThan(50);
    const { parley } = await start();
    const missing = operations.filter(({ operationId }) => {
      const [group = '', name = ''] = operationId.split('.');
      const methods: unknown = Reflect.get(parley, group);
      return typeof Reflect.get(Object(methods), name) !== 'function';
    });
    expect(missing).toEqual([]);
  });

  it('creates, reads, changes and deletes', async () => {
    const { parley } = await start();
    const { contact } = await parley.contacts.create({ phone_number: uniquePhone(), first_name: 'Ada', tags: ['vip'] });
    expect(await parley.contacts.get(contact.id)).toMatchObject({ contact });
    const changed = await parley.contacts.change(contact.id, { company: 'Analytical Engines' });
    expect(changed.contact).toMatchObject({ first_name: 'Ada', company: 'Analytical Engines' });
    const { group } = await parley.groups.create({ name: 'Berlin', contact_ids: [contact.id] });
    await parley.groups.removeContacts(group.id, { contact_ids: [contact.id] });
    expect((await parley.groups.listContacts(group.id)).total).toBe(0);
    await parley.contacts.delete(contact.id, { erase: 'true' });
    expect(await failure(parley.contacts.get(contact.id))).toMatchObject({ status: 404, code: 'not_found' });
    expect(await parley.health.live()).toEqual({ status: 'ok' });
  });

  it('gives a page of a list, all pages, or all rows', async () => {
    const { parley } = await start();
    const csv = Array.from({ length: 205 }, () => `${uniquePhone()},Ada`);
    await parley.contacts.import(['phone_number,first_name', ...csv].join('\n'));
    expect(await parley.contacts.list({ limit: 7, page: 2 })).toMatchObject({ total: 205, page: 2, limit: 7 });
    const rows: ContactRecord[] = [];
    for await (const contact of parley.contacts.list({ search: 'ada' })) rows.push(contact);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(205);
    const sizes: number[] = [];
    for await (const { contacts } of parley.contacts.list().pages()) sizes.push(contacts.length);
    expect(sizes).toEqual([100, 100, 5]);
    const numbered: number[] = [];
    for await (const { contacts } of parley.contacts.list({ page: 2 }).pages()) numbered.push(contacts.length);
    expect(numbered).toEqual([100, 5]);
    for await (const _ of parley.contacts.list({ search: 'nobody' })) throw new Error('there is somebody');
  });

  it('gives every row once while rows are deleted and created', async () => {
    const { parley } = await start();
    const csv = Array.from({ length: 25 }, () => `${uniquePhone()},Ada`);
    await parley.contacts.import(['phone_number,first_name', ...csv].join('\n'));
    const ids: string[] = [];
    for await (const { id } of parley.contacts.list({ limit: 3 })) {
      ids.push(id);
      await parley.contacts.delete(id);
      if (ids.length < 5) await parley.contacts.create({ phone_number: uniquePhone(), first_name: 'Grace' });
    }
    expect(new Set(ids).size).toBe(25);
    expect(ids).toHaveLength(25);
  });

  it('imports a CSV file of any kind, and exports one', async () => {
    const { parley } = await start();
    const phones = [uniquePhone(), uniquePhone(), uniquePhone()];
    const [text = '', bytes = '', blob = ''] = phones.map((phone) => `phone_number,first_name\n${phone},Zoë\n`);
    for (const file of [text, Buffer.from(bytes), new Blob([blob])]) {
      expect(await parley.contacts.import(file)).toMatchObject({ created: 1 });
    }
    const exported = await (await parley.contacts.export()).text();
    for (const phone of phones) expect(exported).toContain(`,Zoë,,${phone},`);
    const { stream } = await parley.contacts.export();
    let size = 0;
    for await (const chunk of stream) size += chunk.length;
    expect(size).toBe(Buffer.byteLength(exported));
  });

  it('reports both forms of error', async () => {
    const { parley } = await start();
    const phone = uniquePhone();
    await parley.contacts.create({ phone_number: phone, first_name: 'Ada' });
    const conflict = await failure(parley.contacts.create({ phone_number: phone, first_name: 'Ada' }));
    expect(conflict).toMatchObject({ status: 409, code: 'conflict', detail: expect.stringContaining(phone) });
    expect(conflict.requestId).toBe(conflict.response?.headers.get('x-request-id'));
    expect(conflict.message).toContain(`contacts.create: 409 conflict: ${conflict.detail}`);
    const template = await failure(
      parley.templates.create({ name: 'Not A Name', category: 'UTILITY', body: { text: 'Hello' } }),
    );
    expect(template).toMatchObject({ status: 422, code: null, detail: expect.stringContaining('name') });
    const window = await failure(
      parley.messages.sendMessage({ contact_phone: phone, message_type: 'text', message: 'Hello' }),
    );
    expect(window).toMatchObject({ status: 403, code: null, detail: expect.stringContaining('window') });
    const stranger = new Parley({ baseUrl: world.baseUrl, apiKey: 'pk_live_unknown' });
    expect(await failure(stranger.contacts.list())).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('reports the rate limit, and how long to wait', async () => {
    const { parley } = await start({ rateLimit: 2 });
    const { response } = await parley.contacts.list().withResponse();
    expect(response.rateLimit).toMatchObject({ limit: 2, remaining: 1 });
    await parley.contacts.list();
    const limited = await failure(parley.contacts.list({}, { maxRetries: 0 }));
    expect(limited).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
  });

  it('gives the first answer again for the same key, and names ignored fields', async () => {
    const { parley } = await start();
    const misspelled = { phone_number: uniquePhone(), first_name: 'Ada', 'last näme, please': 'Lorenzen' };
    const first = await parley.contacts.create(misspelled, { idempotencyKey: 'once' }).withResponse();
    expect(first.response).toMatchObject({ status: 201, replayed: false, ignoredFields: ['last näme, please'] });
    const second = await parley.contacts.create(misspelled, { idempotencyKey: 'once' }).withResponse();
    expect(second.response.replayed).toBe(true);
    expect(second.data).toEqual(first.data);
  });

  it('sends a campaign', async () => {
    const { parley, account } = await start();
    const { name } = await approvedTemplate(world, account);
    const { campaign_id } = await parley.campaigns.create({
      name: 'Spring offer',
      template_name: name,
      contacts: [{ phone: uniquePhone(), name: 'Ada' }],
    });
    await parley.campaigns.send(campaign_id);
    const again = await failure(parley.campaigns.send(campaign_id));
    expect(again).toMatchObject({ status: 400, code: 'bad_request' });
    expect(await parley.campaigns.stats(campaign_id)).toMatchObject({ total_contacts: 1 });
  });

  it('runs examples/send-message.mjs', async () => {
    const { parley, account } = await start();
    const { name } = await approvedTemplate(world, account, {
      body: { text: 'Hello {{1}}, your order {{2}} is on its way.', examples: { 1: 'Ada', 2: '4711' } },
    });
    const example = [path.join(ROOT, 'examples/send-message.mjs'), name, 'Ada', '4711'];
    const env = { ...inherited(), PARLEY_BASE_URL: world.baseUrl, PARLEY_API_KEY: account.apiKey };
    const limits = { timeout: 180_000, killSignal: 'SIGKILL' } as const;
    const { stdout } = await promisify(execFile)(process.execPath, example, { env, ...limits });
    expect(stdout).toMatch(/^Created Ada \(4915112345679\)\n(?:.* is \w+\n)*.* is read\n$/);
    expect((await parley.messages.list({ contact_phone: '4915112345679' })).total).toBe(1);
  });
});
