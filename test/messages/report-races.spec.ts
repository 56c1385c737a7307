import { changeOf, envelope, postCallback } from '../inbound/inbound.js';
import { crowd } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { type CampaignMessage, countersOf, sendCampaign } from './campaign-messages.js';
import { eventsOf, type Report, recordOf, report, SEND, untilStatus } from './messages.js';

const UNDELIVERABLE = [{ code: 131026, title: 'x', error_data: { details: 'Gone.' } }];
const named = ({ id, networkId }: CampaignMessage, status: string, more: Partial<Report> = {}): Report => ({
  id: networkId,
  biz_opaque_callback_data: id,
  status,
  ...more,
});
interface StatusEvent {
  readonly event: string;
  readonly message: { readonly message_id: string; readonly previous_status: string };
}

describe('racing status reports', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.simulator.behave({ statuses: [], latency_ms: 0, status_delay_ms: 10, callback_batch: 1 });
    account = await world.account();
  });

  const eventsAbout = async (id: string): Promise<StatusEvent[]> =>
    ((await eventsOf(world, account)) as unknown as StatusEvent[]).filter(({ message }) => message.message_id === id);
  const kindsAbout = async (id: string): Promise<string[]> => (await eventsAbout(id)).map(({ event }) => event);
  /** Event kinds of the account by message, sorted. */
  const kindsByMessage = async (): Promise<Map<string, string[]>> => {
    const found = new Map<string, string[]>();
    for (const { event, message } of (await eventsOf(world, account)) as unknown as StatusEvent[]) {
      found.set(message.message_id, [...(found.get(message.message_id) ?? []), event].sort());
    }
    return found;
  };

  describe('with each other', () => {
    let other: World;
    beforeAll(async () => {
      // Without a worker, which would send campaigns to its own simulator.
      other = await World.start({ env: { PARLEY_ROLES: 'api' } });
    });
    afterAll(() => other.stop());

    /** Sends the same callback to two processes, twice each, concurrently. */
    async function postToBoth(statuses: readonly Report[]): Promise<void> {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const content = { statuses: statuses.map((status) => ({ timestamp, ...status })) };
      const body = envelope(account.phone.wabaId, 'messages', changeOf(account.phone, content));
      const answers = await Promise.all([world, other, world, other].map((process) => postCallback(process, body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }

    it('in two processes count once and emit once', async () => {
      const campaign = await sendCampaign(world, account, 40);
      const [failing, ...others] = campaign.messages;
      expect(others).toHaveLength(39);
      await postToBoth(others.map((message) => named(message, 'delivered')));
      await Promise.all([
        postToBoth(others.map((message) => named(message, 'read'))),
        postToBoth(others.toReversed().map((message) => named(message, 'sent'))),
        postToBoth([named(failing as CampaignMessage, 'failed', { errors: UNDELIVERABLE })]),
      ]);
      expect(await countersOf(account, campaign.id)).toMatchObject({
        sent_count: 40,
        delivered_count: 39,
        read_count: 39,
        failed_count: 1,
      });
      const events = await kindsByMessage();
      expect(events.get(String(failing?.id))).toEqual(['message.failed', 'message.sent']);
      for (const { id } of others) {
        expect(events.get(id)).toEqual(['message.delivered', 'message.read', 'message.sent']);
      }
    });

    it('of different kinds in two processes are all kept: neither overwrites the other', async () => {
      const { messages } = await sendCampaign(world, account, 30);
      expect(messages).toHaveLength(30);
      const post = (process: World, status: string) =>
        postCallback(
          process,
          envelope(
            account.phone.wabaId,
            'messages',
            changeOf(account.phone, { statuses: messages.map((message) => named(message, status)) }),
          ),
        );
      const posts = [post(world, 'delivered'), post(other, 'failed'), post(world, 'read'), post(other, 'sent')];
      expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const events = await kindsByMessage();
      for (const { id } of messages) {
        expect(events.get(id)).toEqual(['message.delivered', 'message.failed', 'message.read', 'message.sent']);
      }
      const [first] = messages;
      expect((await recordOf(account, first?.id)).status).toBe('read');
    });
  });

  it('of one message in one body are applied in order, each kind once', async () => {
    const { id: campaignId, messages } = await sendCampaign(world, account, 1);
    const [message] = messages as [CampaignMessage];
    const statuses = ['delivered', 'sent', 'delivered', 'read', 'played', 'failed', 'read', 'sent', 'failed'];
    await report(world, account.phone.phoneNumberId, ...statuses.map((status) => named(message, status)));
    expect((await eventsAbout(message.id)).map(({ event, message: about }) => [event, about.previous_status])).toEqual([
      ['message.sent', 'pending'],
      ['message.delivered', 'sent'],
      ['message.read', 'delivered'],
      ['message.failed', 'read'],
    ]);
    expect(await recordOf(account, message.id)).toMatchObject({ status: 'read', error_code: null });
    expect(await countersOf(account, campaignId)).toMatchObject({ sent_count: 1, read_count: 1, failed_count: 0 });
  });

  it('with and without our id in one body apply to the same message', async () => {
    const { messages } = await sendCampaign(world, account, 1);
    const [message] = messages as [CampaignMessage];
    await report(
      world,
      account.phone.phoneNumberId,
      { id: message.networkId, status: 'delivered' },
      named(message, 'delivered'),
      { id: message.networkId, status: 'read' },
      named(message, 'read'),
    );
    expect((await kindsAbout(message.id)).sort()).toEqual(['message.delivered', 'message.read', 'message.sent']);
  });

  describe('with the answer to the send', () => {
    beforeEach(() =>
      world.simulator.behave({ statuses: ['sent', 'delivered', 'read'], status_delay_ms: 0, latency_ms: 4 }),
    );

    it('leave single messages in the same state as any other order', async () => {
      const { name: template_name } = await approvedTemplate(world, account);
      const answers = await crowd(80, () => account.api.post(SEND, { template_name, contact_phone: uniquePhone() }));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const ids = answers.map(({ body }) => String(body['message_id']));
      for (const id of ids) {
        const record = await untilStatus(account, id, 'read');
        expect(record.network_message_id).toMatch(/^wamid/);
      }
      // The network guarantees no order: delivered may be reported after read.
      await eventually(async () => {
        const events = await kindsByMessage();
        for (const id of ids) expect(events.get(id)).toEqual(['message.delivered', 'message.read', 'message.sent']);
      });
    });

    it('leave campaign counters equal to the rows', async () => {
      const campaign = await sendCampaign(world, account, 120);
      await until('every message is read', async () => (await countersOf(account, campaign.id)).read_count >= 120);
      expect(await countersOf(account, campaign.id)).toEqual({
        sent_count: 120,
        delivered_count: 120,
        read_count: 120,
        clicked_count: 0,
        failed_count: 0,
        replied_count: 0,
      });
      // Reports of the delivery may come after those of the reading.
      await eventually(async () => {
        const events = await kindsByMessage();
        expect(events.size).toBe(120);
        for (const kinds of events.values()) {
          expect(kinds).toEqual(['message.delivered', 'message.read', 'message.sent']);
        }
      });
    });
  });

  describe('with the creation of a webhook endpoint', () => {
    const outboxOf = (accountId: string) =>
      world.unitOfWork.autocommit.rows('SELECT event_id FROM outbox WHERE account_id = $1', [accountId]);
    const endpoint = async (): Promise<string> => {
      const { body } = await account.api.post<{ webhook: { id: string } }>('/api/v1/webhooks/', {
        url: 'http://127.0.0.1:9/nobody',
        retry_count: 0,
      });
      return body.webhook.id;
    };

    it('stay only in the log while there is no endpoint', async () => {
      const { messages } = await sendCampaign(world, account, 3);
      await report(world, account.phone.phoneNumberId, ...messages.map((message) => named(message, 'read')));
      expect(await eventsOf(world, account)).toHaveLength(6);
      expect(await outboxOf(account.accountId)).toEqual([]);
    });

    it('reach it once each from its creation on', async () => {
      const { messages } = await sendCampaign(world, account, 150);
      let madeAt = 0;
      const making = async (): Promise<string> => {
        await until('events flow', async () => (await eventsOf(world, account)).length > messages.length + 20);
        const id = await endpoint();
        madeAt = Date.now();
        return id;
      };
      const made = making();
      const reportStatus = async (status: string) => {
        for (const [index, message] of messages.entries()) {
          // Some are left for the endpoint, however long it takes to make it.
          if (index === messages.length - 20) await made;
          await report(world, account.phone.phoneNumberId, named(message, status));
        }
      };
      const [endpointId] = await Promise.all([
        made,
        reportStatus('delivered'),
        reportStatus('failed'),
        reportStatus('read'),
      ]);
      await until('the outbox is empty', async () => (await outboxOf(account.accountId)).length === 0);
      const events = await world.unitOfWork.autocommit.rows<{ id: string; occurredAt: Date; deliveries: number }>(
        `SELECT e.id, e.occurred_at, count(d.id)::int AS deliveries
         FROM events e LEFT JOIN webhook_deliveries d
           ON d.account_id = e.account_id AND d.event_id = e.id AND d.endpoint_id = $2
         WHERE e.account_id = $1 GROUP BY e.id, e.occurred_at`,
        [account.accountId, endpointId],
      );
      expect(events).toHaveLength(4 * messages.length);
      const after = events.filter(({ occurredAt }) => occurredAt.getTime() > madeAt);
      expect(after.length).toBeGreaterThan(0);
      expect(after.filter(({ deliveries }) => deliveries !== 1)).toEqual([]);
      expect(events.filter(({ deliveries }) => deliveries > 1)).toEqual([]);
    });
  });
});
