import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tokenPlace } from '../../src/accounts/business-phones.service.js';
import { AgentsService } from '../../src/agents/agents.service.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient } from '../support/api-client.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { uniqueDigits, uniquePhone, World } from '../support/world.js';
import { answerOf, commandLine, pipedInto } from './command-line.js';

/** How long a busy machine may take for what is promised within a second, milliseconds. */
const SOON_MS = 30_000;
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);

describe('the command line', () => {
  let world: World;
  let env: Record<string, string>;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    env = {
      DATABASE_URL: world.environment.databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: '/nonexistent',
    };
  });
  afterAll(() => world.stop());

  const run = (...args: string[]) => answerOf(env, ...args);
  const newAccount = async (...args: string[]) => {
    const { account_id, organisation_id, user_id } = await run('accounts', 'create', '--name', 'Acme', ...args);
    return { id: String(account_id), organisationId: String(organisation_id), userId: String(user_id) };
  };
  const select = (sql: string, ...parameters: unknown[]) => world.unitOfWork.autocommit.row(sql, parameters);

  describe('accounts', () => {
    it('are created with their own organisation, in another one, or in none', async () => {
      const first = await run('accounts', 'create', '--name', 'Acme');
      expect(first).toEqual({ account_id: ID, organisation_id: ID, user_id: ID });
      const sibling = await run(
        'accounts',
        'create',
        '--name',
        'B',
        '--organisation',
        String(first['organisation_id']),
      );
      expect(sibling['organisation_id']).toBe(first['organisation_id']);
      const alone = await run('accounts', 'create', '--name', 'C', '--no-organisation');
      expect(alone).toEqual({ account_id: ID, organisation_id: null, user_id: ID });
    });

    it('are suspended and activated', async () => {
      const { id } = await newAccount();
      await run('accounts', 'suspend', id);
      expect(await select('SELECT status FROM accounts WHERE id = $1', id)).toEqual({ status: 'suspended' });
      await run('accounts', 'activate', id);
      expect(await select('SELECT status FROM accounts WHERE id = $1', id)).toEqual({ status: 'active' });
    });
  });

  describe('keys', () => {
    it('work immediately and are rejected within a second of being revoked', async () => {
      const account = await newAccount();
      const { id, api_key } = await run('keys', 'create', '--account', account.id);
      const api = new ApiClient(world.baseUrl, String(api_key));
      expect((await api.get('/api/v1/agents/')).status).toBe(200);
      await run('keys', 'revoke', String(id));
      await until('the key is refused', async () => (await api.get('/api/v1/agents/')).status === 401, SOON_MS);
      await run('keys', 'revoke', String(id));
    });

    it('have a name, scopes, a rate limit and an expiry', async () => {
      const account = await newAccount();
      const { id, api_key } = await run(
        ...['keys', 'create', '--account', account.id, '--name', 'Reporting', '--scopes', 'agents:read,contacts:read'],
        ...['--rate-limit', '7', '--expires', '2999-01-31T09:30:00Z'],
      );
      expect(
        await select(
          'SELECT name, scopes, rate_limit, expires_at FROM api_keys WHERE account_id = $1 AND id = $2',
          account.id,
          id,
        ),
      ).toEqual({
        name: 'Reporting',
        scopes: ['agents:read', 'contacts:read'],
        rateLimit: 7,
        expiresAt: new Date('2999-01-31T09:30:00Z'),
      });
      const api = new ApiClient(world.baseUrl, String(api_key));
      expect((await api.get('/api/v1/agents/')).headers.get('ratelimit-limit')).toBe('7');
      expect((await api.get('/api/v1/business-phones/')).status).toBe(403);
    });
  });

  describe('keys list and rotate', () => {
    it('list keys without their secrets, and replace one by a successor with the same rights', async () => {
      const account = await newAccount();
      const old = await run('keys', 'create', '--account', account.id, '--name', 'Shop', '--scopes', 'agents:read');
      const { id, api_key } = await run('keys', 'rotate', String(old.id), '--overlap', '3600');
      expect(id).not.toBe(old.id);
      for (const key of [old.api_key, api_key]) {
        expect((await new ApiClient(world.baseUrl, String(key)).get('/api/v1/agents/')).status).toBe(200);
      }
      const { api_keys } = await run('keys', 'list', '--account', account.id);
      expect(api_keys).toMatchObject([
        { id, name: 'Shop', scopes: 'agents:read', revoked_at: null },
        { id: old.id, name: 'Shop', scopes: 'agents:read', revoked_at: expect.any(String) },
      ]);
      expect(JSON.stringify(api_keys)).not.toContain(String(api_key).slice(21));
    });

    it('get every scope, later ones too, without --scopes', async () => {
      const account = await newAccount();
      await run('keys', 'create', '--account', account.id);
      expect((await run('keys', 'list', '--account', account.id)).api_keys).toMatchObject([{ scopes: '*' }]);
    });
  });

  it('lists accounts', async () => {
    const account = await newAccount();
    const { accounts } = await run('accounts', 'list');
    expect(accounts).toEqual(expect.arrayContaining([expect.objectContaining({ account_id: account.id })]));
  });

  it('prints which migrations are applied, and runs none, with migrate --status', async () => {
    const { applied, pending, unknown } = await run('migrate', '--status');
    expect(applied).toBeGreaterThan(40);
    expect([pending, unknown]).toEqual([[], []]);
  });

  describe('phones', () => {
    const add = (accountId: string, ...more: string[]) =>
      run(
        ...['phones', 'add', '--account', accountId, '--phone-number-id', `44${uniqueDigits()}`],
        ...['--waba-id', `33${accountId}`, '--display', '+49 151 1234-5678', ...more],
      );

    it('are added with a number in digits, 80 messages per second and an encrypted token', async () => {
      const { id } = await newAccount();
      const added = await add(id, '--token', 'EAAG-secret');
      expect(added).toEqual({ waba_phone_id: ID });
      const phoneId = String(added['waba_phone_id']);
      const row = (await select(
        'SELECT phone, throughput, access_token FROM business_phones WHERE account_id = $1 AND id = $2',
        id,
        phoneId,
      )) as { accessToken: string };
      expect(row).toMatchObject({ phone: '4915112345678', throughput: 80 });
      expect(world.parley.app.get(SecretBox).open(row.accessToken, tokenPlace(id, phoneId))).toBe('EAAG-secret');
    });

    it('take throughput 0 as unlimited, and can take over the primary flag', async () => {
      const { id } = await newAccount();
      await add(id, '--primary');
      const second = await add(id, '--primary', '--throughput', '0');
      expect(
        await select('SELECT id, throughput FROM business_phones WHERE account_id = $1 AND is_primary', id),
      ).toEqual({ id: second['waba_phone_id'], throughput: 0 });
    });

    const tokenOf = async (accountId: string, phoneId: unknown) => {
      const row = await select(
        'SELECT access_token FROM business_phones WHERE account_id = $1 AND id = $2',
        accountId,
        phoneId,
      );
      const { accessToken } = row as { accessToken: string };
      return world.parley.app.get(SecretBox).open(accessToken, tokenPlace(accountId, String(phoneId)));
    };

    it('are listed, primary first', async () => {
      const { id } = await newAccount();
      await expect(run('phones', 'list', '--account', id)).resolves.toEqual({ business_phones: [] });
      const first = await add(id);
      const second = await add(id, '--primary', '--throughput', '0');
      const { business_phones } = (await run('phones', 'list', '--account', id)) as unknown as {
        business_phones: unknown[];
      };
      const { api_key } = await run('keys', 'create', '--account', id);
      const { body } = await new ApiClient(world.baseUrl, String(api_key)).get<object>('/api/v1/business-phones/');
      expect(body).toEqual({ status: 'success', business_phones, total: 2, page: 1, limit: 20 });
      expect(business_phones).toMatchObject([
        { waba_phone_id: second['waba_phone_id'], throughput: 0, is_primary: true },
        { waba_phone_id: first['waba_phone_id'], throughput: 80, is_primary: false },
      ]);
      const { stdout } = await commandLine(env, 'phones', 'list', '--account', id);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.map((line) => line.split(/ +/)[0])).toEqual([
        'waba_phone_id',
        second['waba_phone_id'],
        first['waba_phone_id'],
      ]);
      expect(new Set(lines.map((line) => line.search(/4915112345678|phone /)))).toHaveProperty('size', 1);
    });

    it('are listed with what the network restricts', async () => {
      const { id } = await newAccount();
      await add(id);
      await world.unitOfWork.autocommit.affected(
        'UPDATE business_accounts SET restrictions = $2 WHERE account_id = $1',
        [id, '{"PARTNER_REMOVED": {"isInForce": true, "until": null, "detail": null, "toldAt": 1}}'],
      );
      const reason = 'the business account no longer shares its access';
      await expect(run('phones', 'list', '--account', id)).resolves.toMatchObject({
        business_phones: [{ restriction: { type: 'PARTNER_REMOVED', reason, until: null } }],
      });
      const { stdout } = await commandLine(env, 'phones', 'list', '--account', id);
      expect(stdout).toContain(`PARTNER_REMOVED, ${reason}`);
    });

    it('take a token from a file or standard input, and replace it', async () => {
      const directory = mkdtempSync(path.join(tmpdir(), 'parley-token-'));
      try {
        const file = path.join(directory, 'token');
        writeFileSync(file, 'EAAG-from-a-file\n');
        const { id } = await newAccount();
        const { waba_phone_id: phoneId } = await add(id, '--token-file', file);
        await expect(tokenOf(id, phoneId)).resolves.toBe('EAAG-from-a-file');
        const changed = await pipedInto('EAAG-piped\n', env, 'phones', 'set', String(phoneId), '--token-stdin');
        expect(changed).toEqual({ code: 0, stdout: `waba_phone_id  ${phoneId}\n`, stderr: '' });
        await expect(tokenOf(id, phoneId)).resolves.toBe('EAAG-piped');
        await run('phones', 'set', String(phoneId), '--token', 'EAAG-argument');
        await expect(tokenOf(id, phoneId)).resolves.toBe('EAAG-argument');
      } finally {
        rmSync(directory, { recursive: true });
      }
    });

    it('keep settings that a change does not name', async () => {
      const { id } = await newAccount();
      const first = await add(id, '--primary', '--token', 'EAAG-kept');
      const { waba_phone_id: phoneId } = await add(id);
      await run('phones', 'set', String(phoneId), '--primary');
      await run('phones', 'set', String(phoneId), '--throughput', '1000');
      await expect(run('phones', 'list', '--account', id)).resolves.toMatchObject({
        business_phones: [
          { waba_phone_id: phoneId, throughput: 1000, is_primary: true },
          { waba_phone_id: first['waba_phone_id'], throughput: 80, is_primary: false },
        ],
      });
      await expect(tokenOf(id, first['waba_phone_id'])).resolves.toBe('EAAG-kept');
    });

    it('send with a new token within a second', async () => {
      const { api, phone, ...account } = await world.account();
      const template = await approvedTemplate(world, { api, phone, ...account });
      const statusOf = async () => {
        const body = { template_name: template.name, contact_phone: uniquePhone() };
        return (await api.post('/api/v1/messages/send', body)).status;
      };
      await run('phones', 'set', phone.id, '--token', 'expired');
      await until('the network rejects the token', async () => (await statusOf()) === 400, SOON_MS);
      await run('phones', 'set', phone.id, '--token', 'EAAG-fresh');
      await until('the network accepts the new one', async () => (await statusOf()) === 200, SOON_MS);
    });
  });

  describe('agents', () => {
    it('are created and deactivated', async () => {
      const { organisationId } = await newAccount();
      const { user_id } = await run(
        ...['agents', 'create', '--organisation', organisationId],
        ...['--name', 'Ada Agent', '--email', 'ada@example.test', '--role', 'manager'],
      );
      const agents = world.parley.app.get(AgentsService);
      await expect(agents.findActive(organisationId, String(user_id))).resolves.toEqual({
        userId: user_id,
        fullName: 'Ada Agent',
        email: 'ada@example.test',
        emailClashes: false,
        role: 'manager',
        status: 'active',
      });
      await run('agents', 'deactivate', String(user_id));
      await expect(agents.findActive(organisationId, String(user_id))).resolves.toBeNull();
    });
  });

  describe('wallet', () => {
    it('is credited and shows its balance', async () => {
      const { id } = await newAccount();
      await expect(run('wallet', 'balance', '--account', id)).resolves.toEqual({ balance: 0 });
      await expect(run('wallet', 'credit', '--account', id, '--amount', '250')).resolves.toEqual({ balance: 250 });
      await expect(run('wallet', 'credit', '--account', id, '--amount', '1')).resolves.toEqual({ balance: 251 });
    });
  });

  describe('organisations', () => {
    const settings = (id: string) =>
      select(
        `SELECT auto_inbound, auto_reply, auto_reply_user_id, stop_words, start_words
         FROM organisations WHERE id = $1`,
        id,
      );

    it('keep settings that a change does not name', async () => {
      const { organisationId, userId } = await newAccount();
      const answered = await run(
        ...['organisations', 'set', organisationId, '--auto-inbound', 'on', '--auto-reply', 'We are back at nine.'],
        ...['--auto-reply-agent', userId, '--stop-words', 'stop,ende', '--start-words', 'los'],
      );
      expect(answered).toEqual({ organisation_id: organisationId });
      const set = {
        autoInbound: true,
        autoReply: 'We are back at nine.',
        autoReplyUserId: userId,
        stopWords: ['STOP', 'ENDE'],
        startWords: ['LOS'],
      };
      await expect(settings(organisationId)).resolves.toEqual(set);
      await run('organisations', 'set', organisationId, '--auto-inbound', 'off');
      await expect(settings(organisationId)).resolves.toEqual({ ...set, autoInbound: false });
    });

    it('turn off the automatic reply together with its agent', async () => {
      const { organisationId, userId } = await newAccount();
      await run('organisations', 'set', organisationId, '--auto-reply', 'Hello', '--auto-reply-agent', userId);
      await run('organisations', 'set', organisationId, '--auto-reply', 'off');
      await expect(settings(organisationId)).resolves.toMatchObject({ autoReply: null, autoReplyUserId: null });
    });
  });

  it('prints a line per field without --json', async () => {
    const { id } = await newAccount();
    const outcome = await commandLine(env, 'accounts', 'suspend', id);
    expect(outcome).toEqual({ code: 0, stdout: `account_id  ${id}\nstatus      suspended\n`, stderr: '' });
  });

  it('also accepts --json before the noun', async () => {
    const { id } = await newAccount();
    const outcome = await commandLine(env, '--json', 'wallet', 'balance', '--account', id);
    expect(outcome).toEqual({ code: 0, stdout: '{"balance":0}\n', stderr: '' });
  });

  it('prints help on --help', async () => {
    const { code, stdout, stderr } = await commandLine({}, 'keys', 'create', '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('--rate-limit');
  });

  describe('rejects with one line and exit 2', () => {
    const unknown = newRecordId();
    const create = ['agents', 'create', '--organisation', unknown, '--name', 'Ada', '--email'];
    const phone = ['phones', 'add', '--account', unknown, '--phone-number-id', '1', '--waba-id', '2', '--display'];

    it.each<[string, string[], RegExp]>([
      ['nothing at all', [], /incomplete/],
      ['a noun alone', ['wallet'], /incomplete/],
      ['an unknown noun', ['frobs', 'create'], /unknown command 'frobs'/],
      ['an unknown verb', ['accounts', 'delete'], /unknown command 'delete'/],
      ['an unknown flag', ['accounts', 'create', '--name', 'A', '--colour', 'red'], /unknown option '--colour'/],
      ['a surplus argument', ['accounts', 'suspend', unknown, unknown], /too many arguments/],
      ['a missing flag', ['accounts', 'create'], /'--name <name>' not specified/],
      ['a flag without its value', ['accounts', 'create', '--name'], /argument missing/],
      ['a missing id', ['keys', 'revoke'], /missing required argument 'id'/],
      ['a malformed id', ['accounts', 'suspend', '42'], /It must be an id/],
      ['a blank name', ['accounts', 'create', '--name', ' '], /not blank/],
      ['an unknown account', ['accounts', 'suspend', unknown], /there is no account/],
      ['a key for an unknown account', ['keys', 'create', '--account', unknown], /there is no account/],
      ['an unknown scope', ['keys', 'create', '--account', unknown, '--scopes', 'all'], /all is not a scope/],
      ['a rate limit of 0', ['keys', 'create', '--account', unknown, '--rate-limit', '0'], /whole number from 1/],
      ['an end in the past', ['keys', 'create', '--account', unknown, '--expires', '2020-01-01'], /in the future/],
      ['an unknown key', ['keys', 'revoke', unknown], /there is no API key/],
      ['an unknown organisation', ['accounts', 'create', '--name', 'A', '--organisation', unknown], /no organisation/],
      [
        'an organisation and none',
        ['accounts', 'create', '--name', 'A', '--organisation', unknown, '--no-organisation'],
        /cannot be combined/,
      ],
      ['an agent of an unknown organisation', [...create, 'a@example.test', '--role', 'agent'], /no organisation/],
      ['a malformed address', [...create, 'ada', '--role', 'agent'], /e-mail address/],
      ['an unknown role', [...create, 'a@example.test', '--role', 'boss'], /owner, admin, manager, agent/],
      ['an unknown agent', ['agents', 'deactivate', unknown], /there is no agent/],
      ['a phone for an unknown account', [...phone, '12025550123'], /there is no account/],
      ['a malformed number', [...phone, 'office'], /phone number/],
      ['a change to an unknown phone', ['phones', 'set', unknown, '--primary'], /there is no business phone/],
      ['an empty change', ['phones', 'set', unknown], /nothing to set/],
      ['the phones of an unknown account', ['phones', 'list', '--account', unknown], /there is no account/],
      ['a blank token', ['phones', 'set', unknown, '--token', ' '], /not blank/],
      ['a blank token on standard input', ['phones', 'set', unknown, '--token-stdin'], /'--token-stdin' is invalid/],
      ['a token in a missing file', ['phones', 'set', unknown, '--token-file', '/missing'], /cannot be read \(ENOENT/],
      ['an empty file as a token', ['phones', 'set', unknown, '--token-file', '/dev/null'], /not blank/],
      [
        'two tokens',
        ['phones', 'set', unknown, '--token', 'a', '--token-stdin'],
        /'--token <token>' cannot be used with option '--token-stdin'/,
      ],
      ['a negative throughput', [...phone, '12025550123', '--throughput=-1'], /whole number from 0/],
      ['an amount of 0', ['wallet', 'credit', '--account', unknown, '--amount', '0'], /whole number from 1/],
      ['credits for an unknown account', ['wallet', 'credit', '--account', unknown, '--amount', '1'], /no account/],
      ['the balance of an unknown account', ['wallet', 'balance', '--account', unknown], /no account/],
      ['settings of an unknown organisation', ['organisations', 'set', unknown, '--auto-inbound', 'on'], /no organis/],
      ['no settings', ['organisations', 'set', unknown], /nothing to set/],
      ['an unknown switch', ['organisations', 'set', unknown, '--auto-inbound', 'yes'], /on, off/],
      [
        'an agent for a reply that is being turned off',
        ['organisations', 'set', unknown, '--auto-reply', 'off', '--auto-reply-agent', unknown],
        /cannot be combined/,
      ],
    ])('%s', async (_, args, message) => {
      const { code, stdout, stderr } = await commandLine(env, ...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr).toMatch(message);
    });

    it('phones and agents of another account or organisation', async () => {
      const [one, other] = await Promise.all([newAccount(), newAccount()]);
      const [phone, waba] = [`44${uniqueDigits()}`, `33${uniqueDigits()}`];
      const add = (id: string, phoneNumberId: string, wabaId: string) =>
        commandLine(
          env,
          ...['phones', 'add', '--account', id, '--phone-number-id', phoneNumberId, '--waba-id', wabaId],
          ...['--display', '12025550123'],
        );
      expect((await add(one.id, phone, waba)).code).toBe(0);
      await expect(add(other.id, phone, `${waba}9`)).resolves.toMatchObject({
        code: 2,
        stderr: `error: the phone_number_id ${phone} is already registered\n`,
      });
      await expect(add(other.id, `${phone}9`, waba)).resolves.toMatchObject({
        code: 2,
        stderr: `error: the waba_id ${waba} belongs to another account\n`,
      });
      const foreignAgent = ['--auto-reply', 'Hello', '--auto-reply-agent', other.userId];
      await expect(commandLine(env, 'organisations', 'set', one.organisationId, ...foreignAgent)).resolves.toEqual({
        code: 2,
        stdout: '',
        stderr: `error: user ${other.userId} is not a member of organisation ${one.organisationId}\n`,
      });
    });
  });
});
