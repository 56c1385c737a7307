import { answerOf, commandLine } from '../cli/command-line.js';
import { openWindow } from '../messages/messages.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { columnsWith, dumpOf } from './database-dump.js';

const MANY = 20_000;

describe('erasing all contacts of an account', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let other: TestAccount;
  let env: Record<string, string>;
  const mark = `Mark${uniqueDigits()}`;
  const phone = uniquePhone();

  const count = async (sql: string, { accountId }: TestAccount = account): Promise<number> => {
    const row = await world.unitOfWork.autocommit.row<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`, [
      accountId,
    ]);
    return row?.n ?? 0;
  };
  const fill = ({ accountId }: TestAccount, contacts: number) =>
    world.unitOfWork.transaction(
      async (tx) => {
        await tx.affected(
          `INSERT INTO contacts (account_id, id, phone_number, first_name, source, deleted_at)
           SELECT $1, new_record_id(), (491700000000 + n)::text, $2, 'import', CASE WHEN n % 10 = 0 THEN now() END
           FROM generate_series(1, $3::int) n`,
          [accountId, mark, contacts],
        );
        await tx.affected(
          `INSERT INTO events (account_id, id, occurred_at, kind, contact_id, body)
           SELECT account_id, new_record_id(), now(), 'message.sent', id,
                  json_build_object('event', 'message.sent', 'message', json_build_object('contact_name', first_name))
           FROM contacts WHERE account_id = $1`,
          [accountId],
        );
      },
      { statementMs: 60_000 },
    );

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    env = {
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: '/nonexistent',
    };
    world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
    [account, other] = [await world.account(), await world.account()];
    await fill(account, MANY);
    await fill(other, 10);
    await openWindow(world, account.phone, phone, { name: mark, text: mark });
  });
  afterAll(() => world.stop());

  it('hides them immediately with one row write: the account’s keys are answered 503', async () => {
    expect(await answerOf(env, 'contacts', 'erase', '--all', '--account', account.accountId)).toEqual({
      account_id: account.accountId,
      status: 'erasing',
    });
    const { impatient } = account.api;
    await until('every process knows', async () => (await impatient.get('/api/v1/contacts/')).status === 503);
    for (const path of ['contacts', 'messages', 'conversations', 'groups', 'campaigns']) {
      const { status, headers, body } = await impatient.get(`/api/v1/${path}/`);
      expect({ status, error: body['error'], retry: headers.get('retry-after') }).toEqual({
        status: 503,
        error: 'unavailable',
        retry: '5',
      });
    }
    expect((await other.api.get('/api/v1/contacts/')).body['total']).toBe(9);
    expect(await count('contacts WHERE account_id = $1 AND erased_at IS NOT NULL')).toBe(0);
  });

  it('removes them in small batches, also across a worker restart, and spares new ones', async () => {
    const workers = { databaseUrl, env: { PARLEY_ROLES: 'worker' } };
    const first = await World.start(workers);
    try {
      await until('some are hidden', () => count('contacts WHERE account_id = $1 AND erased_at IS NOT NULL'));
    } finally {
      await first.stop();
    }
    await openWindow(world, account.phone, phone, { name: 'Newcomer', text: 'Hello' });
    const second = await World.start(workers);
    try {
      await until(
        'the account is answered again',
        async () => (await account.api.impatient.get('/api/v1/contacts/')).status === 200,
      );
      await until(
        'all tables have been gone through',
        async () => (await count('contact_erasures WHERE account_id = $1 AND (passes = 0 OR in_run)')) === 0,
      );
    } finally {
      await second.stop();
    }
    const { body } = await account.api.get<{ contacts: { first_name: string }[]; total: number }>('/api/v1/contacts/');
    expect({ total: body.total, names: body.contacts.map(({ first_name }) => first_name) }).toEqual({
      total: 1,
      names: ['Newcomer'],
    });
    expect(await count('contact_erasures WHERE account_id = $1')).toBe(MANY + 1);
    await world.unitOfWork.autocommit.affected('DELETE FROM events WHERE account_id = $1', [other.accountId]);
    await world.unitOfWork.autocommit.affected('DELETE FROM contacts WHERE account_id = $1', [other.accountId]);
    expect(columnsWith(await dumpOf(databaseUrl), [mark])).toEqual([]);
  });

  it('reports the state of a single contact’s erasure on the command line', async () => {
    const { body } = await account.api.get<{ contacts: { id: string }[] }>('/api/v1/contacts/');
    const id = body.contacts[0]?.id ?? '';
    const asked = await answerOf(env, 'contacts', 'erase', id);
    expect(asked).toEqual({ contact_id: id, requested_at: expect.stringMatching(/Z$/), cleared_at: null });
    expect((await account.api.get(`/api/v1/contacts/${id}`)).status).toBe(404);
    await world.unitOfWork.autocommit.affected(
      'UPDATE contact_erasures SET cleared_at = now() WHERE account_id = $1 AND contact_id = $2',
      [account.accountId, id],
    );
    expect(await answerOf(env, 'contacts', 'erase', id)).toEqual({ ...asked, cleared_at: expect.stringMatching(/Z$/) });
    const unknown = account.phone.id;
    expect(await commandLine(env, 'contacts', 'erase', unknown)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: contact ${unknown} not found\n`,
    });
  });

  it('requires an existing account, and no contact beside it (exit 2)', async () => {
    const { code, stderr } = await commandLine(env, 'contacts', 'erase', '--all', '--account', account.phone.id);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: there is no account ${account.phone.id}\n` });
    for (const args of [[], ['--all'], [account.accountId, '--all', '--account', account.accountId]]) {
      expect(await commandLine(env, 'contacts', 'erase', ...args)).toMatchObject({ code: 2 });
    }
  });
});
