import { ForeignSession } from '../support/foreign-session.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

const LARGE = 100_000;
/** How long a statement of that many rows may take on a busy machine, milliseconds. */
const STATEMENT_MS = 180_000;

describe('a deleted group of 100,000 contacts', () => {
  let world: World;
  let account: TestAccount;
  let id: string;

  const rows = async (sql: string): Promise<number> =>
    Number((await world.unitOfWork.autocommit.row<{ n: string }>(sql, [account.accountId]))?.n);
  const members = () => rows('SELECT count(*) AS n FROM group_members WHERE account_id = $1');
  const named = (name: string) => account.api.post<{ group: { id: string } }>('/api/v1/groups/', { name });

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
    id = (await named('Everybody')).body.group.id;
    await world.unitOfWork.transaction(
      async (tx) => {
        await tx.affected(
          `INSERT INTO contacts (account_id, id, phone_number, first_name, source)
           SELECT $1, new_record_id(), (491700000000 + n)::text, 'Ada', 'import' FROM generate_series(1, $2::int) n`,
          [account.accountId, LARGE],
        );
        await tx.affected(
          `INSERT INTO group_members (account_id, group_id, contact_id)
           SELECT account_id, $2, id FROM contacts WHERE account_id = $1`,
          [account.accountId, id],
        );
      },
      { statementMs: STATEMENT_MS },
    );
  });
  afterAll(() => world.stop());

  it('is hidden immediately with a single row write, and frees its name', async () => {
    expect((await account.api.get(`/api/v1/groups/${id}`)).body['group']).toMatchObject({ contact_count: LARGE });
    const deleted = await account.api.delete(`/api/v1/groups/${id}`);
    expect({ status: deleted.status, id: deleted.body['group_id'] }).toEqual({ status: 200, id });
    expect(await members()).toBe(LARGE);

    const path = `/api/v1/groups/${id}`;
    const listed = await account.api.get<{ contacts: { id: string }[] }>('/api/v1/contacts/?limit=1');
    const contactId = listed.body.contacts[0]?.id;
    const answers = await Promise.all([
      account.api.get(path),
      account.api.get(`${path}/contacts`),
      account.api.patch(path, { name: 'Again' }),
      account.api.delete(path),
      account.api.post(`${path}/contacts`, { contact_ids: [contactId] }),
      account.api.delete(`${path}/contacts`, { contact_ids: [contactId] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    for (const query of ['', '?search=every']) {
      expect((await account.api.get(`/api/v1/groups/${query}`)).body).toMatchObject({ groups: [], total: 0 });
    }
    expect((await named('Everybody')).status).toBe(201);
  });

  it('can no longer provide campaign recipients (404)', async () => {
    const { status, body } = await account.api.post('/api/v1/campaigns/', {
      name: 'Autumn',
      template_name: 'any',
      group_ids: [id],
    });
    expect({ status, message: body['message'] }).toEqual({ status: 404, message: `group ${id} not found` });
  });

  it('is removed in small batches, also across a worker restart, and keeps its contacts', async () => {
    const env = { PARLEY_ROLES: 'worker' };
    const databaseUrl = world.environment.databaseUrl;
    const session = await ForeignSession.open(databaseUrl);
    try {
      // A member that is locked cannot be removed, so the first worker does not get to the end.
      await session.lock(
        'group_members',
        'account_id = $1 AND contact_id = (SELECT contact_id FROM group_members WHERE account_id = $1 ORDER BY 1 LIMIT 1)',
        [account.accountId],
      );
      const first = await World.start({ databaseUrl, env });
      try {
        await until('some members are removed', async () => (await members()) < LARGE);
      } finally {
        await first.stop();
      }
      expect(await members()).toBeGreaterThan(0);
    } finally {
      await session.close();
    }
    const second = await World.start({ databaseUrl, env });
    try {
      // Twenty thousand at a time, with seconds in between.
      await until('all members are removed', async () => (await members()) === 0, 180_000);
      await until('the group is removed', async () => {
        const groups = 'SELECT count(*) AS n FROM contact_groups WHERE account_id = $1 AND deleted_at IS NOT NULL';
        return (await rows(groups)) === 0;
      });
    } finally {
      await second.stop();
    }
    expect((await account.api.get('/api/v1/contacts/?limit=1')).body['total']).toBe(LARGE);
    expect((await account.api.get('/api/v1/groups/')).body).toMatchObject({ total: 1 });
  }, 480_000);
});
