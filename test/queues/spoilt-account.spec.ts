import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

describe('an account whose rows a sweep cannot change', () => {
  let world: World;
  let spoilt: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase() });
    spoilt = await world.account();
    other = await world.account();
  });
  afterAll(() => world.stop());

  const execute = (sql: string, ...parameters: unknown[]) => world.unitOfWork.autocommit.affected(sql, parameters);
  const count = async (from: string, ...parameters: unknown[]): Promise<number> => {
    const row = await world.unitOfWork.autocommit.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${from}`,
      parameters,
    );
    return row?.count ?? 0;
  };
  /** Makes every change of that kind fail for one account. */
  const spoil = async (table: string, change: 'UPDATE' | 'DELETE'): Promise<void> => {
    await execute(
      `CREATE FUNCTION spoil_${table}() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN IF OLD.account_id = '${spoilt.accountId}' THEN RAISE EXCEPTION 'spoilt'; END IF; RETURN NULL; END $$`,
    );
    // It waits two seconds for those who are writing.
    await eventually(async () => {
      await execute(
        `CREATE OR REPLACE TRIGGER spoil_${table} AFTER ${change} ON ${table}
         FOR EACH ROW EXECUTE FUNCTION spoil_${table}()`,
      );
    });
  };
  const contactOf = async ({ api }: TestAccount): Promise<string> => {
    const { body } = await api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: uniquePhone(),
      first_name: 'Ada',
    });
    return body.contact.id;
  };

  it('does not keep the deleted groups of others', async () => {
    await spoil('group_members', 'DELETE');
    for (const account of [spoilt, other]) {
      const { body } = await account.api.post<{ group: { id: string } }>('/api/v1/groups', { name: 'Friends' });
      const contactIds = [await contactOf(account)];
      await execute(
        'INSERT INTO group_members (account_id, group_id, contact_id) SELECT $1, $2, unnest($3::uuid[])',
        account.accountId,
        body.group.id,
        contactIds,
      );
      expect((await account.api.delete(`/api/v1/groups/${body.group.id}`)).status).toBe(200);
    }
    await until(
      'the group is gone',
      async () => (await count(`contact_groups WHERE account_id = $1`, other.accountId)) === 0,
    );
    expect(await count('contact_groups WHERE account_id = $1', spoilt.accountId)).toBe(1);
  });

  it('does not keep the lost messages of others pending', async () => {
    await spoil('messages', 'UPDATE');
    const messageIds: string[] = [];
    for (const account of [spoilt, other]) {
      const messageId = newRecordId();
      messageIds.push(messageId);
      await execute(
        `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, status)
         VALUES ($1, $2, 'out', $3, $4, 'text', 'Hello', 'pending')`,
        account.accountId,
        messageId,
        await contactOf(account),
        account.phone.id,
      );
    }
    // In one statement, so that one run finds both, the spoilt one first.
    await execute(
      `INSERT INTO sends_in_flight (account_id, id, message_ids, settle_at, unsent)
       SELECT account_id, new_record_id(), ARRAY[message_id], now() - age * interval '1 minute', false
       FROM unnest($1::uuid[], $2::uuid[], '{2,1}'::int[]) AS n (account_id, message_id, age)`,
      [spoilt.accountId, other.accountId],
      messageIds,
    );
    const statusOf = (account: TestAccount, index: number) =>
      account.api.get<{ message: { status: string } }>(`/api/v1/messages/${messageIds[index]}`);
    await until('the other message has failed', async () => (await statusOf(other, 1)).text.includes('"failed"'));
    expect((await statusOf(spoilt, 0)).text).toContain('"pending"');
  });
});
