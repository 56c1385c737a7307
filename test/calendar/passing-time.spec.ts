/** @own-modules They keep the time, which these tests move. */
import { MIGRATIONS } from '../../migrations/index.js';
import { PARTITIONED_TABLES, partitionAt } from '../../src/database/schema/partitions.js';
import { DAY, HOUR, now } from '../../src/values/clock.js';
import { act, campaignOf, draft, started, untilCampaign } from '../campaigns/campaigns.js';
import { changeOf } from '../inbound/inbound.js';
import { ApiClient } from '../support/api-client.js';
import { approvedTemplate } from '../support/templates.js';
import { uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import type { TestAccount, World } from '../support/world.js';
import { deliveriesOf, subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { Calendar } from './calendar.js';

/** Records created before the service goes away. */
interface Past {
  readonly account: TestAccount;
  readonly template: string;
  readonly endpoint: string;
  /** Phone number of the contact that the account talks to. */
  readonly contact: string;
  /** Id of a message that was read. */
  readonly message: string;
  /** Id of a message that was accepted and never reported on. */
  readonly unreported: string;
  readonly completed: string;
  readonly day: Date;
}

/** How long the service is down, and its environment. */
interface Absence {
  readonly span: string;
  readonly days: number;
  readonly env: Readonly<Record<string, string>>;
}

const hoursBetween = (one: number, other: number): number => Math.round(Math.abs(one - other) / HOUR);

const KEY = { headers: { 'idempotency-key': 'in the first days' } };

interface MessageBody {
  readonly message_record: {
    readonly status: string;
    readonly network_message_id: string;
    readonly created_at: string;
  };
}

describe.each<Absence>([
  { span: 'ten days', days: 10, env: {} },
  { span: 'a month', days: 32, env: {} },
  { span: 'a year', days: 366, env: {} },
  { span: 'a year', days: 366, env: { MESSAGE_RETENTION_DAYS: '100' } },
])('the service $span and a deployment later, with $env', ({ days, env }) => {
  const keepsEvents = days < 30;
  const keepsMessages = !('MESSAGE_RETENTION_DAYS' in env);
  let calendar: Calendar;
  let receiver: Receiver;
  let past: Past;
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    calendar = await Calendar.open();
    receiver = await Receiver.listen();
    past = await firstDays(await calendar.start(env), receiver);
    await calendar.stop();
    await calendar.pass(days * DAY);
    const last = MIGRATIONS.at(-1)?.name;
    expect(await calendar.deploy()).toEqual(expect.arrayContaining([last]));
    world = await calendar.start(env);
    account = { ...past.account, api: new ApiClient(world.baseUrl, past.account.apiKey) };
  });
  afterAll(async () => {
    try {
      await calendar.close();
    } finally {
      await receiver.close();
    }
  });

  const send = async (): Promise<string> => {
    const body = { template_name: past.template, contact_phone: past.contact };
    const { status, body: sent, text } = await account.api.post<{ message_id: string }>('/api/v1/messages/send', body);
    if (status !== 200) throw new Error(text);
    return sent.message_id;
  };
  const find = (id: string) => account.api.get<MessageBody>(`/api/v1/messages/${id}`);
  const read = (id: string) =>
    until('the message is read', async () => (await find(id)).body.message_record?.status === 'read');

  it('sees the new time', () => {
    expect(Math.round((now().getTime() - past.day.getTime()) / DAY)).toBe(days);
  });

  it('sends, takes reports and delivers webhooks immediately', async () => {
    const id = await send();
    await read(id);
    const delivery = await until('message.read is delivered', () =>
      receiver.received.find(({ body }) => body.includes(id) && body.includes('message.read')),
    );
    const { timestamp } = JSON.parse(delivery.body.toString());
    expect(hoursBetween(Date.now(), Date.parse(`${timestamp}Z`))).toBe(0);
  });

  it('has partitions for the days ahead', async () => {
    for (const table of PARTITIONED_TABLES) {
      const partitions = await calendar.partitionsOf(table.table);
      for (const ahead of [0, 1, 6]) {
        expect(partitions).toContain(partitionAt(table, new Date(Date.now() + ahead * DAY)).name);
      }
    }
  });

  it(`${keepsEvents ? 'keeps' : 'has dropped'} the old events and deliveries`, async () => {
    const gone = ['events', 'webhook_deliveries', 'webhook_attempts'].map(
      (name) => partitionAt({ table: name, period: 'day', fillfactor: 100 }, past.day).name,
    );
    const left = () => calendar.count('FROM pg_class WHERE relname = ANY ($1)', [gone]);
    if (keepsEvents) expect(await left()).toBe(3);
    else await until('the partitions are dropped', async () => (await left()) === 0);
    const old = (await deliveriesOf(account, past.endpoint)).filter(
      ({ created_at }) => Date.parse(created_at) < Date.now() - DAY,
    );
    expect(old.length > 0).toBe(keepsEvents);
    expect(old.every(({ status }) => status === 'delivered')).toBe(true);
  });

  it(`${keepsMessages ? 'keeps' : 'has dropped'} old messages and completed campaigns`, async () => {
    const path = `/api/v1/campaigns/${past.completed}/stats`;
    if (keepsMessages) {
      const found = await find(past.message);
      expect(found.body.message_record.status).toBe('read');
      expect(hoursBetween(past.day.getTime(), Date.parse(found.body.message_record.created_at))).toBe(0);
      expect((await account.api.get(path)).body).toMatchObject({ sent_count: 3, read_count: 3, total_contacts: 3 });
    } else {
      await until('they are dropped', async () => (await account.api.get(path)).status === 404);
      expect((await find(past.message)).status).toBe(404);
      const counted = `FROM counter_amounts WHERE subject_id = $1 GROUP BY counter HAVING sum(amount) <> 0`;
      expect(await calendar.query(`SELECT counter ${counted}`, [past.completed])).toEqual([]);
    }
  });

  it(`${keepsMessages ? 'counts' : 'ignores'} a report about an old message`, async () => {
    const [known] = await calendar.query<{ id: string }>(
      'SELECT network_message_id AS id FROM messages WHERE id = $1',
      [past.unreported],
    );
    expect(known !== undefined).toBe(keepsMessages);
    const status = {
      id: known?.id ?? `wamid.${past.unreported}`,
      status: 'read',
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id: past.contact,
      biz_opaque_callback_data: past.unreported,
    };
    const answered = await world.simulator.callback('messages', changeOf(account.phone, { statuses: [status] }));
    expect(answered.callback_status).toBe(200);
    if (keepsMessages) await read(past.unreported);
    else expect((await find(past.unreported)).status).toBe(404);
  });

  it('has kept the contact, the conversation and the credits', async () => {
    const { body } = await account.api.get<{ contacts: object[] }>(`/api/v1/contacts/?search=${past.contact}`);
    expect(body.contacts).toHaveLength(1);
    const thread = await account.api.get<{ data: object }>(`/api/v1/conversations/${past.contact}/assignment`);
    expect(thread.body.data).toMatchObject({ has_conversation: true });
    const [row] = await calendar.query<{ amount: string }>(
      `SELECT sum(amount)::text AS amount FROM counter_amounts WHERE account_id = $1 AND counter = 'wallet.credits'`,
      [account.accountId],
    );
    expect(row?.amount).toBe(String(1_000_000 - 3));
  });

  it('has closed the service window', async () => {
    const message = { contact_phone: past.contact, message_type: 'text', message: 'Are you still there?' };
    const { status, body } = await account.api.post('/api/v1/messages/send-message', message);
    expect(status).toBe(403);
    expect(body['detail']).toContain(past.day.toISOString().slice(0, 4));
  });

  it('has dropped idempotency keys, unmatched reports and, after a month, unhandled callbacks', async () => {
    const contact = { phone_number: uniquePhone(), first_name: 'Bob' };
    expect((await account.api.post('/api/v1/contacts/', contact, KEY)).status).toBe(201);
    await until('parked reports are dropped', async () => {
      const old = `FROM parked_reports WHERE network_message_id = 'wamid.nobodys'`;
      return (await calendar.count(old)) === 0;
    });
    const callbacks = () => calendar.count(`FROM unhandled_callbacks WHERE field = 'unheard_of'`);
    if (days < 30) expect(await callbacks()).toBe(1);
    else await until('unhandled callbacks are dropped', async () => (await callbacks()) === 0);
  });
});

