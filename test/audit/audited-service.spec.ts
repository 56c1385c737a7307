import { draft, untilCampaign } from '../campaigns/campaigns.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { settledDeliveries } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { entriesOf } from './audit-log.js';

describe('the audit log of what the service does by itself', () => {
  let world: World;
  let receiver: Receiver;
  let account: TestAccount;

  beforeAll(async () => {
    [world, receiver] = [await World.start(), await Receiver.listen()];
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(async () => {
    await world.stop();
    await receiver.close();
  });
  beforeEach(async () => {
    account = await world.account();
  });
  afterEach(() => world.simulator.behave({ error: null }));

  const logged = async () =>
    (await entriesOf(account)).map(({ actor, action, subject_id }) => [actor, action, subject_id]);

  it('has an entry for a campaign that starts at its time', async () => {
    const { name } = await approvedTemplate(world, account);
    const { body } = await account.api.post('/api/v1/campaigns/', {
      name: 'Soon',
      template_name: name,
      contacts: [{ phone: uniquePhone() }],
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const id = String(body['campaign_id']);
    // As if the hour had passed.
    await world.unitOfWork.autocommit.affected(
      'UPDATE campaigns SET scheduled_at = now() WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    await untilCampaign(account, id, 'completed');
    expect(await logged()).toEqual([['system', 'campaign.sent', id]]);
  });

  it('has an entry for a campaign that the network stops', async () => {
    const { name } = await approvedTemplate(world, account);
    await world.simulator.behave({ error: { code: 190, rate: 1 } });
    const id = await draft(account, name, 1);
    await account.api.post(`/api/v1/campaigns/${id}/send`);
    await untilCampaign(account, id, 'failed');
    expect(await logged()).toEqual([
      ['api_key', 'campaign.sent', id],
      ['system', 'campaign.failed', id],
    ]);
  });

  it('has entries for tests and redeliveries of a webhook, and for its being disabled', async () => {
    receiver.answerWith(() => ({ status: 410 }));
    const created = await account.api.post<{ webhook: { id: string } }>('/api/v1/webhooks/', { url: receiver.url() });
    const { id } = created.body.webhook;
    const path = `/api/v1/webhooks/${id}`;
    const tested = await account.api.post<{ delivery: { id: string } }>(`${path}/test`);
    expect(tested.status).toBe(202);
    const statusIs = (status: string) => async () =>
      (await account.api.get<{ webhook: { status: string } }>(path)).body.webhook.status === status;
    await until('it is disabled', statusIs('disabled'));
    // Its delivery is over a moment later.
    await settledDeliveries(account, id);
    await account.api.patch(path, { status: 'active' });
    const redelivered = await account.api.post(`${path}/deliveries/${tested.body.delivery.id}/redeliver`);
    expect(redelivered.status).toBe(202);
    expect((await logged()).slice(0, 5)).toEqual([
      ['api_key', 'webhook.created', id],
      ['api_key', 'webhook.tested', id],
      ['system', 'webhook.disabled', id],
      ['api_key', 'webhook.changed', id],
      ['api_key', 'webhook.redelivered', id],
    ]);
    const disabled = (await entriesOf(account)).find(({ action }) => action === 'webhook.disabled');
    expect(disabled?.changes).toEqual({ reason: 'the endpoint answered 410 Gone' });
  });
});
