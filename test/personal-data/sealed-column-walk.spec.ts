import { tokenPlace } from '../../src/accounts/business-phones.service.js';
import { SEALED_COLUMNS } from '../../src/cli/secret.commands.js';
import { hashKeyPlace } from '../../src/database/secrets/hash-keys.js';
import { draft, recipientsOf, untilCampaign } from '../campaigns/campaigns.js';
import { isReplay, killOwner, uniqueKey } from '../idempotency/keys.js';
import { SEND } from '../messages/messages.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { emit, event, settledDeliveries, subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { columnsWith, dumpOf } from './database-dump.js';
import { age, erase, untilPass } from './erasing.js';
import { MISSING_KEY, seal, unreadableCounts } from './missing-key.js';

/** The encrypted columns, with the columns under which their values are counted: a previous secret was once the current one. */
const COUNTED_AS = new Map([
  ...SEALED_COLUMNS.map((each) => [`${each.table}.${each.column}`, each.place('a', ['b', 'c']).column] as const),
  [hashKeyPlace('any').column, hashKeyPlace('any').column] as const,
]);
const COLUMNS = [...COUNTED_AS.keys()];

/** An event that only this test causes: reports about the messages of one walk arrive during the next. */
const ALONE = 'conversation.reopened';

/**
 * Every encrypted column in turn: one value is lost with its key, and everything that does not need it goes on. A column
 * without a walk fails the first test, and a value that is encrypted in an unlisted column the last one.
 */
