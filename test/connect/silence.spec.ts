import { findTraffic } from '../../src/connect/phone-traffic.queries.js';
import { SilentPhonesSweep } from '../../src/connect/silent-phones.sweep.js';
import { newRecordId } from '../../src/values/record-id.js';
import { act, started, untilCampaign } from '../campaigns/campaigns.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

const MINUTE = 60_000;

describe('a phone that sends and gets no report', () => {
  let world: World;
  const now = new Date();
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE);

  beforeAll(async () => {
    world = await World.start({ env: { METRICS_PORT: '0' } });
  });
  afterAll(() => world.stop());

  /** A message with an id of the time at which it was accepted. */
  const sent = async ({ accountId, phone }: TestAccount, at: Date, seen: number, times: object = {}) => {
    const id = newRecordId();
    const digits = at.getTime().toString(16).padStart(12, '0');
    const { sent_at = null } = times as { sent_at?: Date };
    await world.unitOfWork.autocommit.affected(
      `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status, seen, accepted_at, sent_at)
       VALUES ($1, $2, 'out', $3, $4, 'text', 'accepted', $5, $6, $7)`,
      [
        accountId,
        `${digits.slice(0, 8)}-${digits.slice(8)}${id.slice(13)}`,
        newRecordId(),
        phone.id,
        seen,
        at,
        sent_at,
      ],
    );
  };
  const silentSince = async ({ accountId, phone }: TestAccount) =>
    (await findTraffic(accountId, now, world.unitOfWork.autocommit)).get(phone.id)?.silentSince ?? null;

  it('is silent after an hour, not before', async () => {
    const account = await world.account();
    await sent(account, ago(59), 1);
    expect(await silentSince(account)).toBeNull();
    await sent(account, ago(61), 1);
    expect(await silentSince(account)).toEqual(ago(61));
  });

  it('is unpaid when a campaign was refused for it, until that is resumed', async () => {
    const account = await world.account({ credits: 10 });
    const { name } = await approvedTemplate(world, account);
    const unpaidAt = async () =>
      (await findTraffic(account.accountId, new Date(), world.unitOfWork.autocommit)).get(account.phone.id)?.unpaidAt;
    const [{ phoneNumberId, wabaId, display }] = account.phones as [(typeof account.phones)[number]];
    await world.simulator.addPhone(phoneNumberId, wabaId, display, { error_code: 131042 });
    const id = await started(account, name, 2);
    await untilCampaign(account, id, 'failed');
    expect(await unpaidAt()).toBeInstanceOf(Date);
    await world.simulator.addPhone(phoneNumberId, wabaId, display);
    expect((await act(account, id, 'resume')).status).toBe(200);
    await untilCampaign(account, id, 'completed');
    expect(await unpaidAt()).toBeNull();
  });

  it('is not silent while reports come, or messages are held back', async () => {
    const reported = await world.account();
    await sent(reported, ago(120), 5, { sent_at: ago(119) });
    await sent(reported, ago(90), 5, { sent_at: ago(89) });
    expect(await silentSince(reported)).toBeNull();
    const lost = await world.account();
    await sent(lost, ago(90), 1);
    await sent(lost, ago(30), 5, { sent_at: ago(29) });
    expect(await silentSince(lost)).toBeNull();
    const held = await world.account();
    await sent(held, ago(90), 2);
    expect(await silentSince(held)).toBeNull();
  });

  it('is silent when the reports have stopped', async () => {
    const account = await world.account();
    await sent(account, ago(300), 5, { sent_at: ago(299) });
    await sent(account, ago(70), 1);
    expect(await silentSince(account)).toEqual(ago(70));
  });

  it('is counted by parley_silent_phones', async () => {
    const sweep = world.parley.app.get(SilentPhonesSweep, { strict: false });
    const counted = async () => {
      const scrape = await (await fetch(`${world.parley.operationsUrl}/metrics`)).text();
      const value = /^parley_silent_phones (\d+)$/m.exec(scrape)?.[1];
      return value === undefined ? null : Number(value);
    };
    await until('this process runs the sweeps', async () => (await counted()) !== null);
    const swept = async () => {
      // A round that is running has begun before.
      await sweep.run();
      await until('a whole round has run', () => sweep.run());
      return Number(await counted());
    };
    const before = await swept();
    const [silent, other] = [await world.account(), await world.account()];
    await sent(silent, new Date(Date.now() - 70 * MINUTE), 1);
    await sent(other, new Date(Date.now() - 70 * MINUTE), 5, { sent_at: new Date() });
    await eventually(async () => expect(await swept()).toBe(before + 1));
    expect((await silent.api.delete(`/api/v1/business-phones/${silent.phone.id}`)).status).toBe(200);
    await until('a removed phone is no longer counted', async () => (await swept()) === before);
  });

  it('is named by its health, while /health/ready stays 200', async () => {
    const account = await world.account();
    await sent(account, new Date(Date.now() - 70 * MINUTE), 1);
    const { body } = await account.api.get<{ checks: { check: string; result: string }[] }>(
      `/api/v1/business-phones/${account.phone.id}/health`,
    );
    expect(body.checks).toContainEqual(expect.objectContaining({ check: 'reports', result: 'failed' }));
    await eventually(async () => expect((await fetch(`${world.baseUrl}/health/ready`)).status).toBe(200));
  });
});
