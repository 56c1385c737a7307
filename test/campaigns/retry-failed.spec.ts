import type { QueryRunner } from 'typeorm';
import { CountRetriedRecipientsOnce1790000000118 } from '../../migrations/0118-count-retried-recipients-once.js';
import { CampaignEndingsService } from '../../src/campaigns/control/campaign-endings.service.js';
import { eventsOf, type Report, recordOf, report } from '../messages/messages.js';
import { crowd } from '../support/crowd.js';
import { workerDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  balanceOf,
  campaignOf,
  draft,
  expectBooksBalanced,
  hurry,
  lostPhone,
  PATIENT,
  pathOf,
  recipientsOf,
  refusedPhone,
  sentTo,
  started,
  untilAccepted,
  untilCampaign,
  untilIdle,
} from './campaigns.js';

const CREDITS = 1000;

describe('retry-failed', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: { ...PATIENT, UNKNOWN_OUTCOME_HORIZON: '1' } });
    await world.simulator.behave({ statuses: [] });
  });
  beforeEach(async () => {
    account = await world.account({ credits: CREDITS });
    template = await approvedTemplate(world, account);
  });
  afterEach(() => world.simulator.behave({ error: null }));
  afterAll(() => world.stop());

  /** Sends one report for each of `messages`. */
  const reportAll = async (messages: readonly { id: string; networkId: string }[], more: Partial<Report>) => {
    const statuses = messages.map(({ id, networkId }) => ({
      id: networkId,
      biz_opaque_callback_data: id,
      status: 'delivered',
      ...more,
    }));
    expect(await report(world, account.phone.phoneNumberId, ...statuses)).toBe(200);
  };
  const messagesOf = async () =>
    (await world.simulator.ledger(account.phone.phoneNumberId)).map((entry) => ({
      id: entry.biz_opaque_callback_data,
      networkId: entry.id,
      to: entry.to,
    }));
  const failWith = (code: number): Partial<Report> => ({
    status: 'failed',
    errors: [{ code, title: 'No', message: 'No' }],
  });
  /** A completed campaign whose messages were all accepted and then failed. */
  const failedLater = async (recipients: number, code = 131000) => {
    const id = await started(account, template.name, recipients);
    await untilCampaign(account, id, 'completed');
    const messages = await messagesOf();
    await reportAll(messages, failWith(code));
    expect(await campaignOf(account, id)).toMatchObject({ sent_count: recipients, failed_count: recipients });
    return { id, messages };
  };

  it('sends a new message with a new id only to recipients that failed for a temporary reason', async () => {
    const phones = [uniquePhone(), uniquePhone(), refusedPhone(), lostPhone()];
    const id = await started(account, template.name, phones);
    await until(
      'the outcome of the lost one is settled',
      async () => (await campaignOf(account, id)).failed_count >= 2,
    );
    await untilCampaign(account, id, 'completed');
    const [later] = (await messagesOf()).filter(({ to }) => to === phones[0]);
    await reportAll(later === undefined ? [] : [later], failWith(131000));
    const before = await recipientsOf(account, id);
    expect(before).toMatchObject([
      { contact_phone: phones[0], status: 'failed', error_code: 131000, retryable: true },
      { contact_phone: phones[1], status: 'sent', error_code: null, error_message: null, retryable: false },
      { contact_phone: phones[2], status: 'failed', retryable: false },
      { contact_phone: phones[3], status: 'failed', error_code: 900002, retryable: false },
    ]);
    const { completed_at } = await campaignOf(account, id);
    const answer = await act(account, id, 'retry-failed');
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'success', message: 'Retrying failed recipients' },
    });
    const after = await untilCampaign(account, id, 'completed');
    expect(after).toMatchObject({ failed_count: 2, sent_count: 2 });
    expect(Date.parse(String(after.completed_at))).toBeGreaterThan(Date.parse(String(completed_at)));
    const [retried, ...others] = await recipientsOf(account, id);
    expect(retried).toMatchObject({ status: 'sent', attempts: 1, error_code: null });
    expect(retried?.message_id).not.toBe(before[0]?.message_id);
    expect(others).toEqual(before.slice(1));
    expect(await recordOf(account, before[0]?.message_id)).toMatchObject({ status: 'failed', error_code: 131000 });
    // The lost one is in the network's ledger, but Parley does not know it.
    expect((await sentTo(world, account, template.name)).sort()).toEqual(
      [phones[0], phones[0], phones[1], phones[3]].sort(),
    );
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('clears completed_at, takes back what the failed messages counted and reserves credits immediately', async () => {
    const { id } = await failedLater(3);
    const foreign = await ForeignSession.open(await workerDatabase());
    try {
      // No recipient can be claimed, so that the intermediate state is visible.
      await foreign.query('BEGIN');
      await foreign.query('LOCK TABLE sends_in_flight IN SHARE MODE');
      const { body } = await act(account, id, 'retry-failed');
      const counted = { sent_count: 0, failed_count: 0 };
      expect(body.campaign).toMatchObject({ campaign_status: 'running', completed_at: null, ...counted });
      expect(await balanceOf(world, account)).toBe(CREDITS - 6);
      const waiting = { status: 'pending', message_id: null, attempts: 0, error_code: null, retryable: false };
      expect(await recipientsOf(account, id)).toMatchObject(Array(3).fill(waiting));
    } finally {
      await foreign.close();
    }
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 3, failed_count: 0 });
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('continues a stopped campaign, including its untouched recipients', async () => {
    // Slow enough that the report comes long before its end, on any machine.
    account = await world.account({ credits: CREDITS, throughput: 5 });
    template = await approvedTemplate(world, account);
    const phones = Array.from({ length: 400 }, () => uniquePhone());
    const id = await started(account, template.name, phones);
    const [first] = await until('it is under way', async () => {
      const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
      const own = ledger.filter(({ template_name }) => template_name === template.name);
      return own.length > 5 && own;
    });
    await untilAccepted(account, first);
    const errors = [{ code: 131042, title: 'Business eligibility payment issue' }];
    const failed = { id: String(first?.id), status: 'failed', errors };
    expect(await report(world, account.phone.phoneNumberId, failed)).toBe(200);
    expect((await untilCampaign(account, id, 'failed')).failed_count).toBe(1);
    await untilIdle(world, account);
    await hurry(world, account);
    const { body } = await act(account, id, 'retry-failed');
    expect(body.campaign).toMatchObject({ campaign_status: 'running', failure_reason: null });
    await untilCampaign(account, id, 'completed');
    expect(await campaignOf(account, id)).toMatchObject({ failed_count: 0 });
    const sent = await sentTo(world, account, template.name);
    expect([sent.length, [...new Set(sent)].sort()]).toEqual([401, phones.sort()]);
  });

  it('is rejected when no recipient failed for a temporary reason (400), and changes nothing', async () => {
    const { id } = await failedLater(2, 131026);
    const before = await campaignOf(account, id);
    expect(await act(account, id, 'retry-failed')).toMatchObject({
      status: 400,
      body: { message: 'the campaign has no failed recipients that can be retried' },
    });
    expect(await campaignOf(account, id)).toEqual(before);
  });

  it('is rejected when the wallet holds too few credits or a check fails (400), and changes nothing', async () => {
    account = await world.account({ credits: 5 });
    template = await approvedTemplate(world, account);
    const { id } = await failedLater(3);
    const before = [await campaignOf(account, id), await recipientsOf(account, id)];
    expect(await act(account, id, 'retry-failed')).toMatchObject({
      status: 400,
      body: { message: 'insufficient wallet credits: the campaign needs 3, the wallet holds 2' },
    });
    await world.unitOfWork.autocommit.affected('UPDATE business_accounts SET restrictions = $2 WHERE account_id = $1', [
      account.accountId,
      '{"DISABLE": {"isInForce": true, "until": null, "detail": "spam", "toldAt": 1}}',
    ]);
    await until('the restriction has taken effect', async () => {
      const { status, body } = await act(account, id, 'retry-failed');
      expect(status).toBe(400);
      return (
        body.message === 'the business account is not active: the business account was disabled by the network: spam'
      );
    });
    expect([await campaignOf(account, id), await recipientsOf(account, id)]).toEqual(before);
    expect(await balanceOf(world, account)).toBe(2);
  });

  it('counts people: later reports about the first message change no counter, and tell their events', async () => {
    const { id, messages } = await failedLater(3);
    await act(account, id, 'retry-failed');
    await untilCampaign(account, id, 'completed');
    await reportAll(messages, { status: 'delivered' });
    expect(await campaignOf(account, id)).toMatchObject({ sent_count: 3, delivered_count: 0, failed_count: 0 });
    await expectBooksBalanced(world, account, id, CREDITS);
    await eventually(async () => {
      const delivered = (await eventsOf(world, account)).filter(({ event }) => event === 'message.delivered');
      expect(delivered).toHaveLength(3);
    });
  });

  it('is counted so for campaigns of earlier releases too, by a migration that can be reverted', async () => {
    const { id, messages } = await failedLater(3);
    await act(account, id, 'retry-failed');
    await untilCampaign(account, id, 'completed');
    await reportAll(messages.slice(0, 2), { status: 'delivered' });
    const foreign = await ForeignSession.open(await workerDatabase());
    const counted = () =>
      foreign.query<{ counter: string; amount: number }>(
        `SELECT counter, sum(amount)::integer AS amount FROM counter_amounts
         WHERE account_id = $1 AND subject_id = $2 GROUP BY counter HAVING sum(amount) <> 0 ORDER BY counter`,
        [account.accountId, id],
      );
    const runner = { query: (sql: string) => foreign.query(sql) } as unknown as QueryRunner;
    const migration = new CountRetriedRecipientsOnce1790000000118();
    const people = [{ counter: 'campaign.sent', amount: 3 }];
    try {
      await foreign.query('BEGIN');
      expect(await counted()).toEqual(people);
      await migration.down(runner);
      expect(await counted()).toEqual([
        { counter: 'campaign.delivered', amount: 2 },
        { counter: 'campaign.sent', amount: 6 },
      ]);
      await migration.up(runner);
      expect(await counted()).toEqual(people);
      await foreign.query('ROLLBACK');
    } finally {
      await foreign.close();
    }
  });

  it('can be repeated: each failure counts while it is the latest', async () => {
    const { id } = await failedLater(2);
    for (let round = 0; round < 2; round += 1) {
      expect((await act(account, id, 'retry-failed')).status).toBe(200);
      await untilCampaign(account, id, 'completed');
      await reportAll((await messagesOf()).slice(-2), failWith(131000));
      expect(await campaignOf(account, id)).toMatchObject({ sent_count: 2, failed_count: 2 });
    }
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('is done once for parallel requests', async () => {
    const { id } = await failedLater(50);
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(account, id, 'retry-failed')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    await untilCampaign(account, id, 'completed');
    const to = await sentTo(world, account, template.name);
    expect(to).toHaveLength(100);
    expect(new Set(to).size).toBe(50);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('races late reports: each message is either retried or delivered, and the books balance', async () => {
    const { id, messages } = await failedLater(60);
    const requests: (() => Promise<unknown>)[] = messages.map(
      (message) => () => reportAll([message], { status: 'delivered' }),
    );
    requests.splice(30, 0, () => act(account, id, 'retry-failed'));
    await crowd(requests.length, async (place) => requests[place]?.());
    await untilCampaign(account, id, 'completed');
    const campaign = await campaignOf(account, id);
    const to = await sentTo(world, account, template.name);
    expect(new Set(to).size).toBe(60);
    // The messages of those who were retried were delivered too late to count.
    const retried = to.length - 60;
    expect(campaign).toMatchObject({ sent_count: 60, delivered_count: 60 - retried, failed_count: 0 });
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('is not undone by a completion that started before it', async () => {
    const id = await draft(account, template.name, 1);
    const [foreign, other] = [
      await ForeignSession.open(await workerDatabase()),
      await ForeignSession.open(await workerDatabase()),
    ];
    const set = (status: string, state: string) =>
      foreign.query(
        `WITH moved AS (UPDATE campaign_recipients SET state = $3, due_at = now() + interval '1 hour' WHERE campaign_id = $1)
         UPDATE campaigns SET status = $2 WHERE id = $1`,
        [id, status, state],
      );
    /** Restarts the campaign while a completion waits for it. */
    const restarted = async () => {
      await set('running', 'pending');
      try {
        await foreign.lock('campaigns', 'id = $1', [id]);
        const [session] = await foreign.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await other.query("UPDATE campaign_recipients SET state = 'claimed' WHERE campaign_id = $1", [id]);
        let hasEnded = false;
        const completion = world.parley.app.get(CampaignEndingsService).completeIfDone(account.accountId, id);
        void completion
          .catch(() => undefined)
          .then(() => {
            hasEnded = true;
          });
        await until('the completion waits for the campaign, or has waited for too long', async () => {
          const rows = await other.query(
            `SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid)) AND query LIKE 'UPDATE campaigns g%'`,
            [session?.pid],
          );
          return hasEnded || rows.length > 0;
        });
        await set('completed', 'claimed');
        await set('running', 'pending');
        await foreign.query('COMMIT');
        return { completed: await completion };
      } finally {
        await foreign.release();
      }
    };
    try {
      expect(await until('a completion was overtaken', restarted)).toEqual({ completed: false });
      expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'running' });
    } finally {
      await other.close();
      await foreign.close();
    }
    expect((await account.api.post(pathOf(id, '/cancel'))).status).toBe(200);
  });
});
