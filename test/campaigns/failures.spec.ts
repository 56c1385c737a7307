import { FailureBrakeService } from '../../src/campaigns/control/failure-brake.service.js';
import { type Report, report, secondsAgo } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import {
  act,
  badRequest,
  campaignOf,
  expectBooksBalanced,
  pathOf,
  recipientsOf,
  sentTo,
  started,
  untilCampaign,
} from './campaigns.js';

const CREDITS = 1000;
const DAY_SECONDS = 24 * 60 * 60;
const CAP = 131049;

interface Failure {
  readonly error_code: number;
  readonly title: string;
  readonly advice: string;
  readonly count: number;
  readonly retryable: boolean;
  readonly retry_after: string | null;
}

interface Message {
  readonly id: string;
  readonly networkId: string;
  readonly to: string;
}

describe('the failures of a campaign', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: { NETWORK_TIMEOUT_MS: '60000', LEASE_SECONDS: '60' } });
    await world.simulator.behave({ statuses: [] });
  });
  beforeEach(async () => {
    account = await world.account({ credits: CREDITS });
    template = await approvedTemplate(world, account);
  });
  afterAll(() => world.stop());

  const failuresOf = async (id: string): Promise<Failure[]> => {
    const { status, body } = await account.api.get<{ status: string; failures: Failure[] }>(pathOf(id, '/failures'));
    expect([status, body.status]).toEqual([200, 'success']);
    return body.failures;
  };
  const retry = async (id: string, body?: Record<string, unknown>) => {
    const answer = await act(account, id, 'retry-failed', body);
    return { status: answer.status, message: answer.body.message };
  };
  const messagesOf = async (): Promise<Message[]> =>
    (await world.simulator.ledger(account.phone.phoneNumberId))
      .filter(({ template_name }) => template_name === template.name)
      .map((entry) => ({ id: entry.biz_opaque_callback_data, networkId: entry.id, to: entry.to }));
  /** The network reports that a message has failed, so many seconds ago. */
  const fail = async ({ id, networkId }: Message, code: number, ago = 0) => {
    const errors = [{ code, title: 'No', message: 'No' }];
    const failed: Report = { id: networkId, biz_opaque_callback_data: id, status: 'failed', errors };
    const timestamp = String(secondsAgo(ago));
    expect(await report(world, account.phone.phoneNumberId, { ...failed, timestamp })).toBe(200);
  };
  /** A completed campaign, and its messages in the order of their recipients. */
  const completed = async (contacts: number | readonly string[], more: Record<string, unknown> = {}) => {
    const id = await started(account, template.name, contacts, more);
    await untilCampaign(account, id, 'completed');
    const messages = await messagesOf();
    const inOrder = (await recipientsOf(account, id)).flatMap(
      ({ message_id }) => messages.find((message) => message.id === message_id) ?? [],
    );
    return { id, messages: inOrder };
  };

  it('are counted by code, the most frequent first, with what they mean and what to do', async () => {
    const { id, messages } = await completed(6);
    expect(await failuresOf(id)).toEqual([]);
    const codes = [131026, CAP, 131026, 131000, 999_999];
    const earliest = secondsAgo(0);
    for (const [place, code] of codes.entries()) await fail(messages[place] as Message, code);
    const latest = Date.now() / 1000;
    const failures = await failuresOf(id);
    expect(failures).toMatchObject([
      {
        error_code: 131026,
        title: 'The message cannot be delivered to this recipient: the number may not be on WhatsApp',
        count: 2,
        retryable: false,
        retry_after: null,
      },
      { error_code: 131000, title: 'The network had an internal error', count: 1, retryable: true, retry_after: null },
      { error_code: CAP, count: 1, retryable: true },
      { error_code: 999_999, title: 'The network refused the message (999999)', count: 1, retryable: true },
    ]);
    for (const { advice } of failures) expect(advice).toMatch(/^[A-Z].+\.$/);
    const failedAt = Date.parse(String(failures[2]?.retry_after)) / 1000 - DAY_SECONDS;
    expect(failedAt).toBeGreaterThanOrEqual(earliest);
    expect(failedAt).toBeLessThanOrEqual(latest);
    expect(failures.reduce((sum, { count }) => sum + count, 0)).toBe((await campaignOf(account, id)).failed_count);
  });

  it('are retried by code', async () => {
    const { id, messages } = await completed(4);
    for (const [place, code] of [131000, 131016, 131026].entries()) await fail(messages[place] as Message, code);
    expect(await retry(id, { error_codes: [131016] })).toMatchObject({ status: 200 });
    await untilCampaign(account, id, 'completed');
    const retried = await sentTo(world, account, template.name);
    expect(retried.slice(4)).toEqual([messages[1]?.to]);
    expect((await failuresOf(id)).map(({ error_code }) => error_code)).toEqual([131000, 131026]);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('are not retried by a code that nobody failed with, or that another attempt would not help (400)', async () => {
    const { id, messages } = await completed(3);
    await fail(messages[0] as Message, 131000);
    await fail(messages[1] as Message, 131026);
    const before = await campaignOf(account, id);
    expect(await retry(id, { error_codes: [131000, 5, 7] })).toEqual(
      badRequest('error_codes: no recipient of the campaign has failed with 5, 7 (they failed with 131000, 131026)'),
    );
    expect(await retry(id, { error_codes: [131026, 131000] })).toEqual(
      badRequest('error_codes: another attempt would not help recipients who failed with 131026'),
    );
    expect(await campaignOf(account, id)).toEqual(before);
  });

  it.each([
    [{ include: 'marketing_cap' }, 'include must be an array of strings, not a string ("marketing_cap")'],
    [{ include: ['marketing'] }, 'include[0] must be one of marketing_cap (got marketing)'],
    [{ include: [1] }, 'include[0] must be one of marketing_cap, not a number (1)'],
    [{ include: ['marketing_cap', 'marketing_cap'] }, 'include must have at most 1 entries (got 2)'],
    [{ error_codes: 131000 }, 'error_codes must be an array of numbers, not a number (131000)'],
    [{ error_codes: [] }, 'error_codes must have at least 1 entry (got 0); leave it out to retry all'],
    [{ error_codes: ['131000'] }, 'error_codes[0] must be a number, not a string ("131000")'],
    [{ error_codes: [1.5] }, 'error_codes[0] must be a code, a whole number from 0 to 2147483647 (got 1.5)'],
    [{ error_codes: [2 ** 31] }, 'error_codes[0] must be a code, a whole number from 0 to 2147483647 (got 2147483648)'],
    [{ error_codes: Array(101).fill(1) }, 'error_codes must have at most 100 entries (got 101)'],
  ])('refuse the body %j (400)', async (body, message) => {
    const { id } = await completed(1);
    const answer = await retry(id, body);
    expect(answer.status).toBe(400);
    expect(answer.message).toContain(message);
  });

  describe('of people who get too much marketing (131049)', () => {
    it('are retried only when asked to, a day later, and once', async () => {
      const { id, messages } = await completed(3);
      await fail(messages[0] as Message, CAP, DAY_SECONDS + 60);
      await fail(messages[1] as Message, CAP, 60);
      await fail(messages[2] as Message, 131026);
      const nothing = badRequest('the campaign has no failed recipients that can be retried');
      expect(await retry(id)).toEqual(nothing);
      expect(await retry(id, { include: [] })).toEqual(nothing);
      expect(await retry(id, { error_codes: [CAP] })).toEqual(
        badRequest(/^error_codes: 131049 is retried only with "include": \["marketing_cap"\]/),
      );
      expect(await retry(id, { error_codes: [131026], include: ['marketing_cap'] })).toEqual(
        badRequest('include: marketing_cap has no effect when error_codes does not name 131049'),
      );

      expect((await retry(id, { error_codes: [CAP], include: ['marketing_cap'] })).status).toBe(200);
      await untilCampaign(account, id, 'completed');
      expect((await sentTo(world, account, template.name)).slice(3)).toEqual([messages[0]?.to]);

      const [again] = (await messagesOf()).slice(3);
      await fail(again as Message, CAP, 2 * DAY_SECONDS);
      const [capped] = await failuresOf(id);
      expect(capped).toMatchObject({ error_code: CAP, count: 2, retryable: true, retry_after: expect.any(String) });
      expect(await retry(id, { include: ['marketing_cap'] })).toEqual(
        badRequest(
          /^include: recipients that failed with 131049 can be retried 24 hours later, the first of them from 2/,
        ),
      );
      await expectBooksBalanced(world, account, id, CREDITS);
    });

    it('are not retried a second time, whatever happens in between', async () => {
      const { id, messages } = await completed(1);
      await fail(messages[0] as Message, CAP, 2 * DAY_SECONDS);
      expect((await retry(id, { include: ['marketing_cap'] })).status).toBe(200);
      await untilCampaign(account, id, 'completed');
      await fail((await messagesOf())[1] as Message, 131000);
      expect((await retry(id)).status).toBe(200);
      await untilCampaign(account, id, 'completed');
      await fail((await messagesOf())[2] as Message, CAP, 2 * DAY_SECONDS);
      expect(await failuresOf(id)).toMatchObject([{ error_code: CAP, count: 1, retryable: false, retry_after: null }]);
      expect(await retry(id, { include: ['marketing_cap'] })).toEqual(
        badRequest('include: every recipient that failed with 131049 was already retried once'),
      );
    });

    it('are retried once by requests at the same time', async () => {
      const { id, messages } = await completed(20);
      for (const message of messages) await fail(message, CAP, 2 * DAY_SECONDS);
      const body = { include: ['marketing_cap'] };
      const answers = await Promise.all(Array.from({ length: 4 }, () => retry(id, body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      await untilCampaign(account, id, 'completed');
      expect(await sentTo(world, account, template.name)).toHaveLength(40);
      await expectBooksBalanced(world, account, id, CREDITS);
    });

    it('do not count for the brake', async () => {
      const { id, messages } = await completed(130, { max_failure_percent: 10 });
      const brake = world.parley.app.get(FailureBrakeService);
      for (const message of messages.slice(0, 30)) await fail(message, CAP);
      // The brake judges only campaigns that run: somebody is not due yet.
      await world.unitOfWork.autocommit.affected(
        `WITH waiting AS (
           UPDATE campaign_recipients SET state = 'pending', due_at = now() + interval '1 day'
           WHERE account_id = $1 AND campaign_id = $2 AND position = 129
         )
         UPDATE campaigns SET status = 'running' WHERE account_id = $1 AND id = $2`,
        [account.accountId, id],
      );
      await brake.judge({ accountId: account.accountId, id });
      expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'running', paused: false });
      for (const message of messages.slice(30, 50)) await fail(message, 131026);
      await until('it has paused', async () => (await campaignOf(account, id)).paused);
      expect((await campaignOf(account, id)).failure_reason).toMatch(/^\d+ of 100 .*131026/);
    });
  });

  it('are never retryable where one-time codes are gone', async () => {
    template = await approvedTemplate(world, account, { category: 'AUTHENTICATION', body: undefined });
    const { id, messages } = await completed(1, { body_data: { '1': '482913' } });
    await fail(messages[0] as Message, 131000);
    expect(await failuresOf(id)).toMatchObject([{ error_code: 131000, retryable: false, retry_after: null }]);
  });

  it('belong to their account: 404 for any other', async () => {
    const { id } = await completed(1);
    const foreign = await world.account();
    expect((await foreign.api.get(pathOf(id, '/failures'))).status).toBe(404);
  });
});
