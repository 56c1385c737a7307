import { CanonicaliseWebhookUrls1790000000082 } from '../../migrations/0082-canonicalise-webhook-urls.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { type TestAccount, World } from '../support/world.js';
import { subscribe } from './events.js';

const CANONICAL = 'https://hooks.example.com/a/b?x=1';
/** What leads to the same request. */
const SPELLINGS = [
  'HTTPS://Hooks.Example.COM/a/b?x=1',
  'https://hooks.example.com:443/a/b?x=1',
  'https://hooks.example.com./a/b?x=1',
  'https://hooks.example.com/a/./c/../b?x=1',
  'https://hooks.example.com/a/b?x=1#fragment',
  'https://hooks.example.com/a/%2e/b?x=1#',
];

describe('the URL of a webhook endpoint', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });

  const post = (url: string) => account.api.post('/api/v1/webhooks/', { url });
  const show = async (id: string): Promise<Record<string, unknown>> =>
    (await account.api.get<{ webhook: Record<string, unknown> }>(`/api/v1/webhooks/${id}`)).body.webhook;

  it.each([
    ...SPELLINGS.map((spelling) => [spelling, CANONICAL]),
    ['https://münchen.example/grüße?ä=ö', 'https://xn--mnchen-3ya.example/gr%C3%BC%C3%9Fe?%C3%A4=%C3%B6'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com/hook?', 'https://example.com/hook'],
    ['http://127.1:09/hook', 'http://127.0.0.1:9/hook'],
  ])('%s is kept as %s', async (given, kept) => {
    const id = await subscribe(account, { url: given });
    expect(await show(id)).toMatchObject({ url: kept });
    expect(await show(id)).not.toHaveProperty('is_duplicate');
  });

  it('is unique per account, however it is spelled (409)', async () => {
    await subscribe(account, { url: CANONICAL });
    const other = await subscribe(account, { url: 'https://hooks.example.com/other' });
    for (const spelling of [CANONICAL, ...SPELLINGS]) {
      expect([spelling, (await post(spelling)).status]).toEqual([spelling, 409]);
      const changed = await account.api.patch(`/api/v1/webhooks/${other}`, { url: spelling });
      expect([spelling, changed.status]).toEqual([spelling, 409]);
    }
    for (const different of ['https://hooks.example.com/A/b?x=1', 'https://hooks.example.com/a/b/?x=1']) {
      expect((await post(different)).status).toBe(201);
    }
  });

  it('has at most 2,048 bytes, counted in the spelling that is kept (400)', async () => {
    const base = 'https://example.com/';
    expect((await post(base + 'a'.repeat(2048 - base.length))).status).toBe(201);
    expect((await post(`${base}${'./'.repeat(1500)}short#${'x'.repeat(1000)}`)).status).toBe(201);
    for (const [path, bytes] of [
      ['a'.repeat(2049 - base.length), 2049],
      ['ü'.repeat(970), base.length + 970 * 6],
      ['😀'.repeat(970), base.length + 970 * 12],
    ] as const) {
      const { status, body } = await post(base + path);
      expect([status, body]).toEqual([
        400,
        {
          error: 'bad_request',
          message: `url must have at most 2048 bytes, other characters than ASCII encoded (found ${bytes})`,
        },
      ]);
    }
  });

  it('is respelled by the upgrade; duplicates stay, marked, and can be changed or deleted', async () => {
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 1 }).initialize();
    const runner = dataSource.createQueryRunner();
    const migration = new CanonicaliseWebhookUrls1790000000082();
    const ids = SPELLINGS.map(() => newRecordId());
    const [single, odd] = [newRecordId(), newRecordId()];
    try {
      await runner.startTransaction();
      await migration.down(runner);
      const insert = (id: string, url: string, age: number) =>
        runner.query(
          `INSERT INTO webhook_endpoints (account_id, id, url, subscribed_events, created_at)
           VALUES ($1, $2, $3, '{message.sent}', now() - $4 * interval '1 minute')`,
          [account.accountId, id, url, age],
        );
      for (const [index, id] of ids.entries()) await insert(id, SPELLINGS[index] ?? '', SPELLINGS.length - index);
      await insert(single, 'https://EXAMPLE.com/single', 1);
      await insert(odd, `https://example.com/${'ü'.repeat(500)}`, 1);
      await migration.up(runner);
      await runner.commitTransaction();
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
    const [first = '', ...duplicates] = ids;
    expect(await show(first)).toMatchObject({ url: CANONICAL });
    expect(await show(first)).not.toHaveProperty('is_duplicate');
    expect(await show(single)).toMatchObject({ url: 'https://example.com/single' });
    expect(await show(odd)).toMatchObject({ url: `https://example.com/${'ü'.repeat(500)}` });
    for (const id of duplicates) expect(await show(id)).toMatchObject({ url: CANONICAL, is_duplicate: true });

    expect((await post(CANONICAL)).status).toBe(409);
    const [kept = '', moved = ''] = duplicates;
    const same = await account.api.patch(`/api/v1/webhooks/${kept}`, { url: SPELLINGS[0], timeout: 9 });
    expect(same.body).toMatchObject({ webhook: { is_duplicate: true, timeout: 9 } });
    const elsewhere = await account.api.patch(`/api/v1/webhooks/${moved}`, { url: 'https://example.com/moved' });
    expect(elsewhere.status).toBe(200);
    expect(elsewhere.body['webhook']).not.toHaveProperty('is_duplicate');
    expect((await account.api.patch(`/api/v1/webhooks/${moved}`, { url: CANONICAL })).status).toBe(409);
    expect((await account.api.delete(`/api/v1/webhooks/${kept}`)).status).toBe(200);
  });
});
