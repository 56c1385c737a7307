// What a key may do with webhooks follows from what their events carry: whoever decides where an endpoint is, how it logs
// in and what is sent there reads the events. Every scope is tried with every event.

import { MANIFEST } from '../../src/rooms.js';
import { ApiClient } from '../support/api-client.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { attempted, deliveriesOf, emit, event, IN_AN_HOUR, settledDeliveries, subscribe } from './events.js';
import { Receiver } from './receiver.js';

/** The scope under which a GET shows the record that an event carries. */
const needs = (kind: string): string => String(MANIFEST.events.get(kind)?.scope);

const KINDS = MANIFEST.subscribableEvents;
const WEBHOOKS = '/api/v1/webhooks/';
const OWN = ['webhooks:read', 'webhooks:write'];

describe('a key that manages webhooks', () => {
  let world: World;
  let receiver: Receiver;
  let account: TestAccount;

  beforeAll(async () => {
    [world, receiver] = await Promise.all([World.start(), Receiver.listen()]);
    account = await world.account({ scopes: ['*'] });
  });
  afterAll(async () => {
    await world.stop();
    await receiver.close();
  });

  const keyWith = async (scopes: readonly string[]): Promise<ApiClient> => {
    const { body } = await account.api.post<{ key: string }>('/api/v1/api-keys', { name: 'Narrow', scopes });
    return new ApiClient(world.baseUrl, body.key);
  };
  const lacks = (scope: string, kind: string) => ({
    status: 403,
    body: { error: 'forbidden', message: `the API key lacks the scope ${scope}, which the event ${kind} needs` },
  });
  const endpoint = (events: readonly string[], path: string) =>
    subscribe(account, { url: receiver.url(path), subscribed_events: events, secret: 'secret', retry_count: 0 });

  it('reads what the core sends with the scope of its record', () => {
    expect([...new Set(MANIFEST.usualEvents.map(needs))]).toEqual(['messages:read', 'conversations:read']);
    expect(['button.clicked', 'message.reply', 'conversation.assigned', 'webhook.disabled'].map(needs)).toEqual([
      'messages:read',
      'messages:read',
      'conversations:read',
      'webhooks:read',
    ]);
  });

  it.each(KINDS)('subscribes to %s only with the scope that reads what it carries', async (kind) => {
    for (const scope of MANIFEST.scopes.filter((each) => !OWN.includes(each))) {
      const api = await keyWith([...new Set(['webhooks:write', scope])]);
      const body = { url: receiver.url(`/${kind}/${scope}`), subscribed_events: [kind] };
      const { status, text } = await api.post(WEBHOOKS, body);
      expect([scope, status, text]).toEqual([scope, scope === needs(kind) ? 201 : 403, expect.any(String)]);
    }
    const without = await keyWith(MANIFEST.scopes.filter((scope) => scope !== needs(kind)));
    const body = { url: receiver.url(`/${kind}`), subscribed_events: [kind] };
    expect(await without.post(WEBHOOKS, body)).toMatchObject(lacks(needs(kind), kind));
    // An account has a limited number of endpoints and keys.
    await world.unitOfWork.autocommit.affected(
      `UPDATE webhook_endpoints SET deleted_at = now() WHERE account_id = $1`,
      [account.accountId],
    );
    account = await world.account({ scopes: ['*'] });
  });

  it('names no events only if it may read all of the usual ones (403 naming the scope)', async () => {
    const body = { url: receiver.url('/usual') };
    expect(await (await keyWith(OWN)).post(WEBHOOKS, body)).toMatchObject(lacks('messages:read', 'message.sent'));
    expect(
      await (await keyWith([...OWN, 'messages:read'])).post(WEBHOOKS, { ...body, subscribed_events: [] }),
    ).toMatchObject(lacks('conversations:read', 'conversation.assigned'));
    expect((await (await keyWith([...OWN, 'messages:read', 'conversations:read'])).post(WEBHOOKS, body)).status).toBe(
      201,
    );
  });

  it('changes an endpoint only if it may read what is sent there, but may disable and delete it', async () => {
    const id = await endpoint(['message.received'], '/others');
    const api = await keyWith([...OWN, 'conversations:read']);
    const refused = lacks('messages:read', 'message.received');
    for (const change of [
      { url: receiver.url('/mine') },
      { secret: 'mine' },
      { headers: { authorization: 'mine' } },
      { subscribed_events: ['conversation.assigned'] },
      { timeout: 30 },
      { status: 'active' },
      { status: 'disabled', url: receiver.url('/mine') },
    ]) {
      expect(await api.patch(`${WEBHOOKS}${id}`, change)).toMatchObject(refused);
    }
    expect(await api.post(`${WEBHOOKS}${id}/rotate-secret`, {})).toMatchObject(refused);
    expect((await account.api.get(`${WEBHOOKS}${id}`)).body).toMatchObject({
      webhook: { url: receiver.url('/others'), status: 'active', subscribed_events: ['message.received'] },
    });
    const harmless = await endpoint(['conversation.assigned'], '/harmless');
    expect(await api.patch(`${WEBHOOKS}${harmless}`, { subscribed_events: ['message.sent'] })).toMatchObject(
      lacks('messages:read', 'message.sent'),
    );
    // An empty list means the usual events, like none in a new endpoint.
    expect(await api.patch(`${WEBHOOKS}${harmless}`, { subscribed_events: [] })).toMatchObject(
      lacks('messages:read', 'message.sent'),
    );
    expect((await api.patch(`${WEBHOOKS}${harmless}`, { timeout: 30 })).status).toBe(200);
    expect((await api.patch(`${WEBHOOKS}${id}`, { status: 'disabled' })).status).toBe(200);
    expect((await api.delete(`${WEBHOOKS}${id}`)).status).toBe(200);
  });

  it('sees in the log, redelivers and replays only what it may read', async () => {
    const since = new Date(Date.now() - 1000).toISOString();
    receiver.answerWith(() => ({ status: 200, body: 'what a receiver repeats' }));
    const id = await endpoint(['message.sent', 'conversation.assigned'], '/log');
    await emit(world, [event(account, 'm'), event(account, 'c', 'conversation.assigned')]);
    await settledDeliveries(account, id, 2);
    const api = await keyWith([...OWN, 'conversations:read']);
    const log = await deliveriesOf({ ...account, api }, id);
    expect(Object.fromEntries(log.map((each) => [each.event, each.attempts[0]?.response]))).toEqual({
      'message.sent': null,
      'conversation.assigned': 'what a receiver repeats',
    });
    const redeliver = (kind: string) =>
      api.post(`${WEBHOOKS}${id}/deliveries/${log.find((each) => each.event === kind)?.id}/redeliver`);
    expect(await redeliver('message.sent')).toMatchObject(lacks('messages:read', 'message.sent'));
    expect((await redeliver('conversation.assigned')).status).toBe(202);
    const replay = (events?: readonly string[]) => api.post(`${WEBHOOKS}${id}/replay`, { since, events });
    expect(await replay()).toMatchObject(lacks('messages:read', 'message.sent'));
    expect(await replay(['message.sent'])).toMatchObject(lacks('messages:read', 'message.sent'));
    expect((await replay(['conversation.assigned'])).status).toBe(202);
    const sent = (kind: string) => receiver.received.filter(({ path, body }) => path === '/log' && body.includes(kind));
    await until('only the conversation is sent again', () => sent('conversation.assigned').length >= 3);
    await settledDeliveries(account, id, 3);
    expect(sent('message.sent')).toHaveLength(1);
  });

  it('changes an endpoint only if it may read what is still to be sent there, whatever it subscribes to now', async () => {
    receiver.answerWith(() => ({ status: 503, headers: IN_AN_HOUR }));
    const id = await endpoint(['conversation.assigned'], '/before');
    await account.api.patch(`${WEBHOOKS}${id}`, { subscribed_events: ['message.sent'], retry_count: 1 });
    await emit(world, [event(account, 'late')]);
    await attempted(account, id);
    await account.api.patch(`${WEBHOOKS}${id}`, { subscribed_events: ['conversation.assigned'] });
    const api = await keyWith([...OWN, 'conversations:read']);
    const refused = lacks('messages:read', 'message.sent');
    expect(await api.patch(`${WEBHOOKS}${id}`, { url: receiver.url('/after') })).toMatchObject(refused);
    expect(await api.post(`${WEBHOOKS}${id}/rotate-secret`, {})).toMatchObject(refused);
    await world.unitOfWork.autocommit.affected(
      `UPDATE webhook_deliveries SET status = 'failed' WHERE account_id = $1 AND endpoint_id = $2`,
      [account.accountId, id],
    );
    expect((await api.patch(`${WEBHOOKS}${id}`, { url: receiver.url('/after') })).status).toBe(200);
  });

  it('changes an endpoint only if it may read what a replay is still to send there', async () => {
    const id = await endpoint(['conversation.assigned'], '/replayed');
    const since = new Date().toISOString();
    expect((await account.api.post(`${WEBHOOKS}${id}/replay`, { since, events: ['message.sent'] })).status).toBe(202);
    await until('there was nothing to replay', async () => {
      const { body } = await account.api.get<{ replay: { status: string } }>(`${WEBHOOKS}${id}`);
      return body.replay.status === 'finished';
    });
    await account.api.patch(`${WEBHOOKS}${id}`, { status: 'disabled' });
    // As if it had been disabled before the replay was over.
    await world.unitOfWork.autocommit.affected(
      `UPDATE webhook_replays SET finished_at = NULL WHERE account_id = $1 AND endpoint_id = $2`,
      [account.accountId, id],
    );
    const api = await keyWith([...OWN, 'conversations:read']);
    const change = { url: receiver.url('/elsewhere'), status: 'active' };
    expect(await api.patch(`${WEBHOOKS}${id}`, change)).toMatchObject(lacks('messages:read', 'message.sent'));
    expect((await api.delete(`${WEBHOOKS}${id}/replay`)).status).toBe(200);
    expect((await api.patch(`${WEBHOOKS}${id}`, change)).status).toBe(200);
  });
});
