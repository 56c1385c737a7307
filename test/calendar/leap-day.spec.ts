/** @own-modules They keep the time, which these tests move. */
import { partitionAt } from '../../src/database/schema/partitions.js';
import { DAY, HOUR, SECOND } from '../../src/values/clock.js';
import { campaignOf, draft, untilCampaign } from '../campaigns/campaigns.js';
import { ApiClient } from '../support/api-client.js';
import { approvedTemplate } from '../support/templates.js';
import { uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import type { TestAccount, World } from '../support/world.js';
import { subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { Calendar } from './calendar.js';

const LEAP_DAY = new Date('2028-02-29T00:00:00Z');
const earlier = (at: Date, ms: number) => new Date(at.getTime() - ms);
const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

describe('29 February', () => {
  let calendar: Calendar;
  let world: World;
  let account: TestAccount;
  let template: string;
  let receiver: Receiver;

  beforeEach(async () => {
    calendar = await Calendar.open();
    receiver = await Receiver.listen();
  });
  afterEach(async () => {
    try {
      await calendar.close();
    } finally {
      await receiver.close();
    }
  });

  /** Starts the service at `at`, with an account that has a webhook. */
  const startAt = async (at: Date, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    await calendar.moveTo(at);
    world = await calendar.start(env);
    account = await world.account();
    template = (await approvedTemplate(world, account)).name;
    await subscribe(account, { url: receiver.url() });
  };
  /** Restarts the service at `at`. */
  const restartAt = async (at: Date, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    await calendar.stop();
    await calendar.moveTo(at);
    world = await calendar.start(env);
    account = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
  };
  const send = async (): Promise<string> => {
    const body = { template_name: template, contact_phone: uniquePhone() };
    const { status, body: sent } = await account.api.post<{ message_id: string }>('/api/v1/messages/send', body);
    expect(status).toBe(200);
    await until('message.read is delivered', () =>
      receiver.received.some(({ body: event }) => event.includes(sent.message_id) && event.includes('message.read')),
    );
    return sent.message_id;
  };
  const partitionOf = async (id: string): Promise<string | undefined> => {
    const [row] = await calendar.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM messages WHERE id = $1',
      [id],
    );
    return row?.name;
  };
  const eventsOn = (day: string) => calendar.count(`FROM events_${day}`);

  it('belongs to February and has its own partition of events', async () => {
    await startAt(earlier(LEAP_DAY, HOUR));
    const eve = await send();
    await restartAt(later(LEAP_DAY, 12 * HOUR));
    const leap = await send();
    await restartAt(later(LEAP_DAY, DAY));
    const first = await send();
    expect([await partitionOf(eve), await partitionOf(leap), await partitionOf(first)]).toEqual([
      'messages_202802',
      'messages_202802',
      'messages_202803',
    ]);
    for (const day of ['20280228', '20280229', '20280301']) expect(await eventsOn(day)).toBeGreaterThan(0);
    expect(await calendar.partitionsOf('events')).not.toContain('events_20280230');
    const { body } = await account.api.get<{ messages: { message_id: string; created_at: string }[] }>(
      '/api/v1/messages/',
    );
    expect(body.messages.map(({ message_id, created_at }) => [message_id, created_at.slice(0, 10)])).toEqual([
      [first, '2028-03-01'],
      [leap, '2028-02-29'],
      [eve, '2028-02-28'],
    ]);
  });

  it('begins and ends while the service runs', async () => {
    const march = later(LEAP_DAY, DAY);
    // However slowly the service starts and sends, it does so before midnight.
    await startAt(earlier(LEAP_DAY, HOUR));
    const eve = await send();
    await calendar.moveTo(earlier(LEAP_DAY, SECOND));
    await until('it is 29 February', () => Date.now() > LEAP_DAY.getTime());
    const leap = await send();
    await restartAt(earlier(march, HOUR));
    const night = await send();
    await calendar.moveTo(earlier(march, SECOND));
    await until('it is March', () => Date.now() > march.getTime());
    const first = await send();
    const partitions: unknown[] = [];
    for (const id of [eve, leap, night, first]) partitions.push(await partitionOf(id));
    expect(partitions).toEqual(['messages_202802', 'messages_202802', 'messages_202802', 'messages_202803']);
    for (const day of ['20280228', '20280229', '20280301']) expect(await eventsOn(day)).toBeGreaterThan(0);
  });

  it('accepts a scheduled campaign in leap years only', async () => {
    await startAt(new Date('2028-02-20T12:00:00Z'));
    const at = { scheduled_at: '2028-02-29T09:00', scheduled_timezone: 'Europe/Berlin' };
    const id = await draft(account, template, 2, at);
    expect(await campaignOf(account, id)).toMatchObject({ scheduled_at: '2028-02-29T08:00:00.000Z' });
    for (const missing of ['2029-02-29T09:00', '2028-02-30T09:00']) {
      const { status } = await account.api.post('/api/v1/campaigns/', {
        name: 'Never',
        template_name: template,
        contacts: [{ phone: uniquePhone() }],
        scheduled_at: missing,
        scheduled_timezone: 'Europe/Berlin',
      });
      expect(status).toBe(400);
    }
    await restartAt(new Date('2028-02-29T07:00:00Z'));
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'scheduled' });
    await calendar.moveTo(new Date('2028-02-29T07:59:58Z'));
    const { started_at } = await untilCampaign(account, id, 'completed');
    expect(Date.parse(started_at ?? '')).toBeGreaterThanOrEqual(Date.parse('2028-02-29T08:00:00Z'));
  });

  it('counts towards the 30 days of events and the 365 days of messages', async () => {
    const env = { MESSAGE_RETENTION_DAYS: '365' };
    const events = partitionAt({ table: 'events', period: 'day', fillfactor: 100 }, LEAP_DAY).name;
    const exists = async (name: string) => (await calendar.count('FROM pg_class WHERE relname = $1', [name])) === 1;
    await startAt(later(LEAP_DAY, 12 * HOUR), env);
    await send();
    // The end of the day is kept for 30 days, the end of the month for 365.
    await restartAt(new Date('2028-03-30T23:00:00Z'), env);
    await send();
    expect(await exists(events)).toBe(true);
    await restartAt(new Date('2028-03-31T01:00:00Z'), env);
    await until('the day is dropped', async () => !(await exists(events)));
    await restartAt(new Date('2029-02-28T23:00:00Z'), env);
    await send();
    expect(await exists('messages_202802')).toBe(true);
    await restartAt(new Date('2029-03-01T01:00:00Z'), env);
    await until('the month is dropped', async () => !(await exists('messages_202802')));
    expect(await exists('messages_202803')).toBe(true);
  });
});
