import { newRecordId } from '../../src/values/record-id.js';
import { act, draft, pathOf, started, untilCampaign } from '../campaigns/campaigns.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { actionsOf, auditPage, entriesOf } from './audit-log.js';

const URL = 'http://127.0.0.1:9/hook?token=hidden-in-the-query';

describe('the audit log of requests', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });
  afterEach(() => world.simulator.behave({ error: null }));

  const register = async (): Promise<string> => {
    const { body, text } = await account.api.post<{ webhook?: { id: string } }>('/api/v1/webhooks/', {
      url: URL,
      secret: 'a secret of the customer',
      subscribed_events: ['message.sent'],
    });
    if (body.webhook === undefined) throw new Error(text);
    return body.webhook.id;
  };
  const contact = async (): Promise<{ id: string; phone: string }> => {
    const phone = uniquePhone();
    const { body } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: phone,
      first_name: 'Ada',
    });
    return { id: body.contact.id, phone };
  };
  /** Makes the database refuse the account's entries while `work` runs. */
  const withoutLog = async (work: () => Promise<void>): Promise<void> => {
    const { autocommit } = world.unitOfWork;
    const change = (sql: string) => autocommit.affected(sql);
    try {
      await change(
        `CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no entry'; END $$`,
      );
      // The trigger and its end wait two seconds for those who are writing.
      await eventually(async () => {
        await change(
          `CREATE OR REPLACE TRIGGER refuse_audit BEFORE INSERT ON audit_entries FOR EACH ROW
           WHEN (NEW.account_id = '${account.accountId}') EXECUTE FUNCTION refuse_audit()`,
        );
      });
      await work();
    } finally {
      await eventually(async () => {
        await change('DROP FUNCTION IF EXISTS refuse_audit CASCADE');
      });
    }
  };

  it('has one entry for each change of a webhook, with its actor, and no secret or path', async () => {
    const id = await register();
    const path = `/api/v1/webhooks/${id}`;
    await account.api.patch(path, { retry_count: 7, secret: null });
    await account.api.post(`${path}/rotate-secret`, {}, { headers: { 'x-request-id': 'rotation-1' } });
    await account.api.post(`${path}/replay`, { since: new Date(Date.now() - 60_000).toISOString() });
    await account.api.delete(path);
    const entries = await entriesOf(account);
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      [
        'webhook.created',
        {
          url: 'http://127.0.0.1:9',
          secret: 'set',
          subscribed_events: ['message.sent'],
          retry_count: 3,
          timeout: 5,
          status: 'active',
        },
      ],
      ['webhook.changed', { retry_count: 7, secret: 'removed' }],
      ['webhook.secret_rotated', {}],
      ['webhook.replayed', { since: expect.any(String), events: ['message.sent'] }],
      ['webhook.deleted', {}],
    ]);
    expect(entries[2]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      actor: 'api_key',
      api_key_id: account.keyId,
      api_key_name: 'test',
      user_id: null,
      user_name: null,
      action: 'webhook.secret_rotated',
      subject_type: 'webhook',
      subject_id: id,
      changes: {},
      request_id: 'rotation-1',
      address: '127.0.0.1',
    });
    expect(JSON.stringify(entries)).not.toMatch(/hidden-in-the-query|a secret of the customer/);
  });

  it('has one entry for each control of a campaign', async () => {
    await world.simulator.behave({ error: { code: 131026, rate: 1 } });
    const { name } = await approvedTemplate(world, account);
    // A minute in half a day: nothing is sent meanwhile.
    const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
    const sent = await draft(account, name, 2, {
      send_window: { from: `${hour}:00`, to: `${hour}:01`, timezone: 'UTC' },
    });
    for (const action of ['send', 'pause', 'resume', 'cancel'] as const) {
      const { status, text } = await act(account, sent, action);
      if (status >= 300) throw new Error(text);
    }
    const entries = await entriesOf(account);
    expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual(
      ['campaign.sent', 'campaign.paused', 'campaign.resumed', 'campaign.cancelled'].map((action) => [action, sent]),
    );
  });

  it('has one entry for a retry of failed recipients', async () => {
    const { name } = await approvedTemplate(world, account);
    // A code that nobody documents may be tried again by hand.
    await world.simulator.behave({ error: { code: 999_999, rate: 1 } });
    const id = await started(account, name, 1);
    await untilCampaign(account, id, 'completed');
    await world.simulator.behave({ error: null });
    expect((await act(account, id, 'retry-failed')).status).toBe(200);
    expect(await actionsOf(account)).toEqual(['campaign.sent', 'campaign.retried']);
  });

  it('has one entry for an erasure, which names nobody', async () => {
    const { id, phone } = await contact();
    const headers = { 'x-request-id': `erase-${phone}` };
    for (let time = 0; time < 2; time += 1) {
      const response = await account.api.request('DELETE', `/api/v1/contacts/${id}?erase=true`, undefined, { headers });
      expect(response.status).toBe(200);
    }
    const entries = await entriesOf(account);
    expect(entries).toMatchObject([
      {
        action: 'contact.erased',
        subject_type: 'contact',
        subject_id: id,
        changes: {},
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(phone);
  });

  it('has one entry for each change of an API key', async () => {
    const created = await account.api.post<{ api_key: { id: string } }>('/api/v1/api-keys/', {
      name: 'Reports',
      scopes: ['audit:read'],
    });
    const { id } = created.body.api_key;
    await account.api.post(`/api/v1/api-keys/${id}/rotate`, { overlap_seconds: 60 });
    await account.api.delete(`/api/v1/api-keys/${id}`);
    expect((await entriesOf(account)).map(({ action, subject_id, changes }) => [action, subject_id, changes])).toEqual([
      ['api_key.created', id, { scopes: ['audit:read'], expires_at: null, allowed_networks: null }],
      ['api_key.rotated', id, { successor_id: expect.any(String), overlap_seconds: 60 }],
      ['api_key.revoked', id, {}],
    ]);
  });

  it('has one entry for a request that is repeated with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newRecordId() };
    for (let time = 0; time < 2; time += 1) {
      expect((await account.api.post('/api/v1/webhooks/', { url: URL }, { headers })).status).toBe(201);
    }
    expect(await actionsOf(account)).toEqual(['webhook.created']);
  });

  it('has no entry for a change that was refused', async () => {
    const id = await register();
    await account.api.post('/api/v1/webhooks/', { url: 'http://127.0.0.1:9/other' });
    const before = await actionsOf(account);
    expect((await account.api.post('/api/v1/webhooks/', { url: URL })).status).toBe(409);
    expect((await account.api.patch(`/api/v1/webhooks/${id}`, { url: 'http://127.0.0.1:9/other' })).status).toBe(409);
    expect((await account.api.delete(`/api/v1/webhooks/${newRecordId()}`)).status).toBe(404);
    const { name } = await approvedTemplate(world, account);
    const poor = await world.account({ credits: 0 });
    const { name: poorTemplate } = await approvedTemplate(world, poor);
    expect((await act(poor, await draft(poor, poorTemplate, 1), 'send')).status).toBe(400);
    expect((await act(account, await draft(account, name, 1), 'pause')).status).toBe(400);
    expect(await actionsOf(account)).toEqual(before);
    expect(await actionsOf(poor)).toEqual([]);
  });

  it('rolls the change back when its entry cannot be written', async () => {
    const id = await register();
    const { id: contactId } = await contact();
    const { name } = await approvedTemplate(world, account);
    const campaignId = await draft(account, name, 1);
    await withoutLog(async () => {
      const path = `/api/v1/webhooks/${id}`;
      const responses = [
        await account.api.patch(path, { retry_count: 9 }),
        await account.api.post(`${path}/rotate-secret`, {}),
        await account.api.delete(path),
        await account.api.post('/api/v1/webhooks/', { url: 'http://127.0.0.1:9/other' }),
        await account.api.delete(`/api/v1/contacts/${contactId}?erase=true`),
        await act(account, campaignId, 'send'),
      ];
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 500));
    });
    expect((await account.api.get('/api/v1/webhooks/')).body).toMatchObject({
      total: 1,
      webhooks: [{ retry_count: 3 }],
    });
    expect((await account.api.get(`/api/v1/contacts/${contactId}`)).body).toMatchObject({
      contact: { first_name: 'Ada' },
    });
    expect((await account.api.get(pathOf(campaignId))).body).toMatchObject({ campaign: { campaign_status: 'draft' } });
    expect((await auditPage(account)).total).toBe(1);
  });
});
