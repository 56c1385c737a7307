import pg from 'pg';
import { CampaignPlansService } from '../../src/campaigns/planning/campaign-plans.service.js';
import { AbandonedClaimsService } from '../../src/campaigns/run/abandoned-claims.service.js';
import { RecipientClaimsService } from '../../src/campaigns/run/recipient-claims.service.js';
import { Throughput } from '../../src/sending/slots/throughput.js';
import { newRecordId } from '../../src/values/record-id.js';
import { workerDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { started, untilCampaign } from './campaigns.js';

describe('claims whose commit was never confirmed', () => {
  let world: World;
  let foreign: pg.Client;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
    foreign = new pg.Client({ connectionString: await workerDatabase() });
    await foreign.connect();
  });
  afterAll(async () => {
    await foreign.end();
    await world.stop();
  });

  const sql = (text: string, ...parameters: unknown[]) =>
    world.unitOfWork.autocommit.rows<Record<string, unknown>>(text, parameters);
  const get = <T>(type: abstract new (...parts: never[]) => T): T => world.parley.app.get(type as never);

  /** Gives the account's phone to another process, which never sends anything. */
  const keepFromWorker = async (account: TestAccount): Promise<void> => {
    const { accountId, phone } = account;
    await get(Throughput).admitSingle({ accountId, id: phone.id, throughput: 1000 }, 1000);
    await renew(account);
  };
  /** A process that claims a phone for longer than a minute is not believed. */
  const renew = ({ accountId }: TestAccount) =>
    sql(
      `UPDATE phone_throughput SET owner = $2, owned_until = now() + interval '50 seconds' WHERE account_id = $1`,
      accountId,
      newRecordId(),
    );
  const leaveToWorker = ({ accountId }: TestAccount) =>
    sql('UPDATE phone_throughput SET owner = NULL, owned_until = NULL WHERE account_id = $1', accountId);

  /** Starts a campaign and claims all its recipients for a worker that has lost track of them. */
  const claimed = async (contacts: number) => {
    const account = await world.account({ throughput: 1000 });
    const { name } = await approvedTemplate(world, account);
    await keepFromWorker(account);
    const id = await started(account, name, contacts);
    const plan = await get(CampaignPlansService).plan({ accountId: account.accountId, campaignId: id });
    if (plan === null) throw new Error('the campaign cannot be sent');
    const group = await get(RecipientClaimsService).claim(plan, contacts, { fromPosition: 0 });
    expect(group.messages).toHaveLength(contacts);
    return { account, id, plan, group };
  };
  const statesOf = async ({ accountId }: TestAccount): Promise<unknown[]> =>
    (await sql('SELECT DISTINCT state FROM campaign_recipients WHERE account_id = $1', accountId)).map(
      ({ state }) => state,
    );
  const untilReleased = (account: TestAccount) =>
    until('its recipients are pending', async () => {
      await renew(account);
      const states = await statesOf(account);
      return states.length === 1 && states[0] === 'pending';
    });

  it('are released if they were committed, and then sent once', async () => {
    const { account, id, plan, group } = await claimed(3);
    get(AbandonedClaimsService).giveBack(plan, newRecordId());
    get(AbandonedClaimsService).giveBack(plan, group.id);
    await untilReleased(account);
    expect(await sql('SELECT 1 FROM sends_in_flight WHERE account_id = $1', account.accountId)).toEqual([]);
    await leaveToWorker(account);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 3, failed_count: 0 });
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    expect(new Set(ledger.map(({ to }) => to)).size).toBe(3);
    expect(ledger).toHaveLength(3);
  });

  it('are not failed at the horizon while they are being put back', async () => {
    const expireSoon = ({ accountId }: TestAccount, settleAt: string) =>
      sql(
        `UPDATE sends_in_flight SET lease_until = now() + interval '2 seconds', settle_at = ${settleAt} WHERE account_id = $1`,
        accountId,
      );
    /** Claims that are locked before the horizon looks at them, and others that it looks at after them. */
    const held = async () => {
      await foreign.query('ROLLBACK');
      const [put, later] = [await claimed(3), await claimed(1)];
      const own = [put.account.accountId];
      await expireSoon(put.account, "now() - interval '1 second'");
      await expireSoon(later.account, 'now()');
      await foreign.query('BEGIN');
      await foreign.query('SELECT FROM sends_in_flight WHERE account_id = $1 FOR UPDATE', own);
      await foreign.query('SELECT FROM messages WHERE account_id = $1 FOR UPDATE', own);
      const { rowCount } = await foreign.query(
        'SELECT FROM sends_in_flight WHERE account_id = $1 AND lease_until > clock_timestamp()',
        own,
      );
      return rowCount === 1 && { put, later };
    };
    try {
      const { put, later } = await until('the locks are held in time', held);
      const own = [put.account.accountId];
      await foreign.query(
        "UPDATE campaign_recipients SET state = 'pending', attempts = attempts - 1 WHERE account_id = $1",
        own,
      );
      await foreign.query('DELETE FROM sends_in_flight WHERE account_id = $1', own);
      // If the horizon wants to fail the messages now, it knows nothing of this.
      await until('the horizon waits for the messages, or has left them out', async () => {
        const waiting = await sql(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley-pipeline'
           AND wait_event_type = 'Lock' AND query LIKE '%messages%'`,
        );
        const inFlight = await sql('SELECT FROM sends_in_flight WHERE account_id = $1', later.account.accountId);
        return waiting.length > 0 || inFlight.length === 0;
      });
      await foreign.query('COMMIT');
      await leaveToWorker(put.account);
      expect(await untilCampaign(put.account, put.id, 'completed')).toMatchObject({ sent_count: 3, failed_count: 0 });
    } finally {
      await foreign.query('ROLLBACK');
    }
  });

  it('are released without waiting for a claim whose campaign is locked', async () => {
    const [locked, free] = [await claimed(1), await claimed(1)];
    await foreign.query('BEGIN');
    try {
      await foreign.query('SELECT FROM campaigns WHERE id = $1 FOR UPDATE', [locked.id]);
      for (const { plan, group } of [locked, free]) get(AbandonedClaimsService).giveBack(plan, group.id);
      await untilReleased(free.account);
      expect(await statesOf(locked.account)).toEqual(['claimed']);
    } finally {
      await foreign.query('ROLLBACK');
    }
    await untilReleased(locked.account);
  });

  it('are left alone when their worker has settled them in the meantime', async () => {
    const { account, plan, group } = await claimed(1);
    await sql('DELETE FROM sends_in_flight WHERE account_id = $1', account.accountId);
    get(AbandonedClaimsService).giveBack(plan, group.id);
    const other = await claimed(1);
    get(AbandonedClaimsService).giveBack(other.plan, other.group.id);
    await untilReleased(other.account);
    expect(await statesOf(account)).toEqual(['claimed']);
  });
});
