/** @own-modules They keep the time, which these tests move. */
import { HOUR } from '../../src/values/clock.js';
import { campaignOf, started, untilCampaign } from '../campaigns/campaigns.js';
import { ApiClient } from '../support/api-client.js';
import { approvedTemplate } from '../support/templates.js';
import { uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import type { TestAccount, World } from '../support/world.js';
import { subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { Calendar } from './calendar.js';

/** Of the campaign during which the clock jumps ahead and back. */
const RECIPIENTS = 120;
/** Messages per second of the phone, so that the campaign takes several seconds. */
const THROUGHPUT = 20;

/** Conditions are waited for much less long than the hour that the clock jumps. */
describe('when the database clock jumps', () => {
  let calendar: Calendar;
  let world: World;
  let account: TestAccount;
  let template: string;
  let receiver: Receiver;

  beforeEach(async () => {
    calendar = await Calendar.open();
    world = await calendar.start();
    account = await world.account({ throughput: THROUGHPUT });
    template = (await approvedTemplate(world, account)).name;
    receiver = await Receiver.listen();
    await subscribe(account, { url: receiver.url() });
  });
  afterEach(async () => {
    try {
      await calendar.close();
    } finally {
      await receiver.close();
    }
  });

  const sendAndRead = async (): Promise<void> => {
    const sent = await account.api.post<{ message_id: string }>('/api/v1/messages/send', {
      template_name: template,
      contact_phone: uniquePhone(),
    });
    expect([sent.status, sent.text]).toEqual([200, expect.any(String)]);
    const id = sent.body.message_id;
    await until('message.read is delivered', () =>
      receiver.received.some(({ body }) => body.includes(id) && body.includes('message.read')),
    );
  };
  const sentAtLeast = (id: string, count: number) =>
    until('some are sent', async () => (await campaignOf(account, id)).sent_count >= count);
  /** Ten more, or all that are left. */
  const someMoreSent = async (id: string) =>
    sentAtLeast(id, Math.min((await campaignOf(account, id)).sent_count + 10, RECIPIENTS));

  it('an hour ahead and back, a running campaign continues and sends to each recipient once', async () => {
    const id = await started(account, template, RECIPIENTS);
    await sentAtLeast(id, 5);
    await calendar.moveDatabase(HOUR);
    await someMoreSent(id);
    await calendar.moveDatabase(-HOUR);
    await someMoreSent(id);
    await untilCampaign(account, id, 'completed');
    await until('every recipient has read it', async () => (await campaignOf(account, id)).read_count >= RECIPIENTS);
    expect(await campaignOf(account, id)).toMatchObject({
      sent_count: RECIPIENTS,
      read_count: RECIPIENTS,
      failed_count: 0,
    });
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    expect([ledger.length, new Set(ledger.map(({ to }) => to)).size]).toEqual([RECIPIENTS, RECIPIENTS]);
  });

  it.each([
    ['ahead', [HOUR]],
    ['ahead and back', [HOUR, -HOUR]],
    ['back', [-HOUR]],
    ['back and ahead', [-HOUR, HOUR]],
  ])('an hour %s, messages and their webhooks go out without delay', async (_, jumps) => {
    await sendAndRead();
    for (const jump of jumps) {
      await calendar.moveDatabase(jump);
      await sendAndRead();
    }
  });

  it('back, a new process takes over the campaigns of one that died before', async () => {
    await calendar.moveDatabase(HOUR);
    const id = await started(account, template, 60);
    await sentAtLeast(id, 5);
    await calendar.stop();
    await calendar.query(
      `UPDATE phone_throughput SET owner = gen_random_uuid(), owned_until = now() + interval '4 seconds' WHERE account_id = $1`,
      [account.accountId],
    );
    await calendar.moveDatabase(-HOUR);
    world = await calendar.start();
    account = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
    await untilCampaign(account, id, 'completed');
    expect(await campaignOf(account, id)).toMatchObject({ sent_count: 60 });
  });

  it('back, a throttled phone recovers in less than an hour', async () => {
    await calendar.moveDatabase(HOUR);
    await sendAndRead();
    await calendar.query(
      'UPDATE phone_throughput SET slowdown = 4, slowed_at = clock_timestamp() WHERE account_id = $1',
      [account.accountId],
    );
    await calendar.moveDatabase(-HOUR);
    const id = await started(account, template, 20);
    await untilCampaign(account, id, 'completed');
    await until('it has recovered', async () => {
      const [row] = await calendar.query<{ slowdown: number }>(
        'SELECT slowdown FROM phone_throughput WHERE account_id = $1',
        [account.accountId],
      );
      return Number(row?.slowdown) < 4;
    });
  });

  it('ahead and back, conversations can be assigned and released', async () => {
    const contact = uniquePhone();
    const { organisationId } = account;
    const [agent] = await calendar.query<{ id: string }>(
      `INSERT INTO users (id, organisation_id, full_name, email, role)
       VALUES (new_record_id(), $1, 'Ada Agent', 'ada@example.test', 'agent') RETURNING id`,
      [organisationId],
    );
    const path = `/api/v1/conversations/${contact}`;
    for (const jump of [HOUR, -HOUR, 0]) {
      await calendar.moveDatabase(jump);
      expect((await account.api.post(`${path}/assign`, { user_id: agent?.id })).status).toBe(200);
      expect((await account.api.post(`${path}/unassign`)).status).toBe(200);
    }
    const spans = await calendar.query<{ ended: boolean }>(
      'SELECT held_until > held_from AS ended FROM conversation_assignments WHERE account_id = $1',
      [account.accountId],
    );
    expect(spans).toEqual([{ ended: true }, { ended: true }, { ended: true }]);
  });
});
