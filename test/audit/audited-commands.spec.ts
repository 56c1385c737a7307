import { answerOf, commandLine } from '../cli/command-line.js';
import { type TestAccount, uniqueDigits, World } from '../support/world.js';
import { actionsOf, entriesOf } from './audit-log.js';

describe('the audit log of the command line', () => {
  let world: World;
  let account: TestAccount;
  let env: Record<string, string>;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    env = {
      DATABASE_URL: world.environment.databaseUrl,
      DATA_DIR: '/nonexistent',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });

  const changesOf = async () => (await entriesOf(account)).map(({ action, changes }) => [action, changes]);

  it('has one entry for each change of the account, of its keys and its phones', async () => {
    const { accountId } = account;
    await answerOf(env, 'accounts', 'suspend', accountId);
    await answerOf(env, 'accounts', 'activate', accountId);
    const key = await answerOf(env, 'keys', 'create', '--account', accountId, '--scopes', 'audit:read');
    await answerOf(env, 'keys', 'revoke', String(key.id));
    const network = ['--phone-number-id', `44${uniqueDigits()}`, '--waba-id', `33${uniqueDigits()}`];
    const phone = ['phones', 'add', '--account', accountId, ...network, '--display', '12025550123'];
    const { waba_phone_id: phoneId } = await answerOf(env, ...phone);
    await answerOf(env, 'phones', 'set', String(phoneId), '--throughput', '20', '--primary');
    expect(await changesOf()).toEqual([
      ['account.suspended', {}],
      ['account.activated', {}],
      ['api_key.created', { scopes: ['audit:read'], expires_at: null }],
      ['api_key.revoked', {}],
      ['business_phone.created', { phone_number_id: network[1], waba_id: network[3] }],
      ['business_phone.changed', { throughput: 20, primary: true }],
    ]);
    const [suspended] = await entriesOf(account);
    expect(suspended).toMatchObject({
      actor: 'cli',
      api_key_id: null,
      api_key_name: null,
      subject_type: 'account',
      subject_id: accountId,
      request_id: null,
      address: null,
    });
    expect(JSON.stringify(await entriesOf(account))).not.toContain(key.api_key);
  });

  it('has an entry for the creation of an account', async () => {
    const created = await answerOf(env, 'accounts', 'create', '--name', 'Second');
    const { api_key: apiKey } = await answerOf(env, 'keys', 'create', '--account', String(created.account_id));
    const { baseUrl } = world;
    const response = await fetch(`${baseUrl}/api/v1/audit/`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await response.json()).toMatchObject({
      total: 2,
      audit_entries: [
        { action: 'api_key.created' },
        {
          action: 'account.created',
          subject_id: created.account_id,
          changes: { organisation_id: created.organisation_id, owner_id: created.user_id },
        },
      ],
    });
  });

  it('has an entry for credits', async () => {
    await answerOf(env, 'wallet', 'credit', '--account', account.accountId, '--amount', '250');
    expect(await entriesOf(account)).toMatchObject([
      { actor: 'cli', action: 'account.credited', subject_id: account.accountId, changes: { amount: 250 } },
    ]);
  });

  it('has an entry for changes of agents and the organisation in each of its accounts, without names', async () => {
    const organisation = String(account.organisationId);
    const agent = ['--name', 'Grace Hoffman', '--email', 'grace@example.test', '--role', 'agent'];
    const { user_id: userId } = await answerOf(env, 'agents', 'create', '--organisation', organisation, ...agent);
    await answerOf(env, 'agents', 'deactivate', String(userId));
    await answerOf(env, 'organisations', 'set', organisation, '--auto-inbound', 'on', '--auto-reply', 'Ada is away');
    expect(await changesOf()).toEqual([
      ['agent.created', { role: 'agent' }],
      ['agent.deactivated', {}],
      ['organisation.changed', { auto_inbound: true, auto_reply: true }],
    ]);
    const entries = JSON.stringify(await entriesOf(account));
    expect(entries).not.toMatch(/Grace|grace@|Ada is away/);
  });

  it('has an entry for the erasure of a contact', async () => {
    const { body } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: `4915${uniqueDigits().slice(-9)}`,
      first_name: 'Ada',
    });
    await answerOf(env, 'contacts', 'erase', body.contact.id);
    expect(await entriesOf(account)).toMatchObject([
      { actor: 'cli', action: 'contact.erased', subject_id: body.contact.id },
    ]);
  });

  it('has an entry for the erasure of all contacts', async () => {
    await answerOf(env, 'contacts', 'erase', '--all', '--account', account.accountId);
    const rows = await world.unitOfWork.autocommit.rows<{ action: string; actor: string }>(
      'SELECT action, actor FROM audit_entries WHERE account_id = $1',
      [account.accountId],
    );
    expect(rows).toEqual([{ action: 'account.contacts_erased', actor: 'cli' }]);
  });

  it('has no entry for a command that failed', async () => {
    const { code } = await commandLine(
      env,
      'organisations',
      'set',
      String(account.organisationId),
      '--stop-words',
      'A',
      '--start-words',
      'A',
    );
    expect(code).toBe(2);
    expect(await actionsOf(account)).toEqual([]);
  });
});
