import { newRecordId } from '../../src/values/record-id.js';
import { draft } from '../campaigns/campaigns.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { answerOf, commandLine } from './command-line.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

describe('list and show', () => {
  let world: World;
  let account: TestAccount;
  let env: Record<string, string>;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
    env = {
      DATABASE_URL: world.environment.databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: '/nonexistent',
    };
  });
  afterAll(() => world.stop());

  const run = (...args: string[]): Promise<Record<string, unknown>> => answerOf(env, ...args);

  it('show an account with its credits', async () => {
    const { account_id, organisation_id, user_id } = await answerOf(env, 'accounts', 'create', '--name', 'Shown Ltd');
    expect(await run('accounts', 'show', String(account_id))).toEqual({
      account_id,
      name: 'Shown Ltd',
      organisation_id,
      user_id,
      status: 'active',
      balance: 0,
      created_at: TIME,
    });
  });

  it('say what a new account still needs, except with --json', async () => {
    const { code, stdout } = await commandLine(env, 'accounts', 'create', '--name', 'New Ltd');
    const id = /^account_id +(\S+)$/m.exec(stdout)?.[1];
    expect([code, id]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain(`parley wallet credit --account ${id} --amount 1000`);
    expect(stdout).toContain(`parley phones connect --account ${id} `);
    expect(stdout).toContain(`parley keys create --account ${id} `);
  });

  it('show everything that can be set of an organisation', async () => {
    const created = await answerOf(env, 'accounts', 'create', '--name', 'Ruled Ltd');
    const [id, userId] = [String(created['organisation_id']), String(created['user_id'])];
    await run(
      ...['organisations', 'set', id, '--auto-inbound', 'on', '--auto-reply', 'Back at nine', '--auto-reply-agent'],
      ...[userId, '--stop-words', 'halt', '--start-words', 'los'],
    );
    expect(await run('organisations', 'show', id)).toEqual({
      organisation_id: id,
      name: 'Ruled Ltd',
      auto_inbound: 'on',
      auto_reply: 'Back at nine',
      auto_reply_agent: userId,
      stop_words: ['HALT'],
      start_words: ['LOS'],
      created_at: TIME,
      accounts: [{ account_id: created['account_id'], name: 'Ruled Ltd', status: 'active' }],
    });
    const { organisations } = await run('organisations', 'list');
    expect(organisations).toContainEqual({ organisation_id: id, name: 'Ruled Ltd', created_at: TIME });
  });

  it('list and show agents, also deactivated ones', async () => {
    const { organisation_id: id } = await answerOf(
      env,
      'accounts',
      'create',
      '--name',
      'Team Ltd',
      '--no-organisation',
    );
    expect(id).toBeNull();
    const created = await answerOf(env, 'accounts', 'create', '--name', 'Team Ltd');
    const organisation = String(created['organisation_id']);
    const add = (email: string) =>
      run('agents', 'create', '--organisation', organisation, '--name', 'Ada', '--email', email, '--role', 'agent');
    const { user_id } = await add('ada@example.test');
    const agent = { user_id, name: 'Ada', email: 'ada@example.test', role: 'agent', status: 'active' };
    const { agents } = await run('agents', 'list', '--organisation', organisation);
    expect(agents).toContainEqual(agent);
    await run('agents', 'deactivate', String(user_id));
    const gone = { ...agent, status: 'deactivated' };
    expect(await run('agents', 'show', String(user_id))).toEqual({ ...gone, organisation_id: organisation });
    expect(await run('agents', 'list', '--organisation', organisation, '--status', 'deactivated')).toEqual({
      agents: [gone],
    });
  });

  it('show a key without its secret', async () => {
    const { id, api_key } = await answerOf(env, 'keys', 'create', '--account', account.accountId, '--name', 'Shop');
    const shown = await run('keys', 'show', String(id));
    expect(shown).toMatchObject({ id, name: 'Shop', scopes: '*', account_id: account.accountId });
    expect(JSON.stringify(shown)).not.toContain(String(api_key).slice(21));
  });

  it('show a business phone', async () => {
    const { phone, accountId } = account;
    expect(await run('phones', 'show', phone.id)).toMatchObject({
      waba_phone_id: phone.id,
      phone_number_id: phone.phoneNumberId,
      waba_id: phone.wabaId,
      restriction: null,
      app_id: null,
      account_id: accountId,
    });
  });

  it('list and show campaigns', async () => {
    const template = await approvedTemplate(world, account);
    const later = '2099-01-31T09:00:00.000Z';
    const id = await draft(account, template.name, 2, { name: 'Spring sale', scheduled_at: later });
    const { campaigns } = await run('campaigns', 'list', '--account', account.accountId, '--status', 'scheduled');
    expect(campaigns).toMatchObject([{ campaign_id: id, name: 'Spring sale', total_contacts: 2, sent_count: 0 }]);
    expect(await run('campaigns', 'list', '--account', account.accountId, '--status', 'failed')).toEqual({
      campaigns: [],
    });
    expect(await run('campaigns', 'show', id)).toMatchObject({
      campaign_id: id,
      template_name: template.name,
      waba_phone_id: account.phone.id,
      campaign_status: 'scheduled',
      scheduled_at: later,
      failed_count: 0,
      account_id: account.accountId,
    });
  });

  it('list and show webhooks without their secrets', async () => {
    const secret = 'a-secret-of-the-endpoint';
    const given = { url: 'https://example.com/hook', subscribed_events: ['message.sent'], secret };
    const { body } = await account.api.post<{ webhook: { id: string } }>('/api/v1/webhooks/', given);
    const { id } = body.webhook;
    const { webhooks } = await run('webhooks', 'list', '--account', account.accountId);
    expect(webhooks).toMatchObject([{ id, url: given.url, status: 'active', subscribed_events: 'message.sent' }]);
    const shown = await run('webhooks', 'show', id);
    expect(shown).toMatchObject({
      id,
      subscribed_events: ['message.sent'],
      has_secret: true,
      failed_deliveries: 0,
      account_id: account.accountId,
    });
    expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it('list and show contacts', async () => {
    const phone_number = uniquePhone();
    const { body } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      first_name: 'Grace',
      phone_number,
      tags: ['vip'],
    });
    const { id } = body.contact;
    const { contacts } = await run('contacts', 'list', '--account', account.accountId, '--search', phone_number);
    expect(contacts).toMatchObject([{ id, name: 'Grace', phone_number }]);
    expect(await run('contacts', 'show', id)).toMatchObject({ id, tags: ['vip'], account_id: account.accountId });
  });

  it('list and show messages with what they say, on one line each', async () => {
    const { accountId, phone } = account;
    const from = uniquePhone();
    const said = { phone_number_id: phone.phoneNumberId, from };
    await world.simulator.inbound({ ...said, type: 'text', text: `two\nlines \u001b[31mred ${'x'.repeat(100)}` });
    await world.simulator.inbound({ ...said, type: 'location', location: { latitude: 52.5, longitude: 13.4 } });
    const list = ['messages', 'list', '--account', accountId, '--phone', from];
    const { messages } = (await run(...list)) as { messages: { message_id: string; content: string }[] };
    expect(messages).toMatchObject([
      { direction: 'in', contact: from, message_type: 'location', content: '52.5, 13.4', status: 'received' },
      { direction: 'in', contact: from, message_type: 'text', error_code: null, created_at: TIME },
    ]);
    expect(messages[1]?.content).toMatch(/^two\nlines .{50}…$/);
    const { stdout } = await commandLine(env, ...list);
    expect(stdout).toContain('two⏎lines \ufffd[31mred');
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(await run(...list, '--direction', 'out')).toEqual({ messages: [] });
    expect(await run(...list, '--status', 'received', '--limit', '1')).toEqual({ messages: [messages[0]] });

    const id = String(messages[0]?.message_id);
    const location = { latitude: 52.5, longitude: 13.4 };
    const shown = await run('messages', 'show', id);
    expect(shown).toMatchObject({ message_id: id, contact_phone: from, content: '52.5, 13.4', account_id: accountId });
    expect(shown).toMatchObject({ location, timeline: [{ status: 'received', at: TIME }] });
    const text = await commandLine(env, 'messages', 'show', id);
    expect(text.stdout).toMatch(/^location +\{"latitude":52\.5,"longitude":13\.4/m);
  });

  it('show an app without its secrets, with the phones that are connected with it', async () => {
    const given = {
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: 'test-app-secret',
      NETWORK_VERIFY_TOKEN: 'test-verify-token',
    };
    const at = {
      ...env,
      ...given,
      NETWORK_BASE_URL: world.environment.network.baseUrl,
      PUBLIC_URL: 'https://p.example',
    };
    const app = `7${uniqueDigits()}`;
    await answerOf(at, 'apps', 'add', app, '--secret', 'an-app-secret', '--verify-token', 'a-verify-token');
    const added = { app_id: app, callback_url: `https://p.example/network/callbacks/${app}`, added_at: TIME };
    expect(await answerOf(at, 'apps', 'show', app)).toEqual({ ...added, business_phones: [] });
    const { phones, accountId } = await world.account();
    const [phone] = phones;
    await world.unitOfWork.autocommit.affected(
      'UPDATE business_phones SET app_id = $3 WHERE account_id = $1 AND id = $2',
      [accountId, phone?.id, app],
    );
    expect(await answerOf(at, 'apps', 'show', app)).toEqual({
      ...added,
      business_phones: [{ waba_phone_id: phone?.id, account_id: accountId, phone_number: expect.any(String) }],
    });
    const own = (await answerOf(at, 'apps', 'show', '1')) as unknown as { added_at: null; business_phones: object[] };
    expect(own.added_at).toBeNull();
    expect(own.business_phones).toContainEqual(expect.objectContaining({ waba_phone_id: account.phone.id }));
    const unknown = await commandLine(at, 'apps', 'show', `8${uniqueDigits()}`);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['accounts', 'show'],
    ['organisations', 'show'],
    ['agents', 'show'],
    ['agents', 'list', '--organisation'],
    ['keys', 'show'],
    ['phones', 'show'],
    ['campaigns', 'show'],
    ['campaigns', 'list', '--account'],
    ['webhooks', 'show'],
    ['webhooks', 'list', '--account'],
    ['contacts', 'show'],
    ['contacts', 'list', '--account'],
    ['messages', 'show'],
    ['messages', 'list', '--account'],
    ['messages', 'trace'],
  ])('refuse an unknown id with one line and exit 2: %s %s', async (...args) => {
    const { code, stdout, stderr } = await commandLine(env, ...args, newRecordId());
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: .+\n$/);
  });
});
