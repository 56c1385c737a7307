import { type TestAccount, World } from '../support/world.js';
import { auditPage } from './audit-log.js';

describe('GET /api/v1/audit/', () => {
  let world: World;
  let account: TestAccount;
  let ids: string[];

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
    ids = [];
    for (let number = 0; number < 5; number += 1) {
      const { body } = await account.api.post<{ webhook: { id: string } }>('/api/v1/webhooks/', {
        url: `http://127.0.0.1:9/${number}`,
      });
      ids.push(body.webhook.id);
    }
    await account.api.delete(`/api/v1/webhooks/${ids[0]}`);
  });
  afterAll(() => world.stop());

  it('lists entries newest first, in pages', async () => {
    const first = await auditPage(account, '?limit=4');
    expect(first).toMatchObject({ status: 'success', total: 6, page: 1, limit: 4 });
    expect(first.audit_entries.map(({ action }) => action)).toEqual([
      'webhook.deleted',
      ...Array(3).fill('webhook.created'),
    ]);
    const second = await auditPage(account, '?limit=4&page=2');
    expect(second).toMatchObject({ total: 6, page: 2 });
    expect([...first.audit_entries, ...second.audit_entries].map(({ subject_id }) => subject_id)).toEqual([
      ids[0],
      ...[...ids].reverse(),
    ]);
  });

  it('filters by action, subject and time', async () => {
    expect(await auditPage(account, '?action=webhook.deleted')).toMatchObject({
      total: 1,
      audit_entries: [{ subject_id: ids[0] }],
    });
    expect(await auditPage(account, `?subject_id=${ids[0]}`)).toMatchObject({ total: 2 });
    expect(await auditPage(account, `?subject_id=${ids[0]}&action=webhook.created`)).toMatchObject({ total: 1 });
    const { audit_entries: entries } = await auditPage(account);
    const [deleted = '', created = ''] = entries.map(({ at }) => at);
    expect((await auditPage(account, `?since=${deleted}`)).audit_entries).toEqual(
      entries.filter(({ at }) => at >= deleted),
    );
    expect((await auditPage(account, `?until=${created}`)).audit_entries).toEqual(
      entries.filter(({ at }) => at < created),
    );
    expect((await auditPage(account, `?since=${created}&until=${deleted}`)).audit_entries).toEqual(
      entries.filter(({ at }) => at >= created && at < deleted),
    );
  });

  it.each([
    [
      'action=webhook.exploded',
      /^action must be one of account\.created, .* \(got webhook\.exploded\)\. Did you mean "webhook\.replayed"\?$/,
    ],
    ['subject_id=7', 'subject_id must be an id (got 7)'],
    ['since=yesterday', /^since must be an ISO 8601 date and time, .* \(got yesterday\)$/],
    [
      'since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z',
      'since must not be after until (got 2026-02-01T00:00:00.000Z and 2026-01-01T00:00:00.000Z)',
    ],
    ['limit=101', 'limit must be a whole number from 1 to 100 (got 101)'],
  ])('rejects %s (400)', async (query, message) => {
    const { status, body } = await account.api.get(`/api/v1/audit/?${query}`);
    expect([status, body.message]).toEqual([
      400,
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
  });

  it('shows an account only its own entries', async () => {
    const stranger = await world.account();
    expect(await auditPage(stranger)).toMatchObject({ audit_entries: [], total: 0 });
    expect(await auditPage(stranger, `?subject_id=${ids[0]}`)).toMatchObject({ audit_entries: [], total: 0 });
  });

  it('needs the scope audit:read (403)', async () => {
    const { api } = await world.account({ scopes: ['webhooks:read', 'audit:write'] });
    const { status, body } = await api.get('/api/v1/audit/');
    expect([status, body.message]).toEqual([403, 'the API key lacks the scope audit:read']);
  });
});
