import { newRecordId } from '../../src/values/record-id.js';
import { SEND } from '../messages/messages.js';
import { freshDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { answerOf, commandLine, type Outcome, pipedInto } from './command-line.js';

const ALL = ['whatsapp_business_messaging', 'whatsapp_business_management'];

interface Found {
  readonly phones: readonly {
    readonly waba_phone_id: string | null;
    readonly checks: readonly { readonly check: string; readonly result: string }[];
    readonly error?: string;
  }[];
}

describe('the command line at Meta', () => {
  let world: World;
  let account: TestAccount;
  let env: Record<string, string>;
  beforeAll(async () => {
    const port = await freePort();
    const PUBLIC_URL = `http://127.0.0.1:${port}`;
    world = await World.start({ env: { PORT: String(port), PUBLIC_URL } });
    account = await world.account();
    env = {
      DATABASE_URL: world.environment.databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: '/nonexistent',
      NETWORK_BASE_URL: world.environment.network.baseUrl,
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: 'test-app-secret',
      NETWORK_VERIFY_TOKEN: 'test-verify-token',
      PUBLIC_URL,
    };
  });
  afterAll(() => world.stop());
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** A number at Meta that nobody has connected, with a permanent token for it. */
  const number = async (phone: object = {}, { simulator } = world) => {
    const ids = { phone_number_id: `67${uniqueDigits()}`, waba_id: `89${uniqueDigits()}` };
    await simulator.addPhone(ids.phone_number_id, ids.waba_id, `+1 555 ${uniqueDigits().slice(-7)}`, {
      ...phone,
    });
    const token = `EAAG${uniqueDigits()}`;
    const { code } = await simulator.declareToken({ token, scopes: ALL });
    const flags = ['--phone-number-id', ids.phone_number_id, '--waba-id', ids.waba_id];
    return { ...ids, token, code, flags };
  };
  const run = (...args: string[]) => commandLine(env, ...args);
  const connect = (...args: string[]) => run('phones', 'connect', '--account', account.accountId, ...args);
  const foundBy = ({ stdout }: Outcome) => (JSON.parse(stdout) as Found).phones;
  const failedIn = (outcome: Outcome) =>
    foundBy(outcome).flatMap(({ checks }) => checks.filter(({ result }) => result === 'failed').map((c) => c.check));
  const connected = async () => {
    const given = await number();
    const outcome = await connect(...given.flags, '--token', given.token, '--json');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    return { ...given, id: String(foundBy(outcome)[0]?.waba_phone_id) };
  };

  it('connects, checks and removes a phone', async () => {
    const given = await number({ registered: false, pin: '246810' });
    const args = [
      'phones',
      'connect',
      '--account',
      account.accountId,
      ...given.flags,
      '--token-stdin',
      '--pin',
      '246810',
    ];
    const outcome = await pipedInto(`${given.token}\n`, env, ...args);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^ok {7}registration /m);
    expect(outcome.stdout).not.toContain(given.token);
    const id = String(/^waba_phone_id (\S+)$/m.exec(outcome.stdout)?.[1]);
    expect(await run('phones', 'check', id)).toMatchObject({ code: 0, stderr: '' });
    await world.simulator.unsubscribe(given.waba_id, given.token);
    const check = await run('phones', 'check', id);
    expect([check.code, check.stderr]).toEqual([1, 'a check has failed\n']);
    expect(check.stdout).toMatch(/^failed {3}subscription .+\n {9}.+\n {9}→ .+ See “Subscribe the app”/m);
    expect(await answerOf(env, 'phones', 'remove', id)).toEqual({ waba_phone_id: id, status: 'removed' });
    expect(await run('phones', 'remove', id)).toMatchObject({ code: 2 });
  });

  it('connects with a code, and stores nothing when a check fails', async () => {
    const given = await number();
    expect((await connect(...given.flags, '--code', String(given.code), '--json')).code).toBe(0);
    const used = await connect(...given.flags, '--code', String(given.code), '--json');
    expect([used.code, used.stderr]).toEqual([1, 'a check has failed\n']);
    expect(foundBy(used)).toMatchObject([{ waba_phone_id: null }]);
    expect(failedIn(used)).toContain('token');
    expect(await connect(...given.flags)).toMatchObject({ code: 2, stderr: 'error: give a token or --code\n' });
  });

  it('checks all phones of an account, and goes on after one that cannot be checked', async () => {
    const { accountId, phones } = await world.account({ phones: 2 });
    await world.unitOfWork.autocommit.affected(
      "UPDATE business_phones SET access_token = 'v1.other.AAAA' WHERE account_id = $1 AND id = $2",
      [accountId, phones[0]?.id],
    );
    const outcome = await run('phones', 'check', '--account', accountId, '--json');
    expect(outcome.code).toBe(1);
    const found = foundBy(outcome);
    expect(found).toHaveLength(2);
    expect(found.filter(({ error }) => error !== undefined)).toMatchObject([{ waba_phone_id: phones[0]?.id }]);
    expect(await run('phones', 'check', accountId, '--account', accountId)).toMatchObject({ code: 2 });
  });

  it('checks the phones of every account, and ends with 1 if a check of one fails', async () => {
    const port = await freePort();
    const PUBLIC_URL = `http://127.0.0.1:${port}`;
    const own = await World.start({ databaseUrl: await freshDatabase(), env: { PORT: String(port), PUBLIC_URL } });
    ends.push(() => own.stop());
    const { databaseUrl, network } = own.environment;
    const all = (...args: string[]) =>
      commandLine({ ...env, DATABASE_URL: databaseUrl, NETWORK_BASE_URL: network.baseUrl, PUBLIC_URL }, ...args);
    const check = () => all('phones', 'check', '--json');
    expect(await all('phones', 'check')).toEqual({ code: 0, stdout: 'no business phone is connected\n', stderr: '' });

    const given = [];
    for (const name of ['First Ltd', 'Second Ltd']) {
      const { stdout } = await all('accounts', 'create', '--name', name, '--json');
      const ids = await number({ name_status: 'PENDING_REVIEW' }, own);
      const account_id: string = JSON.parse(stdout).account_id;
      const phone = await all(
        'phones',
        'connect',
        '--account',
        account_id,
        ...ids.flags,
        '--token',
        ids.token,
        '--json',
      );
      given.push({ ...ids, id: foundBy(phone)[0]?.waba_phone_id });
    }
    const [first, second] = given;
    const fine = await check();
    // Warnings and what is unknown do not count.
    expect([fine.code, fine.stderr]).toEqual([0, '']);
    expect(foundBy(fine).map(({ waba_phone_id }) => waba_phone_id)).toEqual([first?.id, second?.id]);
    expect(new Set(foundBy(fine).flatMap(({ checks }) => checks.map(({ result }) => result)))).toContain('warning');

    await own.simulator.declareToken({ token: second?.token, expires_at: 1 });
    const one = await check();
    expect([one.code, one.stderr]).toEqual([1, 'a check has failed\n']);
    expect(foundBy(one)).toHaveLength(2);
    expect(failedIn(one)).toContain('token');
    await own.simulator.unsubscribe(String(first?.waba_id), String(first?.token));
    const both = await check();
    expect([both.code, both.stderr]).toEqual([1, '2 phones have failed checks\n']);
  });

  it('corrects ids after the same checks', async () => {
    const { id, flags } = await connected();
    const right = await number();
    const mixed = await run('phones', 'set', id, '--phone-number-id', right.phone_number_id, '--json');
    expect([mixed.code, failedIn(mixed)]).toEqual([1, ['business_account']]);
    const said = await run('phones', 'set', id, '--phone-number-id', right.phone_number_id);
    expect(said.stdout).toMatch(/^nothing was changed\n/);
    const dead = await number();
    await world.simulator.declareToken({ token: dead.token, expires_at: 1 });
    expect((await run('phones', 'set', id, ...right.flags, '--token', dead.token, '--throughput', '7')).code).toBe(1);
    expect(await answerOf(env, 'phones', 'show', id)).toMatchObject({ phone_number_id: flags[1], throughput: 80 });
    const set = await run('phones', 'set', id, ...right.flags, '--token', right.token, '--throughput', '7');
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining(`waba_phone_id ${id}`), stderr: '' });
    expect(await answerOf(env, 'phones', 'show', id)).toMatchObject({
      phone_number_id: right.phone_number_id,
      waba_id: right.waba_id,
      throughput: 7,
    });
  });

  it('adds, lists and removes apps, and connects phones with them', async () => {
    const app = `7${uniqueDigits()}`;
    const add = (...more: string[]) => pipedInto('a-secret\n', env, 'apps', 'add', app, ...more);
    expect(await add()).toMatchObject({ code: 2, stderr: expect.stringContaining('give the secret') });
    const added = JSON.parse((await add('--secret-stdin', '--json')).stdout);
    const callback_url = `${env['PUBLIC_URL']}/network/callbacks/${app}`;
    expect(added).toEqual({ app_id: app, callback_url, verify_token: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await add('--secret-stdin')).toMatchObject({ code: 2, stderr: expect.stringContaining(app) });
    const { apps } = (await answerOf(env, 'apps', 'list')) as unknown as { apps: object[] };
    expect(apps[0]).toEqual({ app_id: '1', callback_url: `${env['PUBLIC_URL']}/network/callbacks`, added_at: null });
    expect(apps).toContainEqual({ app_id: app, callback_url, added_at: expect.any(String) });
    const confirm = `${callback_url}?hub.mode=subscribe&hub.verify_token=${added.verify_token}&hub.challenge=42`;
    expect(await (await fetch(confirm)).text()).toBe('42');
    expect(await answerOf(env, 'apps', 'remove', app)).toEqual({ app_id: app, status: 'removed' });
    expect(await run('apps', 'remove', app)).toMatchObject({ code: 2 });
  });

  describe('messages trace', () => {
    const sent = async (to: string) => {
      const template = await approvedTemplate(world, account);
      const { body } = await account.api.post<{ message_id: string }>(SEND, {
        template_name: template.name,
        contact_phone: to,
      });
      return body.message_id;
    };
    const message = async (id: string) =>
      (await account.api.get<{ data: { status: string; error_code: number | null } }>(`/api/v1/messages/${id}`)).body;
    const trace = async (id: string) =>
      (await answerOf(env, 'messages', 'trace', id)) as unknown as {
        reports: number;
        events: { status: string; callback: string; error: string | null }[];
      };

    it('applies reports that the network withheld, and twice changes nothing', async () => {
      await world.simulator.behave({ drop_rate: 1, statuses: ['sent', 'delivered'] });
      const id = await sent(uniquePhone());
      await until('the network remembers both', async () => (await trace(id)).reports >= 2);
      const { events } = await trace(id);
      expect(events).toMatchObject([
        { status: 'SENT', at: expect.any(String), callback: 'FAILED', error: null },
        { status: 'DELIVERED', callback: 'FAILED' },
      ]);
      await until('they are applied', async () => JSON.stringify(await message(id)).includes('"status":"delivered"'));
      const rows = await world.unitOfWork.autocommit.rows(
        "SELECT kind FROM events WHERE account_id = $1 AND body LIKE '%' || $2 || '%' AND kind = 'message.delivered'",
        [account.accountId, id],
      );
      expect(rows).toHaveLength(1);
    });

    it('takes the code of a failure out of its description', async () => {
      await world.simulator.behave({ drop_rate: 1 });
      const id = await sent(`491${uniqueDigits().slice(-5)}9990001`);
      await until('the network remembers the failure', async () => {
        const { events } = await trace(id);
        return events.some(({ status, error }) => status === 'FAILED' && error?.startsWith('(#131026)') === true);
      });
      await until('it is applied', async () => JSON.stringify(await message(id)).includes('"error_code":131026'));
    });

    it('says why the network cannot be asked', async () => {
      const lost = await run('messages', 'trace', newRecordId());
      expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining('not found') });
      const id = await sent(uniquePhone());
      await run('phones', 'set', account.phone.id, '--token', 'expired');
      const refused = await run('messages', 'trace', id);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the network refuses to tell (190)') });
      await run('phones', 'remove', account.phone.id);
      const removed = await run('messages', 'trace', id);
      expect(removed).toMatchObject({ code: 2, stderr: expect.stringContaining('was removed') });
    });
  });
});
