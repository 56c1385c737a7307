import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { PATIENT } from './campaigns.js';

interface Stats {
  campaign_status: string;
  total_contacts: number;
  sent_count: number;
  delivered_count: number;
  read_count: number;
  failed_count: number;
  success_count: number;
  started_at: string | null;
  completed_at: string | null;
}

describe('a campaign', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    account = await world.account();
    template = await approvedTemplate(world, account);
    await world.simulator.behave({ status_delay_ms: 5, callback_batch: 50 });
  });
  afterAll(() => world.stop());

  const create = (contacts: unknown, more: Record<string, unknown> = {}) =>
    account.api.post<Record<string, unknown>>('/api/v1/campaigns/', {
      name: 'Spring',
      template_name: template.name,
      contacts,
      ...more,
    });
  const stats = async (id: unknown): Promise<Stats> =>
    (await account.api.get<Stats & Record<string, unknown>>(`/api/v1/campaigns/${id}/stats`)).body;

  it('is created as a draft with normalised contacts and without duplicates', async () => {
    const [a, b] = [uniquePhone(), uniquePhone()];
    const { status, body } = await create([
      { phone: `+${a.slice(0, 2)} ${a.slice(2)}`, name: 'Ada Example' },
      { phone: a },
      { phone: `00${b}` },
      { phone: '12' },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      campaign_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Spring',
      status_value: 'draft',
      total_contacts: 2,
      invalid_phones: ['12'],
      timestamp: expect.any(String),
    });
  });

  it('sends to every contact exactly once, completes, and its stats match the ledger', async () => {
    const phones = Array.from({ length: 300 }, () => uniquePhone());
    const created = await create(phones.map((phone) => ({ phone })));
    const id = created.body['campaign_id'];
    const sent = await account.api.post(`/api/v1/campaigns/${id}/send`);
    expect(sent.status).toBe(202);
    expect(sent.body).toEqual({
      status: 'accepted',
      message: expect.any(String),
      campaign_id: id,
      task_id: expect.any(String),
      timestamp: expect.any(String),
    });
    const done = await until('all are read', async () => {
      const now = await stats(id);
      return now.read_count === phones.length && now.campaign_status === 'completed' ? now : null;
    });
    expect(done).toMatchObject({
      total_contacts: 300,
      sent_count: 300,
      delivered_count: 300,
      read_count: 300,
      failed_count: 0,
      success_count: 300,
      started_at: expect.any(String),
      completed_at: expect.any(String),
    });
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    const to = ledger.filter(({ to }) => phones.includes(to)).map(({ to }) => to);
    expect(to.sort()).toEqual(phones.sort());
  });

  it('rejects a second send (400)', async () => {
    const { body } = await create([{ phone: uniquePhone() }]);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => account.api.post(`/api/v1/campaigns/${body['campaign_id']}/send`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400]);
  });
});
