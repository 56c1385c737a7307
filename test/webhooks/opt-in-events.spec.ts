import { eventBody } from '../../src/manifest/event-manifest.js';
import { Manifest } from '../../src/manifest/manifest.js';
import { Room } from '../../src/manifest/room.js';
import { Outbox } from '../../src/outbox/outbox.js';
import { OutboxSignal } from '../../src/outbox/outbox-signal.js';
import { MANIFEST } from '../../src/rooms.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { emit, event, settledDeliveries, subscribe } from './events.js';
import { Receiver } from './receiver.js';

/** A room of a later version. */
@Room({
  areas: ['invoices'],
  events: [class extends eventBody('invoice.paid', { when: 'An invoice was paid' }) {}],
})
class InvoicesModule {}

describe('opt-in events', () => {
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account({ scopes: ['*'] });
    receiver = await Receiver.listen();
  });
  afterEach(() => receiver.close());

  const at = (path: string) =>
    receiver.received
      .filter((received) => received.path === path)
      .map(({ body }) => JSON.parse(body.toString('utf8')) as Record<string, unknown>);
  const show = async (id: string): Promise<Record<string, unknown>> =>
    (await account.api.get<{ webhook: Record<string, unknown> }>(`/api/v1/webhooks/${id}`)).body.webhook;
  const everyone = async () => {
    const usual = await subscribe(account, { url: receiver.url('/usual') });
    await subscribe(account, { url: receiver.url('/named'), subscribed_events: ['webhook.disabled'] });
    await subscribe(account, { url: receiver.url('/all'), subscribed_events: ['*'] });
    return usual;
  };

  it('reach the endpoints that name them or subscribe to "*", and no others', async () => {
    await everyone();
    const gone = await subscribe(account, { url: receiver.url('/gone'), subscribed_events: ['*'] });
    receiver.answerWith(({ path }) => ({ status: path === '/gone' ? 410 : 200 }));
    await emit(world, [event(account, 1)]);
    for (const path of ['/named', '/all']) {
      const told = await until(`${path} is told`, () => at(path).find((body) => body['event'] === 'webhook.disabled'));
      expect(told).toEqual({
        event: 'webhook.disabled',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
        webhook: await show(gone),
        changed: ['status', 'disabled_reason'],
      });
      expect(told['webhook']).toMatchObject({ status: 'disabled', disabled_reason: 'the endpoint answered 410 Gone' });
    }
    expect(at('/named')).toHaveLength(1);
    await until('the usual endpoint has its event', () => at('/usual').length > 0);
    expect(at('/usual')).toMatchObject([{ event: 'message.sent' }]);
    expect(at('/gone')).toMatchObject([{ event: 'message.sent' }]);
  });

  it('tell of an endpoint that was disabled by a request, once', async () => {
    const id = await everyone();
    for (let round = 0; round < 2; round += 1) {
      expect((await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' })).status).toBe(200);
    }
    const [told] = await until('the endpoint is told', () => at('/named').length > 0 && at('/named'));
    expect(told?.['webhook']).toEqual(await show(id));
    await emit(world, [event(account, 1)]);
    // Deliveries to one endpoint run side by side.
    const arrived = (kind: string) => at('/all').filter((body) => body['event'] === kind);
    await until('it and a later event have arrived', () =>
      ['webhook.disabled', 'message.sent'].every((kind) => arrived(kind).length > 0),
    );
    expect(arrived('webhook.disabled')).toHaveLength(1);
  });

  it('come to an end when each endpoint that is told is disabled by its own answer', async () => {
    receiver.answerWith(({ path }) => ({ status: path === '/witness' ? 200 : 410 }));
    const ids = [
      await subscribe(account, { url: receiver.url('/0') }),
      await subscribe(account, { url: receiver.url('/1'), subscribed_events: ['webhook.disabled'] }),
      await subscribe(account, { url: receiver.url('/2'), subscribed_events: ['webhook.disabled'] }),
    ];
    await subscribe(account, { url: receiver.url('/witness'), subscribed_events: ['*'] });
    await emit(world, [event(account, 1)]);
    const told = () => at('/witness').filter((body) => body['event'] === 'webhook.disabled');
    await until('all are disabled', () => told().length >= ids.length);
    await emit(world, [event(account, 2)]);
    await until('a later event has arrived', () => at('/witness').length > ids.length + 1);
    expect(
      told()
        .map((body) => (body['webhook'] as { id: string }).id)
        .sort(),
    ).toEqual([...ids].sort());
  });

  it('include kinds that come later, for endpoints that subscribe to "*"', async () => {
    await everyone();
    const later = new Outbox(world.parley.app.get(OutboxSignal), new Manifest([...MANIFEST.rooms, InvoicesModule]));
    const paid = { ...event(account, 1, 'invoice.paid'), contactId: null, payload: { invoice: { number: 7 } } };
    await world.unitOfWork.transaction((tx) => later.write([paid, event(account, 2)], tx));
    later.announce();
    await until('both have arrived', () => at('/all').length >= 2);
    await until('the usual endpoint has its event', () => at('/usual').length > 0);
    expect(at('/all')).toContainEqual({ invoice: { number: 7 } });
    expect(at('/usual')).toHaveLength(1);
    expect(at('/named')).toEqual([]);
  });

  it('are shown as given, and by default not at all', async () => {
    const every = await subscribe(account, { url: receiver.url('/every'), subscribed_events: ['*', 'message.sent'] });
    expect(await show(every)).toMatchObject({ subscribed_events: ['*', 'message.sent'] });
    for (const [index, subscribed_events] of [[], null, undefined].entries()) {
      const id = await subscribe(account, { url: receiver.url(`/${index}`), subscribed_events });
      expect(await show(id)).toMatchObject({ subscribed_events: MANIFEST.usualEvents });
    }
    await account.api.patch(`/api/v1/webhooks/${every}`, { subscribed_events: [] });
    expect(await show(every)).toMatchObject({ subscribed_events: MANIFEST.usualEvents });
  });

  it('are all given only to a key with the scope "*" (403)', async () => {
    const narrow = await world.account({ scopes: ['webhooks:read', 'webhooks:write', 'messages:read'] });
    const refused = { error: 'forbidden', message: expect.stringContaining('lacks the scope *') };
    const url = receiver.url('/narrow');
    const created = await narrow.api.post('/api/v1/webhooks/', { url, subscribed_events: ['*'] });
    expect([created.status, created.body]).toEqual([403, refused]);
    const id = await subscribe(narrow, { url, subscribed_events: ['webhook.disabled'] });
    const changed = await narrow.api.patch(`/api/v1/webhooks/${id}`, { subscribed_events: ['*'] });
    expect([changed.status, changed.body]).toEqual([403, refused]);
    const since = new Date().toISOString();
    const replayed = await narrow.api.post(`/api/v1/webhooks/${id}/replay`, { since, events: ['*'] });
    expect([replayed.status, replayed.body]).toEqual([403, refused]);
  });

  it('are replayed to an endpoint that subscribes to "*", but test events are not', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const other = await subscribe(account, { url: receiver.url('/other') });
    expect((await account.api.post(`/api/v1/webhooks/${other}/test`)).status).toBe(202);
    await settledDeliveries(account, other);
    await account.api.patch(`/api/v1/webhooks/${other}`, { status: 'disabled' });
    await until('its event has been distributed', async () => {
      const waiting = await world.unitOfWork.autocommit.rows('SELECT event_id FROM outbox WHERE account_id = $1', [
        account.accountId,
      ]);
      return waiting.length === 0;
    });
    const id = await subscribe(account, { url: receiver.url('/late'), subscribed_events: ['*'] });
    const replay = await account.api.post(`/api/v1/webhooks/${id}/replay`, { since, events: [] });
    expect(replay.body).toMatchObject({ replay: { events: ['*'] } });
    await settledDeliveries(account, id);
    expect(at('/late')).toMatchObject([{ event: 'webhook.disabled' }]);
  });
});
