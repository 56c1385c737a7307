import type { BusinessPhoneListResponse } from '../../src/business-phones/dto/business-phone-list.response.js';
import { openWindow, secondsAgo } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  campaignOf,
  draft,
  PATIENT,
  recipientsOf,
  sentTo,
  started,
  untilCampaign,
  untilIdle,
} from './campaigns.js';

const BIZ = 'RESTRICTED_BIZ_INITIATED_MESSAGING';
const CUSTOMER = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING';
const UTILITY = 'RESTRICTED_UTILITY_TEMPLATES';
const TOMORROW = secondsAgo(-86_400);

describe('campaigns of a restricted phone', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };
  let [talking, silent] = ['', ''];

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account({ credits: 100 });
    template = await approvedTemplate(world, account, { category: 'MARKETING' });
    [talking, silent] = [uniquePhone(), uniquePhone()];
    await openWindow(world, account.phone, talking);
  });

  const notify = async (notice: Record<string, unknown>): Promise<void> => {
    const { callback_status } = await world.simulator.callback('account_update', notice, account.phone.wabaId);
    expect(callback_status).toBe(200);
  };
  /** @param expiration unix seconds */
  const restrict = (restriction_type: string, expiration?: number) =>
    notify({ event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type, expiration }] });
  const lift = () => notify({ event: 'ACCOUNT_RESTRICTION', restriction_info: [] });
  const change = (sql: string, id: string) => world.unitOfWork.autocommit.affected(sql, [account.accountId, id]);
  const replan = (id: string) => change('UPDATE campaigns SET closes_at = now() WHERE account_id = $1 AND id = $2', id);
  const sent = () => sentTo(world, account, template.name);
  const sentCount = (id: string, count: number) =>
    until(`${count} are sent`, async () => (await campaignOf(account, id)).sent_count >= count);

  it('send to contacts with an open service window; the others wait until its end', async () => {
    await restrict(BIZ, TOMORROW);
    const id = await started(account, template.name, [silent, talking]);
    await sentCount(id, 1);
    await untilIdle(world, account);
    expect(await sent()).toEqual([talking]);
    const waiting = {
      campaign_status: 'running',
      waiting_reason: 'restriction',
      waiting_until: new Date(TOMORROW * 1000).toISOString(),
    };
    await eventually(async () => expect(await campaignOf(account, id)).toMatchObject(waiting));
    expect((await recipientsOf(account, id)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['pending', 0],
      ['sent', 1],
    ]);
  });

  it('send to somebody who writes meanwhile', async () => {
    await restrict(BIZ, TOMORROW);
    const id = await started(account, template.name, [silent, uniquePhone()]);
    await openWindow(world, account.phone, silent);
    // They look for open windows once a minute.
    await replan(id);
    await sentCount(id, 1);
    expect(await sent()).toEqual([silent]);
  });

  it.each([
    ['templates outside service windows', BIZ, 'MARKETING'],
    ['utility templates', UTILITY, 'UTILITY'],
  ])('go on by themselves when a notice lifts a restriction of %s', async (_, type, category) => {
    template = await approvedTemplate(world, account, { category });
    await restrict(type, TOMORROW);
    const id = await started(account, template.name, [silent]);
    expect(await campaignOf(account, id)).toMatchObject({ waiting_reason: 'restriction' });
    await lift();
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({
      sent_count: 1,
      waiting_reason: null,
      waiting_until: null,
    });
  });

  it('go on by themselves when it ends, and not before', async () => {
    const end = secondsAgo(-4);
    await restrict(BIZ, end);
    const id = await started(account, template.name, [silent]);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 1, failed_count: 0 });
    const [only] = await world.simulator.ledger(account.phone.phoneNumberId);
    expect(Date.parse(String(only?.at))).toBeGreaterThanOrEqual(end * 1000);
  });

  it('stop when it has no end and nobody else is left, and go on with a resume once it is lifted', async () => {
    await restrict(BIZ);
    const id = await started(account, template.name, [silent, talking]);
    const { failure_reason } = await untilCampaign(account, id, 'failed');
    expect(await sent()).toEqual([talking]);
    expect(failure_reason).toMatch(
      new RegExp(`without an open service window \\(${BIZ}\\)\\. .*POST /api/v1/campaigns/${id}/resume$`),
    );
    const refused = await act(account, id, 'resume');
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(BIZ)]);
    await lift();
    expect((await act(account, id, 'resume')).status).toBe(200);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 2, failure_reason: null });
    expect((await recipientsOf(account, id)).map(({ attempts }) => attempts)).toEqual([1, 1]);
  });

  it('do not start when it has no end and nobody could be sent to (400)', async () => {
    await restrict(BIZ);
    const id = await draft(account, template.name, [silent]);
    const { status, body } = await act(account, id, 'send');
    expect([status, body.error, body.message]).toEqual([400, 'bad_request', expect.stringContaining(BIZ)]);
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'draft', waiting_reason: null });
  });

  it('are held when it is imposed while they run', async () => {
    account = await world.account({ credits: 100, throughput: 2 });
    template = await approvedTemplate(world, account, { category: 'MARKETING' });
    const id = await started(account, template.name, 60);
    await until('some are sent', async () => (await campaignOf(account, id)).sent_count > 1);
    await restrict(BIZ, TOMORROW);
    await until('it waits', async () => (await campaignOf(account, id))['waiting_reason'] === 'restriction');
    await untilIdle(world, account);
    const { sent_count } = await campaignOf(account, id);
    expect(sent_count).toBeLessThan(60);
    await until('every cache knows', async () => {
      const { body } = await account.api.get<BusinessPhoneListResponse>('/api/v1/business-phones/');
      return body.business_phones[0]?.restriction?.type === BIZ;
    });
    // As a race with a plan may leave one of them.
    await change(
      `UPDATE campaign_recipients SET due_at = NULL WHERE account_id = $1 AND campaign_id = $2 AND position = 59`,
      id,
    );
    await change('UPDATE campaigns SET opens_at = NULL WHERE account_id = $1 AND id = $2', id);
    await until('it waits again', async () => {
      const row = await world.unitOfWork.autocommit.row<{ dueAt: Date | null }>(
        'SELECT due_at FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 AND position = 59',
        [account.accountId, id],
      );
      return (row?.dueAt?.getTime() ?? 0) > Date.now();
    });
    expect(await campaignOf(account, id)).toMatchObject({ sent_count, failed_count: 0 });
    await world.unitOfWork.autocommit.affected('UPDATE business_phones SET throughput = 0 WHERE account_id = $1', [
      account.accountId,
    ]);
    await lift();
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 60, failed_count: 0 });
  });

  it('do not mind what is about replies, or announced only', async () => {
    await restrict(CUSTOMER);
    await notify({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } });
    const id = await started(account, template.name, [silent, talking]);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 2 });
  });

  it('do not start, and stop with the call that continues, while nothing at all may be sent', async () => {
    const id = await draft(account, template.name, [silent]);
    await notify({ event: 'PARTNER_APP_UNINSTALLED' });
    const { status, body } = await act(account, id, 'send');
    expect([status, body.message]).toEqual([400, expect.stringContaining('the app was uninstalled')]);
    await notify({ event: 'PARTNER_APP_INSTALLED' });
    const running = await started(account, template.name, [silent], {
      send_window: { from: clock(2), to: clock(3), timezone: 'UTC' },
    });
    await notify({ event: 'PARTNER_REMOVED' });
    await change(
      'UPDATE campaigns SET send_window = NULL, closes_at = now() WHERE account_id = $1 AND id = $2',
      running,
    );
    const { failure_reason } = await untilCampaign(account, running, 'failed');
    expect(failure_reason).toMatch(new RegExp(`POST /api/v1/campaigns/${running}/resume$`));
    expect(await sent()).toEqual([]);
  });
});

/** The UTC time some hours from now, as `HH:MM`. */
const clock = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
