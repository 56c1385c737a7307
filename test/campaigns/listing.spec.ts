import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act, type CampaignRecord, campaignOf, draft, started, untilCampaign } from './campaigns.js';

interface Listed {
  readonly campaigns: readonly CampaignRecord[];
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly message?: string;
}

const NONE = { draft: 0, scheduled: 0, running: 0, completed: 0, cancelled: 0, failed: 0 };
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

describe('campaigns', () => {
  let world: World;
  let account: TestAccount;
  let template: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    template = (await approvedTemplate(world, account)).name;
  });

  const list = async (query = ''): Promise<Listed> =>
    (await account.api.get<Listed>(`/api/v1/campaigns/?${query}`)).body;
  const namesOf = ({ campaigns }: Listed): string[] => campaigns.map(({ name }) => name);

  describe('in the list', () => {
    it('are counted by status, whatever status is asked for', async () => {
      expect(await list()).toMatchObject({ total: 0, counts: NONE });
      await draft(account, template, 1, { name: 'First' });
      const second = await draft(account, template, 1, { name: 'Second' });
      await draft(account, template, 1, { name: 'Third', scheduled_at: TOMORROW });
      await act(account, second, 'cancel');
      const counts = { ...NONE, draft: 1, cancelled: 1, scheduled: 1 };
      expect(await list()).toMatchObject({ total: 3, counts });
      expect(await list('status=draft')).toMatchObject({ total: 1, counts, campaigns: [{ name: 'First' }] });
      expect(await list('status=running')).toMatchObject({ total: 0, counts, campaigns: [] });
      expect(await list('status=scheduled&cursor=&limit=1')).toMatchObject({ total: 1, counts });
    });

    it('of another account are neither found nor counted', async () => {
      await draft(account, template, 1);
      const { api } = await world.account();
      const { body } = await api.get<Listed>('/api/v1/campaigns/?search=Autumn');
      expect(body).toMatchObject({ total: 0, counts: NONE, campaigns: [] });
    });

    it('are found by any part of their name or that of their template', async () => {
      await draft(account, template, 1, { name: 'Frühling  2026' });
      await draft(account, template, 1, { name: '100 % Rabatt' });
      const other = (await approvedTemplate(world, account)).name;
      await draft(account, other, 1, { name: 'Winter' });
      expect(namesOf(await list('search=FRUHLING 2026'))).toEqual(['Frühling  2026']);
      expect(namesOf(await list(`search=${encodeURIComponent('0 %')}`))).toEqual(['100 % Rabatt']);
      expect(namesOf(await list(`search=${encodeURIComponent('%')}`))).toEqual(['100 % Rabatt']);
      expect(namesOf(await list(`search=${other.toUpperCase()}`))).toEqual(['Winter']);
      expect(await list('search=winter')).toMatchObject({ total: 1, counts: { ...NONE, draft: 1 } });
      expect(await list('search=winter&status=running')).toMatchObject({ total: 0, counts: { ...NONE, draft: 1 } });
      expect((await list('search=%20')).total).toBe(3);
    });

    it('are those created since a time', async () => {
      await draft(account, template, 1, { name: 'Old' });
      await world.unitOfWork.autocommit.affected(
        "UPDATE campaigns SET created_at = '2026-01-31T09:30:00Z' WHERE account_id = $1",
        [account.accountId],
      );
      await draft(account, template, 1, { name: 'New' });
      expect(namesOf(await list('since=2026-01-31T09:30:00Z'))).toEqual(['New', 'Old']);
      expect(namesOf(await list('since=2026-01-31T09:30:00.001Z'))).toEqual(['New']);
      expect(namesOf(await list('since=2026-01-31T10:30:01+01:00'))).toEqual(['New']);
      expect(await list('since=2026-02-01')).toMatchObject({ total: 1, counts: { ...NONE, draft: 1 } });
    });

    it.each([
      ['since=yesterday', 'since must be an ISO 8601 date and time'],
      ['since=', 'since must be an ISO 8601 date and time'],
      ['status=Draft', 'status must be one of draft, scheduled, running, completed, cancelled, failed (got Draft)'],
    ])('are 400 for %s', async (query, message) => {
      expect((await list(query)).message).toContain(message);
    });
  });

  it('tell on whose behalf they were created and started', async () => {
    const owner = await world.unitOfWork.autocommit.row<{ id: string; name: string }>(
      'SELECT u.id, u.full_name AS name FROM accounts a JOIN users u ON u.id = a.owner_id WHERE a.id = $1',
      [account.accountId],
    );
    const actor = { user_id: owner?.id, name: owner?.name, source: 'api' };
    const id = await draft(account, template, 1);
    expect(await campaignOf(account, id)).toMatchObject({ created_by: actor, started_by: null });
    await act(account, id, 'send');
    await untilCampaign(account, id, 'completed');
    expect((await list()).campaigns).toMatchObject([{ created_by: actor, started_by: actor }]);
  });

  it('tell that they started at their time', async () => {
    const id = await draft(account, template, 1, { scheduled_at: TOMORROW });
    await world.unitOfWork.autocommit.affected('UPDATE campaigns SET scheduled_at = now() WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({
      created_by: { source: 'api' },
      started_by: { user_id: null, name: null, source: 'schedule' },
    });
  });

  it('tell the groups that they were created with, as they were called then', async () => {
    const groups = [];
    for (const name of ['VIP', 'Berlin']) {
      const phone_number = uniquePhone();
      const { body } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
        phone_number,
        first_name: 'Ada',
      });
      const created = await account.api.post<{ group: { id: string } }>('/api/v1/groups/', {
        name,
        contact_ids: [body.contact.id],
      });
      groups.push({ id: created.body.group.id, phone_number });
    }
    const [vip, berlin] = groups;
    const group_ids = [berlin?.id, vip?.id, berlin?.id];
    const id = await draft(account, template, [vip?.phone_number ?? ''], { group_ids });
    await account.api.patch(`/api/v1/groups/${vip?.id}`, { name: 'Regulars' });
    await account.api.delete(`/api/v1/groups/${berlin?.id}`);
    expect(await campaignOf(account, id)).toMatchObject({
      group_names: ['Berlin', 'VIP'],
      total_contacts: 2,
      left_out: { invalid_phones: 0, duplicates: 1 },
    });
  });

  it('tell how many of the list are left out', async () => {
    const phone = uniquePhone();
    const id = await draft(account, template, [phone, `+${phone}`, uniquePhone(), '123', 'x']);
    expect(await campaignOf(account, id)).toMatchObject({
      group_names: [],
      total_contacts: 2,
      left_out: { invalid_phones: 2, duplicates: 1 },
    });
  });

  it('of earlier releases tell nothing that is not known', async () => {
    const id = await started(account, template, 1);
    await untilCampaign(account, id, 'completed');
    await world.unitOfWork.autocommit.affected(
      `UPDATE campaigns SET created_by = NULL, created_source = NULL, started_by = NULL, started_source = NULL,
                            invalid_phones = NULL, duplicates = NULL
       WHERE account_id = $1`,
      [account.accountId],
    );
    const unknown = { created_by: null, started_by: null, group_names: [], left_out: null };
    expect(await campaignOf(account, id)).toMatchObject(unknown);
  });

  it('tell how fast they are sent while they run', async () => {
    const id = await draft(account, template, 1);
    const idle = { rate_per_second: null, seconds_left: null };
    expect(await campaignOf(account, id)).toMatchObject(idle);
    await act(account, id, 'send');
    expect(await untilCampaign(account, id, 'completed')).toMatchObject(idle);
    expect((await list()).campaigns[0]).not.toHaveProperty('rate_per_second');
  });
});