describe('a value that cannot be decrypted', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;
  let template: string;

  const start = async () => {
    world = await World.start({ databaseUrl, env: { METRICS_PORT: '0' } });
  };
  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    receiver = await Receiver.listen();
    await start();
    account = await world.account({ phones: 2, credits: 100 });
    template = (await approvedTemplate(world, account)).name;
  });
  afterAll(async () => {
    await world.stop();
    await receiver.close();
  });

  const lose = async (column: string, where: string): Promise<void> => {
    const [table = '', name = ''] = column.split('.');
    expect(await seal(world, { table, column: name }, where, 'missing key')).toBe(1);
  };
  const post = (path: string, body: unknown, key?: string, api = account.api): Promise<ApiResponse> =>
    api.post(path, body, key === undefined ? {} : { headers: { 'idempotency-key': key } });
  /** Expects that a request is refused because of the missing key. @returns the answer */
  const expectRefused = async (path: string, body: unknown, key?: string): Promise<ApiResponse> => {
    const refused = await until('the request is refused for the key', async () => {
      const answer = await post(path, body, key, account.api.impatient);
      return String(answer.body['message']).includes(`encrypted with key "${MISSING_KEY}"`) && answer;
    });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 503,
      body: { error: 'unavailable', message: expect.any(String) },
    });
    return refused;
  };
  const listen = (settings: Record<string, unknown>): Promise<string> =>
    subscribe(account, { ...settings, subscribed_events: [ALONE] });
  const contactOf = async (phone: string): Promise<string> => {
    const { body } = await post('/api/v1/contacts/', { phone_number: phone, first_name: 'Ada' });
    return (body as { contact: { id: string } }).contact.id;
  };
  const codes = async () =>
    (await approvedTemplate(world, account, { category: 'AUTHENTICATION', body: undefined })).name;

  /** What is lost in each column, who notices, and who does not. */
  const WALKS: Readonly<Record<string, () => Promise<void>>> = {
    'business_phones.access_token': async () => {
      const [kept, lost] = account.phones;
      await lose('business_phones.access_token', `id = '${lost?.id}'`);
      const message = () => ({ contact_phone: uniquePhone(), template_name: template });
      const refused = await expectRefused(SEND, { ...message(), waba_phone_id: lost?.id });
      expect(refused.text).toContain(tokenPlace(account.accountId, lost?.id ?? '').column);
      expect((await post(SEND, { ...message(), waba_phone_id: kept?.id })).status).toBe(200);
    },
    'webhook_endpoints.secret': async () => {
      const settings = { retry_count: 0, secret: 'first' };
      const [lost, kept] = [
        await listen({ ...settings, url: receiver.url('/lost') }),
        await listen({ ...settings, url: receiver.url('/kept') }),
      ];
      const [key, other] = [uniqueKey(), uniqueKey()];
      const pathOf = (id: string) => `/api/v1/webhooks/${id}/rotate-secret`;
      const rotate = (id: string, given: string) => post(pathOf(id), {}, given);
      expect([(await rotate(lost, key)).status, (await rotate(kept, other)).status]).toEqual([200, 200]);
      // Both answers must be made again from the stored secret.
      await killOwner(world, account, key);
      await killOwner(world, account, other);
      await lose('webhook_endpoints.secret', `id = '${lost}'`);
      await expectRefused(pathOf(lost), {}, key);
      expect((await rotate(kept, other)).status).toBe(200);
      await emit(world, [event(account, 'one', ALONE)]);
      expect(await settledDeliveries(account, kept)).toMatchObject([{ status: 'delivered' }]);
      expect(await settledDeliveries(account, lost)).toMatchObject([{ status: 'failed' }]);
      for (const id of [lost, kept]) await account.api.delete(`/api/v1/webhooks/${id}`);
    },
    'webhook_endpoints.previous_secret': async () => {
      const id = await listen({ url: receiver.url('/rotated'), retry_count: 0, secret: 'first' });
      expect((await post(`/api/v1/webhooks/${id}/rotate-secret`, {})).status).toBe(200);
      await lose('webhook_endpoints.previous_secret', `id = '${id}'`);
      await emit(world, [event(account, 'two', ALONE)]);
      expect(await settledDeliveries(account, id)).toMatchObject([{ status: 'delivered' }]);
      await account.api.delete(`/api/v1/webhooks/${id}`);
    },
    'webhook_endpoints.older_secrets': async () => {
      const id = await listen({ url: receiver.url('/older'), retry_count: 0, secret: 'first' });
      const rotate = () => post(`/api/v1/webhooks/${id}/rotate-secret`, {});
      for (let rotation = 0; rotation < 2; rotation += 1) expect((await rotate()).status).toBe(200);
      expect(
        await seal(world, { table: 'webhook_endpoints', column: 'older_secrets[1]' }, `id = '${id}'`, 'missing key'),
      ).toBe(1);
      await emit(world, [event(account, 'three', ALONE)]);
      expect(await settledDeliveries(account, id)).toMatchObject([{ status: 'delivered' }]);
      expect((await rotate()).status).toBe(200);
      await account.api.delete(`/api/v1/webhooks/${id}`);
    },
    'webhook_endpoints.headers': async () => {
      const headers = { authorization: 'a password' };
      const [lost, kept] = [
        await listen({ url: receiver.url('/login'), retry_count: 0, headers }),
        await listen({ url: receiver.url('/other'), retry_count: 0, headers }),
      ];
      await lose('webhook_endpoints.headers', `id = '${lost}'`);
      await emit(world, [event(account, 'four', ALONE)]);
      expect(await settledDeliveries(account, kept)).toMatchObject([{ status: 'delivered' }]);
      expect(await settledDeliveries(account, lost)).toMatchObject([{ status: 'failed' }]);
      for (const id of [lost, kept]) await account.api.delete(`/api/v1/webhooks/${id}`);
    },
    'idempotency_keys.response': async () => {
      const [lost, kept] = [uniqueKey(), uniqueKey()];
      const send = (key: string) => post('/api/v1/groups', { name: key }, key);
      expect([(await send(lost)).status, (await send(kept)).status]).toEqual([201, 201]);
      await lose('idempotency_keys.response', `idempotency_key = '${lost}'`);
      await expectRefused('/api/v1/groups', { name: lost }, lost);
      expect(isReplay(await send(kept))).toBe(true);
    },
    'idempotency_keys.shown_once': async () => {
      const [lost, kept] = [uniqueKey(), uniqueKey()];
      const reader = { name: 'Reader', scopes: ['contacts:read'] };
      const create = (key: string) => post('/api/v1/api-keys', reader, key);
      expect([(await create(lost)).status, (await create(kept)).status]).toEqual([201, 201]);
      await lose('idempotency_keys.shown_once', `idempotency_key = '${lost}'`);
      await expectRefused('/api/v1/api-keys', reader, lost);
      expect(isReplay(await create(kept))).toBe(true);
    },
    'contact_erasures.identity': async () => {
      const [lost, kept] = [await contactOf(uniquePhone()), await contactOf(uniquePhone())];
      const [naming, other] = [uniqueKey(), uniqueKey()];
      const create = { phone_number: uniquePhone(), first_name: 'Bo' };
      expect((await post('/api/v1/contacts/', create, naming)).status).toBe(201);
      expect((await post('/api/v1/groups', { name: other }, other)).status).toBe(201);
      for (const id of [lost, kept]) {
        await erase(account, id);
        await untilPass(world, account, id, 1);
      }
      await lose('contact_erasures.identity', `contact_id = '${lost}'`);
      await expectRefused('/api/v1/contacts/', create, naming);
      expect(isReplay(await post('/api/v1/groups', { name: other }, other))).toBe(true);
      await age(world, account, 5);
      expect(await untilPass(world, account, kept, 2)).toMatchObject({ identity: null });
      const waiting = await untilPass(world, account, lost, 1);
      expect(waiting.identity).not.toBeNull();
      await seal(world, { table: 'contact_erasures', column: 'identity' }, `contact_id = '${lost}'`, 'known key');
    },
    'campaigns.code': async () => {
      const name = await codes();
      const [lost, kept] = [
        await draft(account, name, 1, { body_data: { '1': '111222' } }),
        await draft(account, name, 1, { body_data: { '1': '333444' } }),
      ];
      await lose('campaigns.code', `id = '${lost}'`);
      await expectStopped(lost);
      await expectCompleted(kept);
    },
    'campaign_recipients.code': async () => {
      const name = await codes();
      const contacts = () => ({ contacts: [{ phone: uniquePhone(), body_data: { '1': '555666' } }] });
      const [lost, kept] = [await draft(account, name, 0, contacts()), await draft(account, name, 0, contacts())];
      await lose('campaign_recipients.code', `campaign_id = '${lost}'`);
      await expectStopped(lost);
      await expectCompleted(kept);
    },
    'hash_keys.secret': async () => {
      await lose('hash_keys.secret', `name = 'suppressions'`);
      await lose('hash_keys.secret', `name = 'fingerprints'`);
      await world.stop();
      await start();
      for (const { phoneNumberId, wabaId, display } of account.phones) {
        await world.simulator.addPhone(phoneNumberId, wabaId, display);
      }
      account = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
      await expectRefused('/api/v1/groups', { name: 'Keyed' }, uniqueKey());
      const ada = { phone_number: uniquePhone(), first_name: 'Ada' };
      await eventually(async () =>
        expect(await post('/api/v1/contacts/', ada, undefined, account.api.impatient)).toMatchObject({
          status: 503,
          body: { message: expect.stringContaining(`key "${MISSING_KEY}"`) },
        }),
      );
      expect((await post('/api/v1/groups', { name: 'Unkeyed' })).status).toBe(201);
    },
  };

  const expectStopped = async (id: string): Promise<void> => {
    expect((await post(`/api/v1/campaigns/${id}/send`, {})).status).toBe(202);
    const { failure_reason } = await untilCampaign(account, id, 'failed');
    expect(failure_reason).toContain(`encrypted with key "${MISSING_KEY}"`);
    await eventually(async () =>
      expect(await recipientsOf(account, id)).toMatchObject([{ status: 'pending', attempts: 0 }]),
    );
  };
  const expectCompleted = async (id: string): Promise<void> => {
    expect((await post(`/api/v1/campaigns/${id}/send`, {})).status).toBe(202);
    await untilCampaign(account, id, 'completed');
    expect(await recipientsOf(account, id)).toMatchObject([{ status: 'sent' }]);
  };
  /** Failed runs of sweeps. */
  const failedSweeps = async (): Promise<string[]> => {
    const text = await (await fetch(`${world.parley.operationsUrl}/metrics`)).text();
    return [...text.matchAll(/^parley_sweep_failures_total\{.*\} [1-9]\d*$/gm)].map(([line]) => line);
  };

  it('is looked for in every encrypted column', () => {
    expect(Object.keys(WALKS).sort()).toEqual([...COLUMNS].sort());
  });

  it.each(COLUMNS)('affects only what needs it, and is counted: %s', async (column) => {
    const countOf = async () => (await unreadableCounts(world))[COUNTED_AS.get(column) ?? ''] ?? 0;
    const before = await countOf();
    const isAtStart = column === hashKeyPlace('any').column;
    await WALKS[column]?.();
    // Counts begin again with the process.
    expect(await countOf()).toBeGreaterThan(isAtStart ? 0 : before);
    expect(await failedSweeps()).toEqual([]);
    const neighbour = await world.account();
    expect((await neighbour.api.post('/api/v1/groups', { name: 'Friends' })).status).toBe(201);
    if (!isAtStart) {
      const { name } = await approvedTemplate(world, neighbour);
      const sent = await neighbour.api.post(SEND, { contact_phone: uniquePhone(), template_name: name });
      expect(sent.status).toBe(200);
    }
  });

  it('was looked for wherever a value is encrypted', async () => {
    const dump = await dumpOf(databaseUrl);
    const encrypted = columnsWith(dump, ['v1.k1.', `v1.${MISSING_KEY}.`]);
    expect(encrypted.filter((column) => !COLUMNS.includes(column))).toEqual([]);
  });
});
