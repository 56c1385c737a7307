import { createHmac } from 'node:crypto';
import { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import { crowd } from '../support/crowd.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import {
  attempted,
  deliveriesOf,
  emit,
  event,
  IN_AN_HOUR,
  letTimePass,
  markOf,
  settledDeliveries,
  subscribe,
  watchRetries,
} from './events.js';
import { databaseOfLongTimeouts, letHang } from './long-timeouts.js';
import { failOnce, Receiver } from './receiver.js';

describe('webhook delivery', () => {
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await World.start({
      databaseUrl: await databaseOfLongTimeouts(),
      env: { WEBHOOK_ENDPOINT_LIMIT: '200' },
    });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    receiver = await Receiver.listen();
  });
  afterEach(() => receiver.close());

  const settled = (webhookId: string, count?: number) => settledDeliveries(account, webhookId, count);

  it('posts the event with the documented headers, signed over the raw bytes', async () => {
    const secret = 'schlüssel-🔑';
    const id = await subscribe(account, { url: receiver.url('/hook?a=b'), secret });
    const payload = { event: 'message.sent', message: { contact_name: 'Zoë 🎉 "quoted" \u2028' } };
    await emit(world, [{ ...event(account, 1), payload }]);
    const [delivery] = await settled(id);
    const [received] = receiver.received;
    expect(received).toMatchObject({ method: 'POST', path: '/hook?a=b' });
    expect(received?.body.toString('utf8')).toBe(JSON.stringify(payload));
    const headers = received?.headers ?? {};
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Parley-Webhook/1.0',
      'webhook-id': delivery?.webhook_id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    const body = received?.body ?? Buffer.alloc(0);
    expect(headers['x-webhook-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), body]);
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', secret).update(signed).digest('base64')}`);
  });

  it('sends no signature when no secret is configured', async () => {
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    await settled(id);
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-webhook-signature');
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('delivers only subscribed events, to each endpoint of the account and to no other account', async () => {
    const stranger = await world.account();
    const reads = await subscribe(account, { url: receiver.url('/reads'), subscribed_events: ['message.read'] });
    const all = await subscribe(account, { url: receiver.url('/all') });
    const foreign = await subscribe(stranger, { url: receiver.url('/foreign') });
    await emit(world, [event(account, 'sent', 'message.sent'), event(account, 'read', 'message.read')]);
    await settled(reads);
    await settled(all, 2);
    const marks = (path: string) =>
      receiver.received.filter((delivery) => delivery.path === path).map(({ body }) => markOf(body));
    expect(marks('/reads')).toEqual(['read']);
    expect(marks('/all').sort()).toEqual(['read', 'sent']);
    expect(marks('/foreign')).toEqual([]);
    expect(await deliveriesOf(stranger, foreign)).toEqual([]);
  });

  it('lists each delivery with its attempts: status, duration and the first 1 KiB of the answer', async () => {
    receiver.answerWith(() => ({ status: 202, body: `nul \u0000 ${'é'.repeat(2000)}` }));
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    const [delivery] = await settled(id);
    expect(delivery).toEqual({
      id: expect.any(String),
      event: 'message.sent',
      webhook_id: receiver.received[0]?.headers['webhook-id'],
      status: 'delivered',
      attempts: [
        {
          at: expect.any(String),
          status_code: 202,
          duration_ms: expect.any(Number),
          error: null,
          response: expect.any(String),
          note: null,
        },
      ],
      next_attempt_at: null,
      created_at: expect.any(String),
    });
    const response = delivery?.attempts[0]?.response ?? '';
    expect(response.startsWith('nul \ufffd é')).toBe(true);
    expect(Buffer.byteLength(response.replace('\ufffd', ' '))).toBeLessThanOrEqual(1024);
    expect(response.endsWith('é')).toBe(true);
  });

  it('pages deliveries, newest first', async () => {
    const id = await subscribe(account, { url: receiver.url() });
    for (const mark of [1, 2, 3]) {
      await emit(world, [event(account, mark)]);
      await settled(id, mark);
    }
    const page = (number: number) =>
      account.api.get<{ deliveries: { webhook_id: string }[] }>(
        `/api/v1/webhooks/${id}/deliveries?limit=2&page=${number}`,
      );
    const [first, second] = [await page(1), await page(2)];
    expect(first.body).toMatchObject({ status: 'success', total: 3, page: 1, limit: 2 });
    const listed = [...first.body.deliveries, ...second.body.deliveries].map(({ webhook_id }) => webhook_id);
    expect(listed).toEqual(receiver.received.map(({ headers }) => headers['webhook-id']).reverse());
  });

  it('retries a 503 after 1 s, never early, with the same bytes and the same webhook-id', async () => {
    failOnce(receiver);
    const waitsOf = watchRetries();
    const id = await subscribe(account, { url: receiver.url(), secret: 's' });
    await emit(world, [event(account, 'ä€😀')]);
    const [delivery] = await settled(id);
    expect(delivery?.status).toBe('delivered');
    expect(delivery?.attempts.map(({ status_code }) => status_code)).toEqual([503, 200]);
    const [first, second] = receiver.received;
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    const [wait, ...others] = waitsOf(delivery?.id);
    expect(wait).toBeGreaterThanOrEqual(1000);
    expect(wait).toBeLessThanOrEqual(1200);
    expect(others).toEqual([]);
  });

  it.each([
    [429, 'the endpoint answered 429'],
    [500, 'the endpoint answered 500'],
    [302, 'the endpoint answered 302: redirects are not followed'],
  ])('retries a %i, and fails when no retry is left', async (status, error) => {
    receiver.answerWith(() => ({ status, headers: { location: receiver.url('/elsewhere') } }));
    const id = await subscribe(account, { url: receiver.url('/here'), retry_count: 1 });
    await emit(world, [event(account, 1)]);
    const [delivery] = await settled(id);
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(delivery?.attempts).toMatchObject([
      { status_code: status, error },
      { status_code: status, error },
    ]);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/here', '/here']);
  });

  it.each([400, 401, 404, 422])('does not retry %i', async (status) => {
    receiver.answerWith(() => ({ status, body: 'no' }));
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    const [delivery] = await settled(id);
    expect(delivery).toMatchObject({
      status: 'failed',
      attempts: [{ status_code: status, error: `the endpoint answered ${status}`, response: 'no' }],
    });
  });

  it('retries timeouts and connection errors', async () => {
    receiver.answerWith(() => 'hang');
    const slow = await subscribe(account, { url: receiver.url(), timeout: 1, retry_count: 10 });
    const closed = await subscribe(account, { url: 'http://127.0.0.1:9/', retry_count: 1 });
    await emit(world, [event(account, 1)]);
    await attempted(account, slow);
    receiver.answerWith(() => ({ status: 200 }));
    await account.api.patch(`/api/v1/webhooks/${slow}`, { timeout: 30 });
    const [late] = await settled(slow);
    expect(late?.status).toBe('delivered');
    expect(late?.attempts.at(-1)).toMatchObject({ status_code: 200, error: null });
    const timeouts = late?.attempts.slice(0, -1) ?? [];
    expect(timeouts.length).toBeGreaterThan(0);
    for (const timeout of timeouts) {
      expect(timeout).toMatchObject({
        status_code: null,
        // On a busy machine even the connection may take that long.
        error: expect.stringMatching(/^the endpoint did not (answer|accept a connection) within 1 s$/),
        response: null,
      });
      expect(timeout.duration_ms).toBeGreaterThanOrEqual(1000);
    }
    const [refused] = await settled(closed);
    expect(refused?.attempts.map(({ error }) => error)).toEqual(Array(2).fill('the endpoint refused the connection'));
  });

  it('disables an endpoint that answers 410', async () => {
    receiver.answerWith(() => ({ status: 410 }));
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    await settled(id);
    const { body } = await account.api.get(`/api/v1/webhooks/${id}`);
    expect(body).toMatchObject({ webhook: { status: 'disabled', disabled_reason: 'the endpoint answered 410 Gone' } });
    const other = await subscribe(account, { url: receiver.url('/other') });
    await emit(world, [event(account, 2)]);
    await settled(other);
    expect(await deliveriesOf(account, id)).toHaveLength(1);
  });

  it('leaves deliveries of a disabled endpoint pending and makes them once it is enabled again', async () => {
    receiver.answerWith(() => ({ status: 500, headers: IN_AN_HOUR }));
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    await attempted(account, id);
    await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' });
    // Later retries of another endpoint, due at the same time, prove that the first one's was due.
    const probe = await subscribe(account, { url: receiver.url('/probe') });
    await emit(world, [event(account, 2)]);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await attempted(account, probe, attempt);
      await letTimePass(world, account);
    }
    await attempted(account, probe, 3);
    expect((await deliveriesOf(account, id))[0]).toMatchObject({ status: 'pending', attempts: [{ status_code: 500 }] });
    receiver.answerWith(() => ({ status: 200 }));
    await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' });
    const [delivery] = await settled(id);
    expect(delivery?.status).toBe('delivered');
    await letTimePass(world, account);
    await settled(probe);
  });

  it('uses a changed URL and secret from the next attempt on', async () => {
    receiver.answerWith(({ path }) => (path === '/new' ? { status: 200 } : { status: 500, headers: IN_AN_HOUR }));
    const id = await subscribe(account, { url: receiver.url('/old'), secret: 'old' });
    await emit(world, [event(account, 1)]);
    await attempted(account, id);
    await account.api.patch(`/api/v1/webhooks/${id}`, { url: receiver.url('/new'), secret: 'new' });
    await letTimePass(world, account);
    const [delivery] = await settled(id);
    expect(delivery?.status).toBe('delivered');
    const { headers, body } = receiver.received[1] ?? { headers: {}, body: Buffer.alloc(0) };
    expect(headers['x-webhook-signature']).toBe(`sha256=${createHmac('sha256', 'new').update(body).digest('hex')}`);
  });

  it('removes the pending deliveries of a deleted endpoint, and creates no more', async () => {
    receiver.answerWith(() => ({ status: 500, headers: IN_AN_HOUR }));
    const id = await subscribe(account, { url: receiver.url() });
    const other = await subscribe(account, { url: receiver.url('/other'), retry_count: 0 });
    await emit(world, [event(account, 1)]);
    await attempted(account, id);
    expect((await account.api.delete(`/api/v1/webhooks/${id}`)).status).toBe(200);
    expect((await account.api.get(`/api/v1/webhooks/${id}/deliveries`)).status).toBe(404);
    const stored = () =>
      world.unitOfWork.autocommit.manager.findBy(WebhookDelivery, { accountId: account.accountId, endpointId: id });
    await until('it is removed', async () => (await stored()).length === 0);
    await emit(world, [event(account, 2)]);
    await settled(other, 2);
    expect(await stored()).toEqual([]);
  });

  it('delivers to others while 200 endpoints of one tenant hang, even behind the same host', async () => {
    receiver.answerWith(({ path }) => (path === '/fast' ? { status: 200 } : 'hang'));
    const hostile = await world.account();
    await crowd(200, (i) => subscribe(hostile, { url: receiver.url(`/hang/${i}`), retry_count: 0 }));
    await letHang(world, [hostile]);
    try {
      const fast = await subscribe(account, { url: receiver.url('/fast') });
      await emit(
        world,
        Array.from({ length: 5 }, (_, i) => event(hostile, i)),
      );
      await until('the tenant hangs in all its slots', () => receiver.received.length >= 256);
      await emit(
        world,
        Array.from({ length: 100 }, (_, i) => event(account, i)),
      );
      await settled(fast, 100);
      // None of the slots became free meanwhile.
      const ended = 'SELECT delivery_id FROM webhook_attempts WHERE account_id = $1';
      expect(await world.unitOfWork.autocommit.rows(ended, [hostile.accountId])).toEqual([]);
    } finally {
      await world.unitOfWork.autocommit.affected(
        `UPDATE webhook_endpoints SET status = 'disabled' WHERE account_id = $1`,
        [hostile.accountId],
      );
    }
  });
});
