import { crowd, crowdOf } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  balanceOf,
  campaignOf,
  draft,
  expectBooksBalanced,
  hurry,
  PATIENT,
  pathOf,
  sentTo,
  started,
  untilCampaign,
  untilIdle,
} from './campaigns.js';

const CREDITS = 2000;
const RECIPIENTS = 400;

describe('campaign actions that race each other and the workers', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase(), env: PATIENT });
  });
  beforeEach(async () => {
    await world.simulator.behave({
      statuses: ['sent', 'delivered'],
      status_delay_ms: 5,
      callback_batch: 20,
      error: null,
    });
    account = await world.account({ credits: CREDITS, throughput: 400 });
    template = await approvedTemplate(world, account);
  });
  afterAll(() => world.stop());

  /** The account’s phone sends so slowly that its campaigns do not end while they are acted on. */
  const slowDown = async (throughput: number): Promise<void> => {
    account = await world.account({ credits: CREDITS, throughput });
    template = await approvedTemplate(world, account);
  };
  const actAtOnce = (id: string, ...actions: Parameters<typeof act>[2][]) =>
    Promise.all(
      actions.map(async (action) => {
        const { status, body } = await act(account, id, action);
        return { action, status, message: body.message };
      }),
    );
  const untilSomeSent = (id: string) =>
    until('something was sent', async () => (await campaignOf(account, id)).sent_count > 0);
  const totalOf = async (id: string, status: string): Promise<number> =>
    (await account.api.get<{ total: number }>(pathOf(id, `/recipients?status=${status}`))).body.total;
  /** Waits until the simulator has reported everything that it accepted. */
  const untilReported = (id: string) =>
    until('everything is reported', async () => {
      const { sent_count, delivered_count } = await campaignOf(account, id);
      return sent_count === delivered_count;
    });
  const expectSentOnce = async (): Promise<number> => {
    const to = await sentTo(world, account, template.name);
    expect(new Set(to).size).toBe(to.length);
    return to.length;
  };

  it('cancels once among parallel cancels; pauses and resumes lose', async () => {
    await slowDown(10);
    const id = await started(account, template.name, RECIPIENTS);
    await untilSomeSent(id);
    const answers = await actAtOnce(id, 'pause', 'cancel', 'resume', 'cancel', 'pause', 'cancel', 'resume', 'cancel');
    expect(answers.filter(({ action, status }) => action === 'cancel' && status === 200)).toHaveLength(1);
    for (const { status, message } of answers)
      if (status !== 200) expect([status, message]).toEqual([400, expect.stringContaining('(this one is')]);
    await untilIdle(world, account);
    await untilReported(id);
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'cancelled', paused: false });
    expect((await expectSentOnce()) + (await totalOf(id, 'cancelled'))).toBe(RECIPIENTS);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('cancels while sending starts: each recipient is either sent to and charged, or cancelled and free', async () => {
    await slowDown(10);
    const ids = await crowd(12, () => draft(account, template.name, 150));
    const answers = await crowdOf(ids, (id) => actAtOnce(id, 'send', 'cancel'), 5);
    await untilIdle(world, account);
    for (const [index, id] of ids.entries()) {
      const statuses = answers[index]?.map(({ status }) => status);
      expect([
        [202, 200],
        [400, 200],
      ]).toContainEqual(statuses);
      await until('everything is reported', async () => {
        const { sent_count } = await campaignOf(account, id);
        return sent_count + (await totalOf(id, 'cancelled')) === 150;
      });
    }
    expect(CREDITS - (await balanceOf(world, account))).toBe(await expectSentOnce());
  });

  it('cancels during retries: no recipient stays pending, and everything unsent is refunded', async () => {
    await slowDown(20);
    await world.simulator.behave({ error: { code: 131016, rate: 0.5 } });
    const id = await started(account, template.name, RECIPIENTS);
    await untilSomeSent(id);
    expect((await act(account, id, 'cancel')).status).toBe(200);
    await untilIdle(world, account);
    await untilReported(id);
    expect(await totalOf(id, 'pending')).toBe(0);
    expect(await totalOf(id, 'failed')).toBe(0);
    expect((await expectSentOnce()) + (await totalOf(id, 'cancelled'))).toBe(RECIPIENTS);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('pauses and resumes repeatedly: each recipient is sent to once', async () => {
    const id = await started(account, template.name, RECIPIENTS);
    for (let turn = 0; turn < 8; turn += 1) await actAtOnce(id, 'pause', 'resume', 'pause', 'resume', 'resume');
    await until('it is resumed or over', async () => {
      const { paused } = await campaignOf(account, id);
      return !paused || (await act(account, id, 'resume')).status === 200;
    });
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: RECIPIENTS, paused: false });
    expect(await expectSentOnce()).toBe(RECIPIENTS);
    await untilReported(id);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('either pauses a campaign or finds it completed', async () => {
    const ids = await crowd(10, () => started(account, template.name, 3));
    await crowdOf(ids, async (id) => {
      await until('it is paused or over', async () => {
        const { status, body } = await act(account, id, 'pause');
        return status === 200 || body.message.endsWith('(this one is completed)');
      });
      const { campaign_status, paused } = await campaignOf(account, id);
      if (campaign_status === 'completed') expect(paused).toBe(false);
      else await act(account, id, 'resume');
      expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 3, paused: false });
    });
    expect(await expectSentOnce()).toBe(30);
  });

  it('resumes a stopped campaign once and reserves its credits once', async () => {
    await slowDown(10);
    await world.simulator.behave({ error: { code: 190, rate: 1 } });
    const phones = Array.from({ length: 300 }, () => uniquePhone());
    const id = await started(account, template.name, phones);
    await untilCampaign(account, id, 'failed');
    // Batches that were in flight when it stopped are still recorded.
    await untilIdle(world, account);
    const { failed_count } = await campaignOf(account, id);
    await world.simulator.behave({ error: null });
    const answers = await actAtOnce(id, 'resume', 'retry-failed', 'resume', 'resume', 'retry-failed', 'resume');
    await hurry(world, account);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const retried = answers.some(({ action, status }) => action === 'retry-failed' && status === 200);
    const sent_count = retried ? 300 : 300 - failed_count;
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count });
    expect(await expectSentOnce()).toBe(sent_count);
    await untilReported(id);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('stops, resumes and retries during sending: the books balance and each recipient is sent to once', async () => {
    const id = await started(account, template.name, RECIPIENTS);
    for (let turn = 0; turn < 3; turn += 1) {
      await world.simulator.behave({ error: { code: 190, rate: 0.2 } });
      await until(
        'it has stopped or is over',
        async () => (await campaignOf(account, id)).campaign_status !== 'running',
      );
      await world.simulator.behave({ error: null });
      await actAtOnce(id, 'resume', 'retry-failed', 'resume', 'retry-failed');
    }
    await untilCampaign(account, id, 'completed');
    await untilIdle(world, account);
    await act(account, id, 'retry-failed');
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ failed_count: 0, sent_count: RECIPIENTS });
    expect(await expectSentOnce()).toBe(RECIPIENTS);
    await untilReported(id);
    await expectBooksBalanced(world, account, id, CREDITS);
  });
});
