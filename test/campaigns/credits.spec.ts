import { type Counters, countersOf, sendCampaign } from '../messages/campaign-messages.js';
import { report } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { balanceOf, lostPhone, PATIENT, refusedPhone } from './campaigns.js';

describe('campaign credits', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: { ...PATIENT, UNKNOWN_OUTCOME_HORIZON: '1' } });
    await world.simulator.behave({ statuses: [] });
  });
  beforeEach(async () => {
    account = await world.account({ credits: 100 });
  });
  afterAll(() => world.stop());

  const balance = () => balanceOf(world, account);
  const entries = async () =>
    (
      await world.unitOfWork.autocommit.rows<{ kind: string; amount: number }>(
        'SELECT kind, amount FROM wallet_entries WHERE account_id = $1 ORDER BY id',
        [account.accountId],
      )
    ).map(({ kind, amount }) => [kind, Number(amount)]);

  it('are refunded once for refused recipients, in one entry per batch', async () => {
    await sendCampaign(world, account, [uniquePhone(), refusedPhone(), refusedPhone()]);
    // Answers that arrive one after the other are stored in several transactions, each of which is one batch.
    const stored = await world.unitOfWork.autocommit.row<{ batches: number }>(
      `SELECT count(DISTINCT xmin::text)::integer AS batches FROM messages WHERE account_id = $1 AND status = 'failed'`,
      [account.accountId],
    );
    const [credit, reserve, ...refunds] = await entries();
    expect([credit, reserve]).toEqual([
      ['credit', 100],
      ['reserve', -3],
    ]);
    expect(refunds.map(([kind]) => kind)).toEqual(Array(stored?.batches).fill('refund'));
    expect(await balance()).toBe(99);
  });

  it('are refunded at the horizon, and charged again when a report proves acceptance', async () => {
    const phone = lostPhone();
    const { id, messages } = await sendCampaign(world, account, [phone]);
    await until('the message has failed', async () => (await countersOf(account, id)).failed_count >= 1);
    await eventually(async () => expect(await balance()).toBe(100));
    const [message] = messages;
    const about = { id: message?.networkId ?? '', biz_opaque_callback_data: message?.id ?? '' };
    const statuses = ['delivered', 'delivered', 'sent'].map((status) => ({ ...about, status }));
    expect(await report(world, account.phone.phoneNumberId, ...statuses)).toBe(200);
    expect(await countersOf(account, id)).toMatchObject({ sent_count: 1, delivered_count: 1, failed_count: 0 });
    expect(await entries()).toEqual([
      ['credit', 100],
      ['reserve', -1],
      ['refund', 1],
      ['charge', -1],
    ]);
    expect(await balance()).toBe(99);
  });

  const statsOf = async (id: string) =>
    (await account.api.get<Counters & { campaign_status: string }>(`/api/v1/campaigns/${id}/stats`)).body;

  it('are all refunded when a campaign stops during retries, and reserved again by a resume', async () => {
    const { name } = await approvedTemplate(world, account);
    await world.simulator.behave({ error: { code: 131016, rate: 1 } });
    const created = await account.api.post('/api/v1/campaigns/', {
      name: 'Stopped',
      template_name: name,
      contacts: Array.from({ length: 5 }, () => ({ phone: uniquePhone() })),
    });
    const id = String(created.body['campaign_id']);
    try {
      await account.api.post(`/api/v1/campaigns/${id}/send`);
      await until('all wait for a retry', async () => {
        const rows = await world.unitOfWork.autocommit.rows(
          `SELECT FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 AND state = 'pending' AND due_at IS NOT NULL`,
          [account.accountId, id],
        );
        return rows.length === 5;
      });
      await world.simulator.behave({ error: { code: 190, rate: 1 } });
      await until('the campaign has stopped', async () => (await statsOf(id)).campaign_status === 'failed');
      await until('all credits are back', async () => (await balance()) === 100);
    } finally {
      await world.simulator.behave({ error: null });
    }
    expect(await statsOf(id)).toMatchObject({ failed_count: 0, sent_count: 0 });
    expect((await account.api.post(`/api/v1/campaigns/${id}/resume`)).status).toBe(200);
    await until('it is completed', async () => (await statsOf(id)).campaign_status === 'completed');
    expect(await statsOf(id)).toMatchObject({ failed_count: 0, sent_count: 5 });
    expect(await balance()).toBe(95);
  });

  it('are not reserved when the wallet holds too few (400), and the campaign stays a draft', async () => {
    const { name } = await approvedTemplate(world, account);
    const contacts = Array.from({ length: 101 }, () => ({ phone: uniquePhone() }));
    const created = await account.api.post('/api/v1/campaigns/', { name: 'Too dear', template_name: name, contacts });
    const path = `/api/v1/campaigns/${created.body['campaign_id']}`;
    const sent = await account.api.post(`${path}/send`);
    expect(sent.status).toBe(400);
    expect(sent.body['message']).toBe('insufficient wallet credits: the campaign needs 101, the wallet holds 100');
    expect((await account.api.get(`${path}/stats`)).body).toMatchObject({ campaign_status: 'draft' });
    expect(await balance()).toBe(100);
  });

  it('are reserved once under racing sends, and never overdrawn by two campaigns', async () => {
    const { name } = await approvedTemplate(world, account);
    const contacts = () => Array.from({ length: 60 }, () => ({ phone: uniquePhone() }));
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const created = await account.api.post('/api/v1/campaigns/', {
          name: 'Race',
          template_name: name,
          contacts: contacts(),
        });
        return created.body['campaign_id'];
      }),
    );
    const sent = await Promise.all([...ids, ...ids].map((id) => account.api.post(`/api/v1/campaigns/${id}/send`)));
    expect(sent.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400]);
    expect(await balance()).toBe(40);
  });
});