describe.each<Absence>([
  { span: 'ten days', days: 10, env: {} },
  { span: 'a year', days: 366, env: { MESSAGE_RETENTION_DAYS: '100' } },
])('campaigns that waited for $span across a deployment', ({ days, env }) => {
  let calendar: Calendar;
  beforeAll(async () => {
    calendar = await Calendar.open();
  });
  afterAll(() => calendar.close());

  it('continue when somebody says so: a draft once it is sent, a paused one and one that came too late once they are resumed', async () => {
    const before = await calendar.start(env);
    // One message a second, so that the campaign can be paused long before its end.
    const account = await before.account({ throughput: 1 });
    const template = (await approvedTemplate(before, account)).name;
    const scheduledAt = new Date(Date.now() + 5 * DAY).toISOString();
    const scheduled = await draft(account, template, 2, { scheduled_at: scheduledAt });
    const waiting = await draft(account, template, 2);
    const paused = await started(account, template, 30);
    await act(account, paused, 'pause');
    await until('nothing is in flight', async () => (await calendar.count('FROM sends_in_flight')) === 0);
    const sentBefore = (await campaignOf(account, paused)).sent_count;
    await calendar.stop();

    await calendar.query('UPDATE business_phones SET throughput = 20 WHERE account_id = $1', [account.accountId]);
    await calendar.pass(days * DAY);
    await calendar.deploy();
    const world = await calendar.start(env);
    const later = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
    expect((await untilCampaign(later, scheduled, 'failed')).failure_reason).toContain(
      'Resume the campaign to send it now',
    );
    expect((await act(later, waiting, 'send')).status).toBe(202);
    for (const id of [scheduled, paused]) expect((await act(later, id, 'resume')).status).toBe(200);
    for (const id of [scheduled, waiting, paused]) {
      const { total_contacts } = await untilCampaign(later, id, 'completed');
      await until('all is read', async () => (await campaignOf(later, id)).read_count === total_contacts);
      expect(await campaignOf(later, id)).toMatchObject({ sent_count: total_contacts, failed_count: 0 });
    }
    expect(sentBefore).toBeLessThan(30);
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    expect(new Set(ledger.map(({ to }) => to)).size).toBe(ledger.length);
    expect(ledger).toHaveLength(34);
  });
});

