import { createParley, type Parley } from '../../src/bootstrap.js';
import { entriesOf } from '../audit/audit-log.js';
import { isReplay, keyRow, killOwner, uniqueKey } from '../idempotency/keys.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

interface Issued {
  readonly api_key: { readonly id: string };
  readonly key: string;
}

const PATH = '/api/v1/api-keys/';

describe('a request that made an API key and is repeated with its Idempotency-Key', () => {
  let world: World;
  let second: Parley;
  let urls: string[];
  let account: TestAccount;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    second = await createParley(world.environment);
    urls = [world.baseUrl, await second.listen()];
  });
  beforeEach(async () => {
    account = await world.account({ scopes: ['*'] });
  });
  afterAll(async () => {
    await second.close();
    await world.stop();
  });

  const create = (key: string): Promise<ApiResponse<Issued>> =>
    account.api.post<Issued>(PATH, { name: 'Shop' }, { headers: { 'idempotency-key': key } });
  /** Uses a key on every process, and returns when each has stored that, which it does in its own time. */
  const use = async ({ api_key: { id }, key }: Issued): Promise<void> => {
    for (const url of urls) {
      await forgetUse(id);
      expect((await new ApiClient(url, key).get(PATH)).status).toBe(200);
      await until('the use is stored', async () => (await lastUse(id)) !== null);
    }
  };
  const lastUse = async (id: string): Promise<Date | null> => {
    const row = await world.unitOfWork.autocommit.row<{ lastUsedAt: Date | null }>(
      'SELECT last_used_at FROM api_keys WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    return row?.lastUsedAt ?? null;
  };
  const forgetUse = (id: string) =>
    world.unitOfWork.autocommit.affected('UPDATE api_keys SET last_used_at = NULL WHERE account_id = $1 AND id = $2', [
      account.accountId,
      id,
    ]);

  it('gives the key another secret if its process died, records that, and refuses the first secret on every process', async () => {
    const key = uniqueKey();
    const { body: first } = await create(key);
    await use(first);
    await forgetUse(first.api_key.id);
    await killOwner(world, account, key);
    const again = await create(key);
    expect([again.status, isReplay(again), again.body.api_key.id]).toEqual([201, true, first.api_key.id]);
    expect(again.body.key).not.toBe(first.key);
    for (const url of urls) {
      await until('the first secret is refused', async () => {
        return (await new ApiClient(url, first.key).get(PATH)).status === 401;
      });
      expect((await new ApiClient(url, again.body.key).get(PATH)).status).toBe(200);
    }
    const entries = await entriesOf(account);
    expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ['api_key.created', first.api_key.id],
      ['api_key.reissued', first.api_key.id],
    ]);
  });

  it('answers 409 if the key has been used since', async () => {
    const key = uniqueKey();
    const { body: first } = await create(key);
    await use(first);
    await killOwner(world, account, key);
    const again = await create(key);
    expect([again.status, again.body]).toEqual([
      409,
      {
        error: 'conflict',
        message: `API key ${first.api_key.id}, which this request made, has been used since, so its secret is neither shown again nor replaced. If it is lost, rotate or revoke the key`,
      },
    ]);
    expect((await new ApiClient(world.baseUrl, first.key).get(PATH)).status).toBe(200);
  });

  it('replays the answer even if it could not be stored at first', async () => {
    const { autocommit } = world.unitOfWork;
    await autocommit.affected(
      `CREATE FUNCTION refuse_answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`,
    );
    const key = uniqueKey();
    let first: ApiResponse<Issued>;
    try {
      await autocommit.affected(
        `CREATE TRIGGER refuse_answer BEFORE UPDATE OF response ON idempotency_keys FOR EACH ROW
         WHEN (NEW.account_id = '${account.accountId}' AND NEW.response IS NOT NULL) EXECUTE FUNCTION refuse_answer()`,
      );
      first = await create(key);
    } finally {
      await until('the trigger is dropped', async () => {
        await autocommit.affected('DROP FUNCTION IF EXISTS refuse_answer CASCADE');
        return true;
      });
    }
    expect(first.status).toBe(201);
    await until('the answer is stored', async () => (await keyRow(world, account, key))?.statusCode === 201);
    const again = await create(key);
    expect([again.status, isReplay(again), again.text]).toEqual([201, true, first.text]);
  });
});
