import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { ConfigurationChanges } from '../../src/database/configuration-changes.js';
import { ApiClient } from '../support/api-client.js';
import { ForeignSession } from '../support/foreign-session.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

interface Issued {
  readonly api_key: { readonly id: string };
  readonly key: string;
}

const PATH = '/api/v1/api-keys/';
const AGENTS = '/api/v1/agents/';

describe('a rotation of an API key', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());

  const client = (key: string) => new ApiClient(world.baseUrl, key);
  const rotate = (api: ApiClient, keyId: string, overlapSeconds: number) =>
    api.post<Issued>(`${PATH}${keyId}/rotate`, { overlap_seconds: overlapSeconds });
  const addKeys = ({ accountId }: TestAccount, count: number) =>
    world.unitOfWork.autocommit.affected(
      `INSERT INTO api_keys (account_id, id, name, prefix, secret_hash, scopes, idempotency_family)
       SELECT $1, id, 'many', right(id::text, 12), '\\x00', '{}', id
       FROM (SELECT new_record_id() AS id FROM generate_series(1, $2)) AS made`,
      [accountId, count],
    );

  it('counts the old key until its overlap ends: with 100 working keys only a rotation without overlap is accepted', async () => {
    const account = await world.account({ scopes: ['*'] });
    await addKeys(account, 99);
    const { status, body } = await rotate(account.api, account.keyId, 60);
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        error: 'conflict',
        message: 'the account has 100 working API keys, which is the maximum; revoke one first',
      },
    });
    expect((await rotate(account.api, account.keyId, 0)).status).toBe(200);
  });

  it('shares the rate limit among the old key and its successors', async () => {
    const { apiKey, keyId } = await world.account({ scopes: ['*'], rateLimit: 6 });
    const first = await rotate(client(apiKey), keyId, 600);
    const second = await rotate(client(first.body.key), first.body.api_key.id, 600);
    expect([first.status, second.status]).toEqual([200, 200]);
    const keys = [apiKey, first.body.key, second.body.key];
    const answers = await Promise.all([...keys, ...keys].map((key) => client(key).get(AGENTS)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});

describe('a key in its overlap', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());

  it('makes keys that end with it, cannot rotate keys that live longer (403), nor itself again (400)', async () => {
    const { api, keyId } = await world.account({ scopes: ['*'] });
    const successor = await api.post<Issued>(`${PATH}${keyId}/rotate`, { overlap_seconds: 600 });
    expect(successor.status).toBe(200);
    await world.parley.app.get(ConfigurationChanges).refresh();
    const { body: listed } = await api.get<{ api_keys: { id: string; revoked_at: string }[] }>(PATH);
    const end = listed.api_keys.find(({ id }) => id === keyId)?.revoked_at ?? '';
    const made = await api.post<{ api_key: { expires_at: string } }>(PATH, { name: 'Short' });
    expect(made.body.api_key.expires_at).toBe(end);
    const later = new Date(Date.parse(end) + 1).toISOString();
    expect(await api.post(PATH, { name: 'Long', expires_at: later })).toMatchObject({
      status: 403,
      body: { message: `the API key works until ${end}, so it cannot make or rotate a key that lives longer` },
    });
    expect((await api.post(`${PATH}${successor.body.api_key.id}/rotate`)).status).toBe(403);
    expect((await api.post(`${PATH}${keyId}/rotate`)).status).toBe(400);
  });
});

describe('a locked account', () => {
  let world: World;
  let foreign: ForeignSession;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    foreign = await ForeignSession.open(world.environment.databaseUrl);
  });
  afterAll(async () => {
    await foreign.close();
    await world.stop();
  });

  it.each([
    ['creates a key', (api: ApiClient) => api.post(PATH, { name: 'Waiting' })],
    ['rotates a key', (api: ApiClient, keyId: string) => api.post(`${PATH}${keyId}/rotate`, { overlap_seconds: 60 })],
    ['revokes a key', (api: ApiClient, keyId: string) => api.delete(`${PATH}${keyId}`)],
  ])('delays no other account while it %s', async (_, change) => {
    const [locked, other] = [await world.account({ scopes: ['*'] }), await world.account({ scopes: ['*'] })];
    let answered = false;
    await foreign.lock('accounts', 'id = $1', [locked.accountId]);
    const waiting = change(locked.api, locked.keyId).then(() => {
      answered = true;
    });
    try {
      await until('it waits for the lock', () =>
        world.unitOfWork.autocommit.row(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      );
      expect((await other.api.post(PATH, { name: 'Quick' })).status).toBe(201);
      await world.parley.app.get(AccountDirectoryService).activate(other.accountId);
      expect(answered).toBe(false);
    } finally {
      await foreign.release();
      await waiting;
    }
  });
});