async function firstDays(world: World, receiver: Receiver): Promise<Past> {
  const account = await world.account();
  const { api, phone } = account;
  const template = (await approvedTemplate(world, account)).name;
  const endpoint = await subscribe(account, { url: receiver.url() });
  const contact = uniquePhone();
  const send = async (contactPhone: string) => {
    const body = { template_name: template, contact_phone: contactPhone };
    return (await api.post<{ message_id: string }>('/api/v1/messages/send', body)).body.message_id;
  };
  const statusOf = async (id: string) =>
    (await api.get<MessageBody>(`/api/v1/messages/${id}`)).body.message_record.status;

  const message = await send(contact);
  await until('the message is read', async () => (await statusOf(message)) === 'read');
  const completed = await started(account, template, 3);
  await untilCampaign(account, completed, 'completed');
  await until('all is read', async () => (await campaignOf(account, completed)).read_count === 3);
  await world.simulator.behave({ statuses: [] });
  const unreported = await send(uniquePhone());
  await world.simulator.inbound({ phone_number_id: phone.phoneNumberId, from: contact, type: 'text', text: 'Hello' });
  const answer = { contact_phone: contact, message_type: 'text', message: 'Hello to you' };
  expect((await api.post('/api/v1/messages/send-message', answer)).status).toBe(200);
  expect((await api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada' }, KEY)).status).toBe(
    201,
  );
  await world.simulator.callback('unheard_of', {});
  const status = { id: 'wamid.nobodys', status: 'read', timestamp: String(Math.floor(Date.now() / 1000)) };
  await world.simulator.callback('messages', changeOf(phone, { statuses: [status] }));
  await until('all webhooks are delivered', async () => {
    const { accountId } = account;
    const waiting = await world.unitOfWork.autocommit.rows('SELECT FROM outbox WHERE account_id = $1', [accountId]);
    const deliveries = await deliveriesOf(account, endpoint);
    return (
      waiting.length === 0 && deliveries.length > 0 && deliveries.every(({ status: each }) => each === 'delivered')
    );
  });
  return { account, template, endpoint, contact, message, unreported, completed, day: new Date() };
}
