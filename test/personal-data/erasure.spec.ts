import { ContactErasure } from '../../src/contacts/erasure/contact-erasure.entity.js';
import { scopesOf } from '../http/routes.js';
import { eventsOf } from '../messages/messages.js';
import { ApiClient } from '../support/api-client.js';
import { crowdOf } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { contactColumns } from './data-protection-page.js';
import { columnsWith, dumpOf } from './database-dump.js';
import { age, untilPass } from './erasing.js';
import { leaveTraces, type Traces, writeOnceMore } from './traces.js';

/** Columns that a search of a dump cannot read, because they are encrypted or hashed. */
const UNREADABLE = [
  'campaign_recipients.code',
  'contact_erasures.identity',
  'idempotency_keys.fingerprint',
  'idempotency_keys.response',
  'suppressions.identity_hash',
];

const EXPORT = 'GET /api/v1/contacts/:contact_id/export';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The tests follow one person in order, from the first trace to the last. No worker runs at first, which separates data
 * hidden immediately from data removed later.
 */
describe('an erased contact', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;
  let person: Traces;
  let statsBefore: unknown;

  /** Continues with another process on the same database. */
  const restart = async (roles: string): Promise<void> => {
    await world.stop();
    world = await World.start({ databaseUrl, env: { PARLEY_ROLES: roles } });
    account = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
  };
  const api = () => account.api;
  const found = async () => columnsWith(await dumpOf(databaseUrl), person.needles);
  const namesPerson = (text: string) =>
    person.needles.filter((needle) => text.toLowerCase().includes(needle.toLowerCase()));
  const stats = async () => (await api().get(`/api/v1/campaigns/${person.campaignId}/stats`)).body;
  const erasure = () =>
    world.unitOfWork.autocommit.manager.findOneByOrFail(ContactErasure, { accountId: account.accountId });
  const passed = (passes: number) => untilPass(world, account, person.contactId, passes);
  /** The answers of every GET route that can return data about the person. */
  const everyAnswer = async (): Promise<{ path: string; status: number; text: string }[]> => {
    const { body } = await new ApiClient(world.baseUrl, null).get<Description>('/openapi.json');
    const [delivery] = await deliveriesOf(account, person.webhookId);
    const ids: Record<string, string> = {
      contact_id: person.contactId,
      contact_phone: person.phone,
      group_id: person.groupId,
      message_id: person.messageId,
      campaign_id: person.campaignId,
      webhook_id: person.webhookId,
      delivery_id: String(delivery?.id),
      template_id: person.templateId,
      ...person.values,
    };
    const paths = Object.entries(body.paths).flatMap(([path, operations]) => {
      const asked = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `no ${name}`);
      return 'get' in operations && path.startsWith('/api/v1/') ? [asked] : [];
    });
    const more = [`?search=${person.phone}`, `?search=${person.needles[3]}`].map(
      (query) => `/api/v1/contacts/${query}`,
    );
    const filtered = `/api/v1/messages/?contact_phone=${person.phone}`;
    return crowdOf([...paths, ...more, filtered], async (path) => {
      const { status, text } = await api().get(path);
      return { path, status, text };
    });
  };

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    receiver = await Receiver.listen(({ body }) => ({ status: 200, body: body.toString() }));
    world = await World.start({ databaseUrl });
    await world.simulator.behave({ statuses: [] });
    account = await world.account();
    person = await leaveTraces(world, account, receiver);
    await restart('api');
    await writeOnceMore(world, account, person);
    statsBefore = await stats();
  });
  afterAll(async () => {
    await world.stop();
    await receiver.close();
  });

  it('has left data in every column with personal data', async () => {
    expect((await found()).concat(UNREADABLE).sort()).toEqual(contactColumns());
    const leaks = (await everyAnswer()).filter(({ text }) => namesPerson(text).length > 0);
    expect(leaks.length).toBeGreaterThan(10);
  });

  it('is shown in full by its export', async () => {
    const { status, headers, body, text } = await api().get<Record<string, unknown[]>>(
      `/api/v1/contacts/${person.contactId}/export`,
    );
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(namesPerson(text)).toEqual(person.needles);
    const counts = Object.fromEntries(
      Object.entries(body).map(([name, rows]) => [name, Array.isArray(rows) ? rows.length : 0]),
    );
    expect(counts).toMatchObject({ groups: 1, conversations: 1, assignments: 3, recipients: 3, merged_contacts: 0 });
    expect(counts['messages']).toBe(6);
    expect(counts['events']).toBe(
      (await eventsOf(world, account)).filter((event) => namesPerson(JSON.stringify(event)).length > 0).length,
    );
    expect(counts['deliveries']).toBeGreaterThan(5);
    expect(counts['callbacks']).toBe(2);
    expect(counts['stored_answers']).toBeGreaterThan(2);
  });

  it('is not exported to a key without one of the scopes that it shows records of (403)', async () => {
    const required = scopesOf(world, EXPORT);
    expect(required.length).toBeGreaterThan(5);
    const path = `/api/v1/contacts/${person.contactId}/export`;
    for (const lacked of required) {
      const scopes = required.filter((scope) => scope !== lacked);
      const narrow = await (await world.account({ scopes })).api.get(path);
      expect({ status: narrow.status, message: narrow.body['message'] }).toEqual({
        status: 403,
        message: `the API key lacks the scope ${lacked}`,
      });
    }
    expect((await (await world.account({ scopes: required })).api.get(path)).status).toBe(404);
  });

  it('is hidden from every answer immediately, before any worker runs', async () => {
    receiver.received.length = 0;
    const { status, body } = await api().delete(`/api/v1/contacts/${person.contactId}?erase=true`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: 'Contact erased', contact_id: person.contactId },
    });
    expect(await erasure()).toMatchObject({ passes: 0, identity: expect.stringMatching(/^v1\./), clearedAt: null });
    const answers = await everyAnswer();
    // A request that names a number is answered about that number.
    const asked = (path: string) => (path.includes(person.phone) ? person.phone : '-');
    expect(answers.filter(({ text, path }) => namesPerson(text.replaceAll(asked(path), '')).length > 0)).toEqual([]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await found()).length).toBeGreaterThan(5);
  });

  it('is hidden from answers replayed for an Idempotency-Key', async () => {
    expect(person.keyed.length).toBeGreaterThan(5);
    for (const { key, path, body } of person.keyed) {
      const answer = await api().post(path, body, { headers: { 'idempotency-key': key } });
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
      expect(namesPerson(answer.text)).toEqual([]);
    }
  });

  it('can be erased again, and is 404 everywhere else', async () => {
    const path = `/api/v1/contacts/${person.contactId}`;
    expect((await api().delete(`${path}?erase=true`)).status).toBe(200);
    expect((await api().delete(path)).status).toBe(404);
    expect((await api().get(`${path}/export`)).status).toBe(404);
    expect((await api().patch(path, { first_name: 'Zeb' })).status).toBe(404);
  });

  it('is removed from every table once a worker runs', async () => {
    await restart('api,worker');
    await passed(1);
    expect(await found()).toEqual([]);
  });

  it('leaves messages without content, and all counts unchanged', async () => {
    expect(await stats()).toEqual(statsBefore);
    const { body } = await api().get(`/api/v1/messages/${person.messageId}`);
    expect(body['message_record']).toMatchObject({
      contact_id: person.contactId,
      contact_phone: null,
      contact_name: '',
      content: '',
      network_message_id: null,
      status: 'sent',
    });
  });

  it('is redacted in pending deliveries, redeliveries and replays, which match the log', async () => {
    const all = await until('nothing is pending', async () => {
      const listed = await deliveriesOf(account, person.webhookId);
      return listed.every(({ status }) => status === 'delivered') && listed;
    });
    const pending = receiver.received.length;
    expect(pending).toBeGreaterThan(0);
    for (const { id } of all.slice(0, 3)) {
      await api().post(`/api/v1/webhooks/${person.webhookId}/deliveries/${id}/redeliver`);
    }
    await api().post(`/api/v1/webhooks/${person.webhookId}/replay`, {
      since: new Date(Date.now() - 3_600_000).toISOString(),
    });
    const logged = new Set((await eventsOf(world, account)).map((event) => JSON.stringify(event)));
    await until('all of it has arrived', () => receiver.received.length >= pending + 3 + logged.size);
    const bodies = receiver.received.map(({ body }) => body.toString());
    expect(bodies.filter((body) => namesPerson(body).length > 0)).toEqual([]);
    expect(bodies.filter((body) => !logged.has(body))).toEqual([]);
    expect(JSON.parse(bodies.find((body) => body.includes('message.received')) ?? '')).toMatchObject({
      message: { contact_phone: null, contact_name: '', content: '', message_type: 'text' },
    });
  });

  it('is not replayed for a key that named it, and the request does not run again', async () => {
    const before = (await api().get('/api/v1/messages/?limit=1')).body['total'];
    for (const { key, path, body } of person.keyed) {
      const answer = await api().post(path, body, { headers: { 'idempotency-key': key } });
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
      expect(namesPerson(answer.text)).toEqual([]);
    }
    expect((await api().get('/api/v1/messages/?limit=1')).body['total']).toBe(before);
    expect(await found()).toEqual([]);
  });

  it('is removed completely after five minutes, and searched for once more after an hour', async () => {
    await age(world, account, 5);
    const cleared = await passed(2);
    expect(cleared).toMatchObject({ identity: null, clearedAt: expect.any(Date), dueAt: expect.any(Date) });
    await age(world, account, 55);
    expect(await passed(3)).toMatchObject({ identity: null, clearedAt: cleared.clearedAt, dueAt: null });
    expect(await found()).toEqual([]);
  });
});
