import pg from 'pg';
import { countersOf, type SentCampaign, sendCampaign } from '../messages/campaign-messages.js';
import { report } from '../messages/messages.js';
import { workerDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

describe('a foreign session that locks', () => {
  let world: World;
  let account: TestAccount;
  let campaign: SentCampaign;
  let foreign: pg.Client;

  beforeAll(async () => {
    // Without reports, an outcome that a pause of the machine makes unknown would stay so for a quarter of an hour.
    world = await World.start({ env: { NETWORK_TIMEOUT_MS: '60000' } });
    account = await world.account();
    await world.simulator.behave({ statuses: [] });
    foreign = new pg.Client({ connectionString: await workerDatabase() });
    await foreign.connect();
  });
  beforeEach(async () => {
    campaign = await sendCampaign(world, account, 3);
    await foreign.query('BEGIN');
  });
  afterEach(() => foreign.query('ROLLBACK'));
  afterAll(async () => {
    await foreign.end();
    await world.stop();
  });

  const reportAll = (status: string): Promise<number> =>
    report(
      world,
      account.phone.phoneNumberId,
      ...campaign.messages.map(({ id, networkId }) => ({ id: networkId, status, biz_opaque_callback_data: id })),
    );

  it('a campaign does not hold up its reports', async () => {
    await foreign.query('SELECT FROM campaigns WHERE id = $1 FOR UPDATE', [campaign.id]);
    expect(await reportAll('delivered')).toBe(200);
    expect(await countersOf(account, campaign.id)).toMatchObject({ delivered_count: 3 });
  });

  it('a campaign’s counters does not hold up its reports', async () => {
    await until('the counters are folded', async () => {
      const { rows } = await foreign.query(
        "SELECT FROM counters WHERE account_id = $1 AND counter = 'campaign.sent' AND subject_id = $2",
        [account.accountId, campaign.id],
      );
      return rows.length > 0;
    });
    await foreign.query('SELECT FROM counters WHERE account_id = $1 FOR UPDATE', [account.accountId]);
    expect(await reportAll('read')).toBe(200);
    expect(await countersOf(account, campaign.id)).toMatchObject({ sent_count: 3, delivered_count: 3, read_count: 3 });
  });

  it('the account does not hold up reports and new contacts', async () => {
    await foreign.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [account.accountId]);
    expect(await reportAll('delivered')).toBe(200);
    const made = await account.api.post('/api/v1/contacts/', {
      phone_number: '4915199990001',
      first_name: 'Ada',
    });
    expect(made.status).toBe(201);
  });
});
