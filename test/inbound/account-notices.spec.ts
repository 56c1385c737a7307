import { isDeepStrictEqual } from 'node:util';
import type { BusinessPhoneListResponse } from '../../src/business-phones/dto/business-phone-list.response.js';
import { openWindow, SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { postCallback, unhandledOf } from './inbound.js';

const BAN = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } };
const REINSTATEMENT = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } };
/** A notice of restrictions, each a type and its expiry in unix seconds. */
const restrictions = (...kinds: readonly (readonly [type: string, expiration?: unknown])[]) => ({
  event: 'ACCOUNT_RESTRICTION',
  restriction_info: kinds.map(([restriction_type, expiration]) => ({ restriction_type, expiration })),
});
const RESTRICTION = restrictions(['RESTRICTED_BIZ_INITIATED_MESSAGING', secondsAgo(-86_400)]);

describe('a notice about the business account', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
    await openWindow(world, account.phone, contact);
  });

  /** Sends a notice as the network does; `time` in unix seconds, omitted when undefined. */
  const notify = async (field: string, value: unknown, time?: unknown): Promise<void> => {
    const entry = { id: account.phone.wabaId, time, changes: [{ field, value }] };
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [entry] });
    expect((await postCallback(world, body)).status).toBe(200);
  };
  /** Why the business may not send; null if it may. */
  const restriction = async (): Promise<string | null | undefined> =>
    (
      await world.unitOfWork.autocommit.row<{ restriction: string | null }>(
        'SELECT coalesce(ban, restriction) AS restriction FROM business_accounts WHERE account_id = $1',
        [account.accountId],
      )
    )?.restriction;

  it('changes nothing when a newer one is in force', async () => {
    await notify('account_update', REINSTATEMENT, secondsAgo(10));
    await notify('account_update', BAN, secondsAgo(60));
    expect(await restriction()).toBeNull();
    const sent = await account.api.post(SEND_MESSAGE, { contact_phone: contact, message_type: 'text', message: 'Hi' });
    expect(sent.status).toBe(200);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });

  it.each([
    ['in order', [0, 1, 2]],
    ['newest first', [2, 1, 0]],
    ['with the newest in the middle', [0, 2, 1]],
    ['twice each', [1, 2, 0, 2, 1, 0]],
  ])('leaves the newest of three in force when they arrive %s', async (_, order) => {
    const notices = [
      { value: BAN, time: secondsAgo(30) },
      { value: REINSTATEMENT, time: secondsAgo(20) },
      { value: RESTRICTION, time: secondsAgo(10) },
    ];
    for (const index of order) {
      const notice = notices[index];
      await notify('account_update', notice?.value, notice?.time);
    }
    expect(await restriction()).toContain('RESTRICTED_BIZ_INITIATED_MESSAGING');
  });

  it('wins over another of the same second by arriving later', async () => {
    const time = secondsAgo(10);
    await notify('account_update', BAN, time);
    await notify('account_update', REINSTATEMENT, String(time));
    expect(await restriction()).toBeNull();
    await notify('account_update', BAN, time);
    expect(await restriction()).toBe('the business account was disabled by the network');
  });

  it.each([
    ['no time', undefined],
    ['a malformed time', 'yesterday'],
    ['a time in milliseconds', Date.now()],
    ['a time in the future', secondsAgo(-86_400)],
  ])('with %s counts from its arrival', async (_, time) => {
    await notify('account_update', REINSTATEMENT, secondsAgo(1));
    await notify('account_update', BAN, time);
    expect(await restriction()).toBe('the business account was disabled by the network');
    // A notice dated in the future must not override later ones.
    await notify('account_update', REINSTATEMENT);
    expect(await restriction()).toBeNull();
    await notify('account_update', BAN, secondsAgo(30));
    expect(await restriction()).toBeNull();
  });

  it('is in force when it is the newest of many concurrent ones', async () => {
    const newest = secondsAgo(0);
    const notices = Array.from({ length: 20 }, (_, n) => ({ value: n % 2 ? BAN : REINSTATEMENT, time: newest - n }));
    await Promise.all(notices.map(({ value, time }) => notify('account_update', value, time)));
    expect(await restriction()).toBeNull();
  });

  /** Cached phones may allow sends for up to a second after a notice. */
  const refused = () => until('sends are refused', async () => (await freeForm()).body['error'] === 'network_rejected');
  const freeForm = () =>
    account.api.post(SEND_MESSAGE, { contact_phone: contact, message_type: 'text', message: 'Hi' });

  it.each([
    ['is about something else than messaging', restrictions(['RESTRICTED_ADD_PHONE_NUMBER_ACTION'])],
    ['says nothing about its type', { event: 'ACCOUNT_RESTRICTION' }],
  ])('changes nothing when it %s', async (_, notice) => {
    await notify('account_update', notice);
    expect(await restriction()).toBeNull();
    expect((await freeForm()).status).toBe(200);
    expect(await unhandledOf(world, account.accountId)).toMatchObject([{ field: 'account_update' }]);
    // Nor does it lift a restriction.
    await notify('account_update', BAN);
    await notify('account_update', notice);
    expect(await restriction()).toBe('the business account was disabled by the network');
  });

  it.each([
    ['in order', [0, 1, 2]],
    ['newest first', [2, 1, 0]],
    ['with the ban in the middle', [1, 0, 2]],
  ])('of a restriction does not end a ban, whether it expires or is lifted, when they arrive %s', async (_, order) => {
    const notices = [
      { value: BAN, time: secondsAgo(30) },
      { value: restrictions(['RESTRICTED_BIZ_INITIATED_MESSAGING', secondsAgo(15)]), time: secondsAgo(20) },
      { value: restrictions(), time: secondsAgo(10) },
    ];
    for (const index of order) {
      const notice = notices[index];
      await notify('account_update', notice?.value, notice?.time);
    }
    await refused();
    await notify('account_update', REINSTATEMENT, secondsAgo(5));
    await until('sends work again', async () => (await freeForm()).status === 200);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });

  it('names the restrictions of messaging only, until the last of them expires', async () => {
    const [tomorrow, later] = [secondsAgo(-86_400), secondsAgo(-172_800)];
    await notify(
      'account_update',
      restrictions(
        ['RESTRICTED_BIZ_INITIATED_MESSAGING', String(later)],
        ['RESTRICTED_CUSTOMER_INITIATED_MESSAGING', tomorrow],
        ['RESTRICTED_ADD_PHONE_NUMBER_ACTION'],
      ),
    );
    expect(await restriction()).toBe(
      'the network has restricted the business account (RESTRICTED_BIZ_INITIATED_MESSAGING, ' +
        `RESTRICTED_CUSTOMER_INITIATED_MESSAGING) until ${new Date(later * 1000).toISOString()}`,
    );
    await notify('account_update', restrictions(['RESTRICTED_BIZ_INITIATED_MESSAGING', 1e300]));
    expect(await restriction()).toContain('9999-12-31');
    await notify('account_update', restrictions(['RESTRICTED_BIZ_INITIATED_MESSAGING', 'soon']));
    expect(await restriction()).toBe(
      'the network has restricted the business account (RESTRICTED_BIZ_INITIATED_MESSAGING)',
    );
    await refused();
  });

  it('blocks nothing after its expiry', async () => {
    await notify('account_update', restrictions(['RESTRICTED_BIZ_INITIATED_MESSAGING', 1]));
    expect((await freeForm()).status).toBe(200);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });

  it('stops sends and campaigns until its expiry, with no further notice', async () => {
    const { name } = await approvedTemplate(world, account);
    const { body: created } = await account.api.post('/api/v1/campaigns/', {
      name: 'Held',
      template_name: name,
      contacts: [{ phone: contact }],
    });
    const campaign = `/api/v1/campaigns/${created['campaign_id']}`;
    const state = async () => (await account.api.get<{ campaign: Record<string, unknown> }>(campaign)).body.campaign;
    // Paused, so that it is the restriction that stops it.
    await world.unitOfWork.autocommit.affected('UPDATE campaigns SET paused = true WHERE account_id = $1', [
      account.accountId,
    ]);
    expect((await account.api.post(`${campaign}/send`)).status).toBe(202);
    await notify('account_update', restrictions(['RESTRICTED_CUSTOMER_INITIATED_MESSAGING', secondsAgo(-86_400)]));
    await refused();
    await world.unitOfWork.autocommit.affected('UPDATE campaigns SET paused = false WHERE account_id = $1', [
      account.accountId,
    ]);
    await until('the campaign has stopped', async () => (await state())['campaign_status'] === 'failed');
    expect((await state())['failure_reason']).toMatch(/RESTRICTED_CUSTOMER_INITIATED_MESSAGING\) until /);
    expect((await account.api.post(`${campaign}/resume`)).status).toBe(400);

    await world.unitOfWork.autocommit.affected(
      `UPDATE business_accounts SET restriction_expires_at = now() + interval '2 seconds' WHERE account_id = $1`,
      [account.accountId],
    );
    await until('sends work again', async () => (await freeForm()).status === 200);
    expect((await account.api.post(`${campaign}/resume`)).status).toBe(200);
    await until('the campaign is completed', async () => (await state())['campaign_status'] === 'completed');
    expect(await state()).toMatchObject({ sent_count: 1, failed_count: 0 });
  });

  const shown = async (of = account) => {
    const { body } = await of.api.get<BusinessPhoneListResponse>('/api/v1/business-phones/');
    return body.business_phones.map(({ throughput, messaging_limit }) => ({ throughput, messaging_limit }));
  };
  const limits = async (...expected: (number | null)[]) =>
    until('the limits are shown', async () =>
      isDeepStrictEqual(
        (await shown()).map(({ messaging_limit }) => messaging_limit),
        expected,
      ),
    );

  it('about capabilities sets the messaging limit of the account’s phones, unless it is outdated', async () => {
    const capability = (limit: unknown) => ({ max_daily_conversations_per_business: limit });
    await notify('business_capability_update', capability(2000), secondsAgo(20));
    await limits(2000);
    await notify('business_capability_update', capability(-1), secondsAgo(10));
    await limits(-1);
    await notify('business_capability_update', capability(250), secondsAgo(60));
    await notify('business_capability_update', capability('TIER_10K'));
    await limits(10_000);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
    await notify('business_capability_update', capability('none'));
    await limits(10_000);
    expect(await unhandledOf(world, account.accountId)).toHaveLength(1);
  });

  it('about a phone’s throughput raises only the default', async () => {
    const [standard, chosen] = [await world.account({ throughput: 80 }), await world.account({ throughput: 20 })];
    for (account of [standard, chosen]) {
      const { display } = account.phones[0] ?? { display: '' };
      await notify('phone_number_quality_update', { display_phone_number: `+${display}`, event: 'THROUGHPUT_UPGRADE' });
    }
    await until('it is raised', async () => (await shown(standard))[0]?.throughput === 1000);
    expect(await shown(chosen)).toMatchObject([{ throughput: 20 }]);
    expect(await unhandledOf(world, chosen.accountId)).toEqual([]);
  });
});
