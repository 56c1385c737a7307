import { newRecordId } from '../../src/values/record-id.js';
import { unhandledOf } from '../inbound/inbound.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { countersOf, type SentCampaign, sendCampaign } from './campaign-messages.js';
import { HeldNetwork } from './held-network.js';
import {
  eventsOf,
  kindsOf,
  NAIVE,
  naive,
  type Report,
  recordOf,
  report,
  SEND,
  secondsAgo,
  untilStatus,
} from './messages.js';

const UNDELIVERABLE = [
  { code: 131026, title: 'Message undeliverable', message: 'x', error_data: { details: 'No such account.' } },
];
/** Unix seconds of the first report of a test. */
const T0 = secondsAgo(60);
const at = (seconds: number): string => String(T0 + seconds);
const naiveAt = (seconds: number): string => naive((T0 + seconds) * 1000);

describe('a message’s status', () => {
  let network: HeldNetwork;
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    network = await HeldNetwork.start();
    world = await World.start({ env: { NETWORK_BASE_URL: network.url, NETWORK_TIMEOUT_MS: '60000' } });
    network.simulator = world.simulator.url;
  });
  afterAll(async () => {
    await world.stop();
    await network.stop();
  });
  beforeEach(async () => {
    await world.simulator.behave({ statuses: [], status_delay_ms: 10 });
    account = await world.account({ phones: 2 });
  });

  const sendReports = (...reports: Report[]) => report(world, account.phone.phoneNumberId, ...reports);

  /** Sends a single message that the network accepts. */
  async function sent(contact_phone = uniquePhone()) {
    const { name } = await approvedTemplate(world, account);
    const { body } = await account.api.post(SEND, { template_name: name, contact_phone });
    const id = String(body['message_id']);
    const [accepted] = (await world.simulator.ledger(account.phone.phoneNumberId)).slice(-1);
    const networkId = String(accepted?.id);
    const named = { id: networkId, biz_opaque_callback_data: id };
    return { id, networkId, named, contact: contact_phone };
  }

  describe('of a single message', () => {
    it('is sent when the network accepts, then delivered, then read; each report emits its event', async () => {
      const { id, named, contact } = await sent();
      for (const [index, status] of ['sent', 'delivered', 'read'].entries()) {
        expect(await sendReports({ ...named, status, timestamp: at(index) })).toBe(200);
      }
      expect(await recordOf(account, id)).toMatchObject({ status: 'read', error_code: null });
      const payload = (event: string, previous_status: string, status_timestamp: unknown) => ({
        event: `message.${event}`,
        timestamp: expect.stringMatching(NAIVE),
        campaign_id: null,
        campaign_name: null,
        message: {
          message_id: id,
          contact_phone: contact,
          contact_name: expect.stringMatching(/^User #\d{6}$/),
          status: event,
          previous_status,
          status_timestamp,
        },
      });
      expect(await eventsOf(world, account)).toEqual([
        payload('sent', 'pending', expect.stringMatching(NAIVE)),
        payload('delivered', 'sent', naiveAt(1)),
        payload('read', 'delivered', naiveAt(2)),
      ]);
    });

    it('is found by the network’s id when a report does not carry ours', async () => {
      const { id, networkId } = await sent();
      await sendReports({ id: networkId, status: 'delivered' });
      expect(await recordOf(account, id)).toMatchObject({ status: 'delivered' });
      await sendReports({ id: networkId, status: 'read', biz_opaque_callback_data: 'somebody else’s' });
      expect(await recordOf(account, id)).toMatchObject({ status: 'read' });
      await sendReports({
        id: networkId,
        status: 'failed',
        biz_opaque_callback_data: newRecordId(),
        errors: UNDELIVERABLE,
      });
      expect(await kindsOf(world, account)).toContain('message.failed');
    });

    it('counts duplicates once, in one callback or several', async () => {
      const { named } = await sent();
      const delivered = { ...named, status: 'delivered' };
      await sendReports(delivered, delivered);
      await Promise.all([sendReports(delivered), sendReports(delivered), sendReports(delivered)]);
      expect(await kindsOf(world, account)).toEqual(['message.sent', 'message.delivered']);
    });

    it('only moves forward, whatever the order of the reports', async () => {
      const { id, named } = await sent();
      for (const [status, time] of [
        ['read', 2],
        ['sent', 0],
        ['delivered', 1],
      ] as const) {
        await sendReports({ ...named, status, timestamp: at(time) });
      }
      const record = await recordOf(account, id);
      expect(record.status).toBe('read');
      expect(record.timeline.map(({ status }) => status).filter((status) => status !== 'accepted')).toEqual(
        expect.arrayContaining(['pending', 'sent', 'delivered', 'read']),
      );
      expect(await eventsOf(world, account)).toMatchObject([
        { event: 'message.sent', message: { previous_status: 'pending' } },
        { event: 'message.read', message: { previous_status: 'sent' } },
        { event: 'message.delivered', message: { previous_status: 'read', status: 'delivered' } },
      ]);
    });

    it('is failed with error_code and error_message when delivery fails', async () => {
      const { id, named } = await sent();
      await sendReports({ ...named, status: 'failed', timestamp: at(1), errors: UNDELIVERABLE });
      const words = expect.stringMatching(/^the message cannot be delivered to this recipient.*No such account/);
      expect(await recordOf(account, id)).toMatchObject({
        status: 'failed',
        error_code: 131026,
        error_message: words,
      });
      const [, failed] = await eventsOf(world, account);
      expect(failed).toMatchObject({
        event: 'message.failed',
        message: { status: 'failed', previous_status: 'sent', error_code: 131026, error_message: words },
      });
    });

    it('is failed as well without a reason, or with a non-numeric one', async () => {
      for (const errors of [undefined, [], [{ code: 'x' }], [{ code: 1e12 }], [{ code: 1.5 }]]) {
        const { id, named } = await sent();
        await sendReports({ ...named, status: 'failed', ...(errors ? { errors } : {}) });
        expect(await recordOf(account, id)).toMatchObject({ status: 'failed', error_code: 900009 });
      }
    });

    it('stays delivered when it fails afterwards, but emits message.failed', async () => {
      const { id, named } = await sent();
      await sendReports({ ...named, status: 'delivered' });
      await sendReports({ ...named, status: 'failed', errors: UNDELIVERABLE });
      expect(await recordOf(account, id)).toMatchObject({ status: 'delivered', error_code: null });
      expect((await eventsOf(world, account)).at(-1)).toMatchObject({
        event: 'message.failed',
        message: { status: 'failed', previous_status: 'delivered', error_code: 131026 },
      });
    });

    it('treats played as read, once', async () => {
      const { id, named } = await sent();
      await sendReports({ ...named, status: 'played' });
      await sendReports({ ...named, status: 'read' });
      expect(await recordOf(account, id)).toMatchObject({ status: 'read' });
      expect(await kindsOf(world, account)).toEqual(['message.sent', 'message.read']);
    });

    it('is not changed by a report that names another phone, alone or next to a valid one', async () => {
      const { id, networkId, named } = await sent();
      const [, second] = account.phones;
      const other = (await world.account()).phone;
      for (const phone of [second, other]) {
        await report(
          world,
          String(phone?.phoneNumberId),
          { ...named, status: 'read' },
          { id: networkId, status: 'read' },
        );
      }
      expect(await recordOf(account, id)).toMatchObject({ status: 'sent' });
      await Promise.all([
        ...[second, other].map((phone) => report(world, String(phone?.phoneNumberId), { ...named, status: 'read' })),
        sendReports({ ...named, status: 'delivered' }),
      ]);
      expect(await recordOf(account, id)).toMatchObject({ status: 'delivered' });
    });

    it('of an unknown kind is acknowledged and recorded', async () => {
      const { id, named } = await sent();
      expect(await sendReports({ ...named, status: 'warning' })).toBe(200);
      expect(await recordOf(account, id)).toMatchObject({ status: 'sent' });
      expect(await unhandledOf(world, account.accountId)).toMatchObject([
        { field: 'messages', reason: 'unknown status', body: { status: named } },
      ]);
    });

    const untilAccepted = () =>
      until('the network has it', async () => (await world.simulator.ledger(account.phone.phoneNumberId)).at(-1));

    it('accepts reports before the send has returned', async () => {
      const { name } = await approvedTemplate(world, account);
      const release = network.hold();
      const sending = account.api.post(SEND, { template_name: name, contact_phone: uniquePhone() });
      let id = '';
      try {
        const accepted = await untilAccepted();
        id = accepted.biz_opaque_callback_data;
        await sendReports({ id: accepted.id, status: 'delivered', biz_opaque_callback_data: id });
        expect(await recordOf(account, id)).toMatchObject({ status: 'delivered', network_message_id: accepted.id });
        // This report lacks our id; the network id arrived with the report before it.
        await sendReports({ id: accepted.id, status: 'read' });
        expect(await recordOf(account, id)).toMatchObject({ status: 'read' });
      } finally {
        release();
      }
      expect((await sending).status).toBe(200);
      expect(await recordOf(account, id)).toMatchObject({ status: 'read' });
      expect(await kindsOf(world, account)).toEqual(['message.sent', 'message.delivered', 'message.read']);
    });

    it.each([
      ['without our id', {}],
      ['with a foreign id', { biz_opaque_callback_data: 'x' }],
      ['with an unknown record id', { biz_opaque_callback_data: newRecordId() }],
    ])('parks a report %s, and applies it once the message has its network id', async (_, opaque) => {
      const { name } = await approvedTemplate(world, account);
      const release = network.hold();
      const sending = account.api.post(SEND, { template_name: name, contact_phone: uniquePhone() });
      try {
        const accepted = await untilAccepted();
        expect(await sendReports({ id: accepted.id, status: 'read', ...opaque })).toBe(200);
        expect(await recordOf(account, accepted.biz_opaque_callback_data)).toMatchObject({ status: 'pending' });
      } finally {
        release();
      }
      const { body } = await sending;
      await untilStatus(account, body['message_id'], 'read');
      expect(await kindsOf(world, account)).toEqual(['message.sent', 'message.read']);
      await until('nothing is parked', async () => {
        const parked = await world.unitOfWork.autocommit.rows('SELECT 1 FROM parked_reports WHERE account_id = $1', [
          account.accountId,
        ]);
        return parked.length === 0;
      });
    });
  });

  it('of a message that never appears parks its report for 7 days', async () => {
    const { id, networkId } = await sent();
    for (const unknown of ['young', 'old']) await sendReports({ id: `${networkId}.${unknown}`, status: 'read' });
    const parked = () =>
      world.unitOfWork.autocommit.rows<{ name: string }>(
        'SELECT network_message_id AS name FROM parked_reports WHERE account_id = $1 ORDER BY name',
        [account.accountId],
      );
    expect(await parked()).toHaveLength(2);
    await world.unitOfWork.autocommit.affected(
      `UPDATE parked_reports SET received_at = now() - interval '7 days 1 second'
       WHERE account_id = $1 AND network_message_id LIKE '%.old'`,
      [account.accountId],
    );
    await until('the old one is gone', async () => (await parked()).length === 1);
    expect(await parked()).toEqual([{ name: `${networkId}.young` }]);
    expect(await recordOf(account, id)).toMatchObject({ status: 'sent' });
  });

  describe('of a campaign message', () => {
    let campaign: SentCampaign;
    const reportOn = (index: number, status: string, more: Partial<Report> = {}) => {
      const message = campaign.messages[index];
      return sendReports({ id: String(message?.networkId), biz_opaque_callback_data: message?.id, status, ...more });
    };
    const counters = () => countersOf(account, campaign.id);
    const counts = (sent_count: number, delivered_count: number, read_count: number, failed_count: number) => ({
      sent_count,
      delivered_count,
      read_count,
      clicked_count: 0,
      failed_count,
      replied_count: 0,
    });

    it('carries campaign_id and campaign_name in its events', async () => {
      campaign = await sendCampaign(world, account, 1);
      await reportOn(0, 'delivered', { timestamp: at(1) });
      const [message] = campaign.messages;
      const events = await eventsOf(world, account);
      expect(events).toHaveLength(2);
      expect(events[1]).toEqual({
        event: 'message.delivered',
        timestamp: expect.stringMatching(NAIVE),
        campaign_id: campaign.id,
        campaign_name: campaign.name,
        message: {
          message_id: message?.id,
          contact_phone: message?.contact,
          contact_name: expect.stringMatching(/^User #\d{6}$/),
          status: 'delivered',
          previous_status: 'sent',
          status_timestamp: naiveAt(1),
        },
      });
    });

    it('updates the campaign’s counters: a gap implies the lower steps, duplicates count once', async () => {
      campaign = await sendCampaign(world, account, 3);
      expect(await counters()).toEqual(counts(3, 0, 0, 0));
      await reportOn(0, 'delivered');
      await reportOn(0, 'delivered');
      expect(await counters()).toEqual(counts(3, 1, 0, 0));
      await reportOn(1, 'read');
      expect(await counters()).toEqual(counts(3, 2, 1, 0));
      await reportOn(1, 'delivered');
      expect(await counters()).toEqual(counts(3, 2, 1, 0));
    });

    it('lowers failed_count when it is delivered after all, and ignores a failure after delivery', async () => {
      campaign = await sendCampaign(world, account, 2);
      await reportOn(0, 'failed', { errors: UNDELIVERABLE });
      expect(await counters()).toEqual(counts(2, 0, 0, 1));
      await reportOn(0, 'delivered');
      expect(await counters()).toEqual(counts(2, 1, 0, 0));
      expect(await recordOf(account, campaign.messages[0]?.id)).toMatchObject({
        status: 'delivered',
        error_code: null,
      });
      await reportOn(1, 'delivered');
      await reportOn(1, 'failed', { errors: UNDELIVERABLE });
      expect(await counters()).toEqual(counts(2, 2, 0, 0));
    });

    it('accepts reports of many messages and campaigns in one callback', async () => {
      campaign = await sendCampaign(world, account, 2);
      const first = campaign;
      campaign = await sendCampaign(world, account, 2);
      await sendReports(
        ...[...first.messages, ...campaign.messages].map(({ id, networkId }) => ({
          id: networkId,
          biz_opaque_callback_data: id,
          status: 'read',
        })),
      );
      expect(await countersOf(account, first.id)).toEqual(counts(2, 2, 2, 0));
      expect(await counters()).toEqual(counts(2, 2, 2, 0));
    });
  });

  describe('of the simulator’s magic recipients', () => {
    const magic = (ending: string): string => `491${uniqueDigits().slice(-5)}${ending}`;
    it.each([
      ['9990001', 'failed', ['message.sent', 'message.failed'], [1, 0, 0, 1]],
      ['9990003', 'delivered', ['message.sent', 'message.delivered'], [1, 1, 0, 0]],
      ['9990009', 'read', ['message.sent', 'message.read'], [1, 1, 1, 0]],
      ['9990010', 'read', ['message.delivered', 'message.read', 'message.sent'], [1, 1, 1, 0]],
      ['9990007', 'read', ['message.delivered', 'message.read', 'message.sent'], [1, 1, 1, 0]],
    ])('%s ends %s, for single and campaign messages', async (ending, status, kinds, counts) => {
      await world.simulator.behave({ statuses: ['sent', 'delivered', 'read'] });
      const { name } = await approvedTemplate(world, account);
      const { headers, body } = await account.api.post(SEND, { template_name: name, contact_phone: magic(ending) });
      await untilStatus(account, body['message_id'] ?? headers.get('x-message-id'), status);
      const campaign = await sendCampaign(world, account, [magic(ending)]);
      await untilStatus(account, campaign.messages[0]?.id, status);
      const events = await until('every event is there', async () => {
        const found = await kindsOf(world, account);
        return found.length >= 2 * kinds.length && found;
      });
      expect(events.sort()).toEqual([...kinds, ...kinds].sort());
      const [sent_count, delivered_count, read_count, failed_count] = counts;
      const expected = { sent_count, delivered_count, read_count, failed_count };
      await eventually(async () => expect(await countersOf(account, campaign.id)).toMatchObject(expected));
    });
  });
});
