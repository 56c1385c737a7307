import { isDeepStrictEqual } from 'node:util';
import { inForce, type StoredRestrictions } from '../../src/accounts/restrictions.js';
import type { BusinessPhoneListResponse } from '../../src/business-phones/dto/business-phone-list.response.js';
import { openWindow, SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { crowdOf } from '../support/crowd.js';
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
  /** Times before `now`, unix seconds, however long the notices between them take. */
  const since =
    (now: number) =>
    (ago: number): number =>
      now - ago;
  /** The types of the restrictions in force, the strictest first. */
  const inForceNow = async (): Promise<string[]> => {
    const row = await world.unitOfWork.autocommit.row<{ restrictions: StoredRestrictions }>(
      'SELECT restrictions FROM business_accounts WHERE account_id = $1',
      [account.accountId],
    );
    return inForce(row?.restrictions ?? {}, new Date()).map(({ type }) => type);
  };

  it('changes nothing when a newer one is in force', async () => {
    const at = since(secondsAgo(0));
    await notify('account_update', REINSTATEMENT, at(10));
    await notify('account_update', BAN, at(60));
    expect(await inForceNow()).toEqual([]);
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
    expect(await inForceNow()).toEqual(['RESTRICTED_BIZ_INITIATED_MESSAGING']);
  });

  it('wins over another of the same second by arriving later', async () => {
    const time = secondsAgo(10);
    await notify('account_update', BAN, time);
    await notify('account_update', REINSTATEMENT, String(time));
    expect(await inForceNow()).toEqual([]);
    await notify('account_update', BAN, time);
    expect(await inForceNow()).toEqual(['DISABLE']);
  });

  it.each([
    ['no time', undefined],
    ['a malformed time', 'yesterday'],
    ['a time in milliseconds', Date.now()],
    ['a time in the future', secondsAgo(-86_400)],
  ])('with %s counts from its arrival', async (_, time) => {
    const at = since(secondsAgo(0));
    await notify('account_update', REINSTATEMENT, at(1));
    await notify('account_update', BAN, time);
    expect(await inForceNow()).toEqual(['DISABLE']);
    // A notice dated in the future must not override later ones.
    await notify('account_update', REINSTATEMENT);
    expect(await inForceNow()).toEqual([]);
    await notify('account_update', BAN, at(30));
    expect(await inForceNow()).toEqual([]);
  });

  it('is in force when it is the newest of many concurrent ones', async () => {
    const newest = secondsAgo(0);
    const notices = Array.from({ length: 20 }, (_, n) => ({ value: n % 2 ? BAN : REINSTATEMENT, time: newest - n }));
    await crowdOf(notices, ({ value, time }) => notify('account_update', value, time));
    expect(await inForceNow()).toEqual([]);
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
    expect(await inForceNow()).toEqual([]);
    expect((await freeForm()).status).toBe(200);
    expect(await unhandledOf(world, account.accountId)).toMatchObject([{ field: 'account_update' }]);
    // Nor does it lift a restriction.
    await notify('account_update', BAN);
    await notify('account_update', notice);
    expect(await inForceNow()).toEqual(['DISABLE']);
  });

  it.each([
    ['in order', [0, 1, 2]],
    ['newest first', [2, 1, 0]],
    ['with the ban in the middle', [1, 0, 2]],
  ])('of a restriction does not end a ban, whether it expires or is lifted, when they arrive %s', async (_, order) => {
    const notices = [
      { value: BAN, time: secondsAgo(30) },
      { value: restrictions(['RESTRICTED_CUSTOMER_INITIATED_MESSAGING', secondsAgo(15)]), time: secondsAgo(20) },
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

  const BIZ = 'RESTRICTED_BIZ_INITIATED_MESSAGING';
  const CUSTOMER = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING';
  const LIMITED = 'RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING';
  const UTILITY = 'RESTRICTED_UTILITY_TEMPLATES';
  const violation = (violation_type: string) => ({ event: 'ACCOUNT_VIOLATION', violation_info: { violation_type } });

  it('adds to the restrictions of other notices, until each of them ends', async () => {
    const tomorrow = secondsAgo(-86_400);
    const at = since(secondsAgo(0));
    await notify('account_update', restrictions([BIZ, tomorrow], ['RESTRICTED_ADD_PHONE_NUMBER_ACTION']), at(40));
    await notify('account_update', restrictions([CUSTOMER], [UTILITY], [LIMITED, 'soon']), at(30));
    expect(await inForceNow()).toEqual([BIZ, CUSTOMER, UTILITY, LIMITED]);
    await notify('account_update', restrictions([CUSTOMER, 1]), at(20));
    expect(await inForceNow()).toEqual([BIZ, UTILITY, LIMITED]);
    await notify('account_update', violation('UTILITY_TEMPLATE_ABUSE_UNBAN'), at(10));
    await notify('account_update', violation('UTILITY_TEMPLATE_ABUSE_RATE_LIMIT_RECOVERY'), at(35));
    expect(await inForceNow()).toEqual([BIZ, LIMITED]);
    await notify('account_update', violation('UTILITY_TEMPLATE_ABUSE_RATE_LIMIT_RECOVERY'), at(10));
    expect(await inForceNow()).toEqual([BIZ]);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
    // A warning changes nothing.
    await notify('account_update', violation('UTILITY_TEMPLATE_ABUSE'));
    expect(await unhandledOf(world, account.accountId)).toHaveLength(1);
    await notify('account_update', restrictions());
    expect(await inForceNow()).toEqual([]);
  });

  it('that lists a restriction twice is in force until the last of them expires', async () => {
    await notify('account_update', restrictions([BIZ, secondsAgo(-86_400)], [BIZ, 1]));
    expect(await inForceNow()).toEqual([BIZ]);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
    await notify('account_update', { event: 'constructor' });
    expect(await unhandledOf(world, account.accountId)).toHaveLength(1);
  });

  it('changes only the types that it tells something newer about', async () => {
    const at = since(secondsAgo(0));
    await notify('account_update', restrictions(), at(20));
    await notify('account_update', restrictions([BIZ]), at(30));
    expect(await inForceNow()).toEqual([]);
    await notify('account_update', BAN, at(30));
    expect(await inForceNow()).toEqual(['DISABLE']);
    await notify('account_update', restrictions([BIZ]), at(10));
    await notify('account_update', REINSTATEMENT, at(15));
    expect(await inForceNow()).toEqual([BIZ]);
  });

  it.each([
    ['ACCOUNT_OFFBOARDED', 'ACCOUNT_RECONNECTED'],
    ['PARTNER_APP_UNINSTALLED', 'PARTNER_APP_INSTALLED'],
    ['PARTNER_REMOVED', 'PARTNER_ADDED'],
    ['ACCOUNT_OFFBOARDED', 'PARTNER_ADDED'],
  ])('of %s blocks everything until %s', async (lost, restored) => {
    await notify('account_update', { event: lost }, secondsAgo(20));
    expect(await inForceNow()).toEqual([lost]);
    await refused();
    // A ban is another matter.
    await notify('account_update', REINSTATEMENT, secondsAgo(15));
    expect(await inForceNow()).toEqual([lost]);
    await notify('account_update', { event: restored }, secondsAgo(10));
    await until('sends work again', async () => (await freeForm()).status === 200);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });

  it('about partners is about the business account that it names', async () => {
    const entry = {
      id: '7000000000000001',
      changes: [
        {
          field: 'account_update',
          value: { event: 'PARTNER_REMOVED', waba_info: { waba_id: account.phone.wabaId, owner_business_id: '1' } },
        },
      ],
    };
    await postCallback(world, JSON.stringify({ object: 'whatsapp_business_account', entry: [entry] }));
    expect(await inForceNow()).toEqual(['PARTNER_REMOVED']);
  });

  const shownRestriction = async () => {
    const { body } = await account.api.get<BusinessPhoneListResponse>('/api/v1/business-phones/');
    return body.business_phones[0]?.restriction;
  };

  it('shows at the phone, the strictest first', async () => {
    const tomorrow = secondsAgo(-86_400);
    expect(await shownRestriction()).toBeNull();
    const scheduled = { waba_ban_state: ['SCHEDULE_FOR_DISABLE'], waba_ban_date: 'November 28, 2026' };
    await notify('account_update', { event: 'DISABLED_UPDATE', ban_info: scheduled }, secondsAgo(40));
    await until('it shows', async () =>
      isDeepStrictEqual(await shownRestriction(), {
        type: 'SCHEDULE_FOR_DISABLE',
        reason: 'the network is going to disable the business account: November 28, 2026',
        until: null,
      }),
    );
    expect((await freeForm()).status).toBe(200);
    const info = { restriction_type: CUSTOMER, expiration: tomorrow, remediation: 'Appeal' };
    await notify('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info: [info] }, secondsAgo(30));
    await until('the restriction shows', async () =>
      isDeepStrictEqual(await shownRestriction(), {
        type: CUSTOMER,
        reason: 'the network refuses replies: Appeal',
        until: new Date(tomorrow * 1000).toISOString(),
      }),
    );
    await notify('account_update', BAN, secondsAgo(20));
    await until('the ban shows', async () => (await shownRestriction())?.type === 'DISABLE');
    await notify('account_update', REINSTATEMENT, secondsAgo(10));
    await until('nothing shows', async () => (await shownRestriction()) === null);
  });

  it('blocks nothing after its expiry', async () => {
    await notify('account_update', restrictions([CUSTOMER, 1]));
    expect((await freeForm()).status).toBe(200);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
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
    const at = since(secondsAgo(0));
    await notify('business_capability_update', capability(2000), at(20));
    await limits(2000);
    await notify('business_capability_update', capability(-1), at(10));
    await limits(-1);
    await notify('business_capability_update', capability(250), at(60));
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
