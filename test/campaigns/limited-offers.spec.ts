import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import {
  act,
  badRequest,
  balanceOf,
  campaignOf,
  draft,
  expectBooksBalanced,
  PATIENT,
  recipientsOf,
  sentTo,
  started,
  untilCampaign,
} from './campaigns.js';

const CREDITS = 2000;
const LATER = '2099-01-31T09:00:00Z';

let world: World;
let account: TestAccount;
let name: string;

beforeAll(async () => {
  world = await World.start({ env: PATIENT });
  await world.simulator.behave({ statuses: [] });
});
beforeEach(async () => {
  account = await world.account({ credits: CREDITS, throughput: 20 });
  ({ name } = await approvedTemplate(world, account, {
    category: 'MARKETING',
    limited_time_offer: { text: 'Ends soon' },
    offer_code: 'SAVE10',
    buttons: [{ type: 'COPY_CODE', text: 'Copy' }],
  }));
});
afterAll(() => world.stop());

/** Lets the offer of a campaign expire, in so many seconds. */
const expire = (id: string, seconds = 0) =>
  world.unitOfWork.autocommit.affected(
    `WITH ends AS (SELECT now() + $3 * interval '1 second' AS at)
     UPDATE campaigns SET offer_ends_at = ends.at, closes_at = ends.at,
            content = content || jsonb_build_object('expirationTimeMs', floor(extract(epoch FROM ends.at) * 1000))
     FROM ends WHERE account_id = $1 AND id = $2`,
    [account.accountId, id, seconds],
  );
const inMs = (ms: number): number => Date.now() + ms;

describe('a limited-time offer that expires', () => {
  it('in mid-run ends the rest like send_before: cancelled, with their credits back', async () => {
    const id = await draft(account, name, 1000, { expiration_time_ms: inMs(86_400_000) });
    await until('it is sent before the offer ends', async () => {
      await expire(id, 8);
      return (await act(account, id, 'send')).status === 202;
    });
    const campaign = await untilCampaign(account, id, 'completed');
    const reached = await sentTo(world, account, name);
    expect(campaign).toMatchObject({ failure_reason: null, sent_count: reached.length });
    expect(reached.length).toBeLessThan(1000);
    const cancelled = await recipientsOf(account, id, '&status=cancelled');
    expect(cancelled.length).toBeGreaterThan(0);
    for (const { error_code } of cancelled) expect([null, 900005]).toContain(error_code);
    // On a busy machine a message may take longer than a second to the network.
    const tooSlow = await recipientsOf(account, id, '&status=failed');
    for (const { error_code } of tooSlow) expect(error_code).toBe(131009);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it.each([
    ['while it runs', false],
    ['while it is paused', true],
  ])('ends the rest %s', async (_, isPaused) => {
    const id = await started(account, name, 1000, { expiration_time_ms: inMs(86_400_000) });
    await until('some were sent', async () => (await campaignOf(account, id)).sent_count > 0);
    if (isPaused) expect((await act(account, id, 'pause')).status).toBe(200);
    await expire(id);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ failure_reason: null, failed_count: 0 });
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('ends the rest of a stopped campaign', async () => {
    const id = await started(account, name, 1000, { expiration_time_ms: inMs(86_400_000) });
    expect((await act(account, id, 'pause')).status).toBe(200);
    await world.unitOfWork.autocommit.affected(
      "UPDATE campaigns SET status = 'failed', paused = false WHERE account_id = $1 AND id = $2",
      [account.accountId, id],
    );
    await expire(id);
    await until('nobody is pending', async () => (await recipientsOf(account, id, '&status=pending')).length === 0);
    const { status, body } = await act(account, id, 'resume');
    expect({ status, message: body.message }).toEqual(
      badRequest(/^expiration_time_ms must be later: .* and this one expires at \S+Z$/),
    );
  });

  it('before the start refuses it: at send 400, at the scheduled time with the reason', async () => {
    const [sent, scheduled] = [
      await draft(account, name, 1, { expiration_time_ms: inMs(86_400_000) }),
      await draft(account, name, 1, { expiration_time_ms: Date.parse(LATER) + 1, scheduled_at: LATER }),
    ];
    for (const id of [sent, scheduled]) await expire(id);
    const { status, body } = await act(account, sent, 'send');
    expect({ status, message: body.message }).toEqual(badRequest(/^expiration_time_ms must be later/));
    await world.unitOfWork.autocommit.affected(
      'UPDATE campaigns SET scheduled_at = now() WHERE account_id = $1 AND id = $2',
      [account.accountId, scheduled],
    );
    expect((await untilCampaign(account, scheduled, 'failed')).failure_reason).toMatch(
      /^expiration_time_ms must be later: .* this one expires at \S+Z\. Create another campaign with a new offer$/,
    );
    expect(await balanceOf(world, account)).toBe(CREDITS);
  });

  it('means nothing to a template without an offer', async () => {
    const plain = await approvedTemplate(world, account);
    const id = await started(account, plain.name, 20, { expiration_time_ms: 1 });
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 20 });
  });
});
