import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { CUSTOMER, PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

const BODY = [{ type: 'BODY', text: 'Hello' }];
const WRITER = '4915112345679';
const text = (to: string) => ({ to, type: 'text', text: { body: 'hi' } });
const now = () => Math.floor(Date.now() / 1000);

describe('restrictions of accounts on the simulated network', () => {
  let network: SimulatedNetwork;
  let receiver: CallbackReceiver;
  let useful = '';

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    receiver = network.receiver;
    await network.approved('offer', BODY);
    useful = await network.approved('useful', BODY, { category: 'UTILITY' });
  });
  afterAll(() => network.stop());
  beforeEach(async () => {
    await network.reset();
    await network.inbound(WRITER);
    receiver.callbacks.length = 0;
  });

  const restrict = (type: string, more: object = {}) =>
    network.call<{ restrictions: object[]; callback_status?: number; message?: string }>('POST', '/_sim/restrictions', {
      type,
      ...more,
    });
  const notices = () =>
    receiver.changes.filter(({ field }) => field === 'account_update').map(({ value }) => value as object);
  /** The codes with which a template to a stranger, the same to a writer, and a reply are refused. */
  const codes = async (name = 'offer') =>
    [
      await network.sendTemplate(name),
      await network.sendTemplate(name, [], WRITER),
      await network.post(text(WRITER)),
    ].map(({ body }) => body.error?.code);
  const FREE = [undefined, undefined, undefined];

  it.each([
    ['RESTRICTED_BIZ_INITIATED_MESSAGING', [368, undefined, undefined]],
    ['RESTRICTED_CUSTOMER_INITIATED_MESSAGING', [undefined, 368, 368]],
    ['RESTRICTED_ADD_PHONE_NUMBER_ACTION', FREE],
  ])('%s: notice, refusals %j, and an end', async (type, refused) => {
    const { body } = await restrict(type);
    expect(body).toMatchObject({ restrictions: [{ type }], callback_status: 200 });
    const restriction_info = [
      { restriction_type: type, expiration: expect.any(Number), remediation: expect.any(String) },
    ];
    expect(notices()).toEqual([{ event: 'ACCOUNT_RESTRICTION', restriction_info }]);
    expect(await codes()).toEqual(refused);
    await restrict(type, { expiration: now() - 1 });
    expect(await codes()).toEqual(FREE);
  });

  it('DISABLE refuses all messages until REINSTATE', async () => {
    await restrict('DISABLE');
    expect(await codes()).toEqual([131031, 131031, 131031]);
    await restrict('DISABLE', { lift: true });
    expect(await codes()).toEqual(FREE);
    expect(notices()).toEqual(
      ['DISABLE', 'REINSTATE'].map((waba_ban_state) => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state } })),
    );
  });

  it('SCHEDULE_FOR_DISABLE announces a ban, which comes at its time', async () => {
    await restrict('SCHEDULE_FOR_DISABLE');
    expect(await codes()).toEqual(FREE);
    const ban_info = {
      waba_ban_state: 'SCHEDULE_FOR_DISABLE',
      waba_ban_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    };
    expect(notices()).toEqual([{ event: 'DISABLED_UPDATE', ban_info }]);
    await restrict('SCHEDULE_FOR_DISABLE', { expiration: now() });
    expect(await codes()).toEqual([131031, 131031, 131031]);
  });

  it('RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING leaves a number of utility templates', async () => {
    await restrict('RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING', { limit: 1 });
    expect(await codes('offer')).toEqual(FREE);
    expect(await codes('useful')).toEqual([undefined, 131064, undefined]);
    await restrict('RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING', { lift: true });
    expect(await codes('useful')).toEqual(FREE);
    const violation_info = { violation_type: 'UTILITY_TEMPLATE_ABUSE' };
    expect(notices()).toMatchObject([
      { event: 'ACCOUNT_RESTRICTION', violation_info },
      { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE_RATE_LIMIT_RECOVERY' } },
    ]);
  });

  it('RESTRICTED_UTILITY_TEMPLATES makes all of them marketing, and refuses new ones until it is lifted', async () => {
    await restrict('RESTRICTED_UTILITY_TEMPLATES');
    const { body } = await network.call<{ category: string }>('GET', `/v23.0/${useful}`);
    expect(body.category).toBe('MARKETING');
    await until('the category is reported', () =>
      receiver.changes.some(({ field }) => field === 'template_category_update'),
    );
    expect((await network.create('another', BODY, { category: 'UTILITY' })).body.error.code).toBe(100);
    expect((await network.create('another', BODY)).status).toBe(200);
    await restrict('RESTRICTED_UTILITY_TEMPLATES', { lift: true });
    expect((await network.create('useful_again', BODY, { category: 'UTILITY' })).status).toBe(200);
  });

  it('UTILITY_TEMPLATE_ABUSE only warns', async () => {
    await restrict('UTILITY_TEMPLATE_ABUSE');
    expect(notices()).toEqual([
      { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE' } },
    ]);
    expect(await codes()).toEqual(FREE);
  });

  it('ACCOUNT_OFFBOARDED takes the phones off the platform until ACCOUNT_RECONNECTED', async () => {
    await restrict('ACCOUNT_OFFBOARDED');
    expect(await codes()).toEqual([133010, 133010, 133010]);
    await restrict('ACCOUNT_OFFBOARDED', { lift: true });
    expect(await codes()).toEqual(FREE);
    expect(notices()).toEqual([{ event: 'ACCOUNT_OFFBOARDED' }, { event: 'ACCOUNT_RECONNECTED' }]);
  });

  it.each(['ACCOUNT_DELETED', 'PARTNER_REMOVED', 'PARTNER_APP_UNINSTALLED'])(
    '%s hides the account, its phones and templates',
    async (type) => {
      await restrict(type);
      expect(notices()).toEqual([{ event: type }]);
      expect(await codes()).toEqual([100, 100, 100]);
      for (const path of [PHONE, WABA, `${WABA}/message_templates`, `${WABA}/phone_numbers`, useful]) {
        const { body } = await network.call('GET', `/v23.0/${path}`);
        expect(body).toMatchObject({ error: { code: 100, error_subcode: 33 } });
      }
      await restrict(type, { lift: true });
      expect(await codes()).toEqual(FREE);
    },
  );

  it('are kept over a restart, but not over a reset', async () => {
    await restrict('DISABLE', { notify: false });
    expect(notices()).toEqual([]);
    await network.restart();
    expect(await codes()).toEqual([131031, 131031, 131031]);
    await network.reset();
    await network.inbound(WRITER);
    expect(await codes()).toEqual(FREE);
  });

  it.each([
    ['an unknown type', 'BLOCKED', {}],
    ['an unknown account', 'DISABLE', { waba_id: '1' }],
    ['an end that is no time', 'DISABLE', { expiration: 'soon' }],
    ['a limit below 0', 'RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING', { limit: -1 }],
    ['a lift that is no boolean', 'DISABLE', { lift: 'yes' }],
  ])('are refused with %s (400)', async (_what, type, more) => {
    expect((await restrict(type, more)).status).toBe(400);
    expect(await network.sendTemplate('offer', [], CUSTOMER)).toMatchObject({ status: 200 });
  });
});
