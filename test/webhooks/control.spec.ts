import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import {
  delivered as allDelivered,
  deliveriesOf,
  emit,
  event,
  type ListedDelivery,
  markOf,
  settledDeliveries,
  subscribe,
  watchRetries,
} from './events.js';
import { dropEvents, filePastDeliveries } from './past-deliveries.js';
import { failOnce, type Received, Receiver } from './receiver.js';
import { plainSignature, standardSignature } from './signatures.js';

interface DeliveryBody {
  readonly delivery: ListedDelivery;
}
interface ReplayBody {
  readonly replay: { readonly status: string; readonly replayed: number; readonly events: string[] };
}
interface RotationBody {
  readonly secret: string;
  readonly previous_secret_until: string | null;
}

describe('control of a webhook endpoint', () => {
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase() });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    receiver = await Receiver.listen();
  });
  afterEach(() => receiver.close());

  const act = <Body>(id: string, action: string, body: unknown = {}) =>
    account.api.post<Body>(`/api/v1/webhooks/${id}/${action}`, body);
  const disable = (id: string) => account.api.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' });
  const delivered = (id: string, count: number) => allDelivered(account, id, count);

  describe('secret rotation', () => {
    it('signs with both secrets, and keys X-Webhook-Signature with the new one', async () => {
      const id = await subscribe(account, { url: receiver.url(), secret: 'old secret' });
      const before = Date.now();
      const { status, body } = await act<RotationBody>(id, 'rotate-secret', { secret: 'new secret' });
      const after = Date.now();
      expect(status).toBe(200);
      expect(body).toEqual({
        status: 'success',
        message: 'Secret rotated',
        webhook: expect.objectContaining({ id, has_secret: true }),
        secret: 'new secret',
        previous_secret_until: expect.any(String),
      });
      const rotatedAt = Date.parse(body.previous_secret_until ?? '') - 24 * 3_600_000;
      expect(rotatedAt).toBeGreaterThanOrEqual(before);
      expect(rotatedAt).toBeLessThanOrEqual(after);
      await emit(world, [event(account, 1)]);
      const [received] = (await until('it arrives', () => receiver.received.length >= 1 && receiver.received)) as [
        Received,
      ];
      expect(received.headers['x-webhook-signature']).toBe(plainSignature(received, 'new secret'));
      expect(received.headers['webhook-signature']).toBe(
        `${standardSignature(received, 'new secret')} ${standardSignature(received, 'old secret')}`,
      );
    });

    /** Makes an event, and expects its delivery to be signed with these secrets. */
    const expectSigned = async (id: string, secrets: readonly string[]) => {
      const count = receiver.received.length + 1;
      await emit(world, [event(account, count)]);
      await delivered(id, count);
      const received = receiver.received.at(-1) as Received;
      expect(received.headers['webhook-signature']).toBe(
        secrets.map((secret) => standardSignature(received, secret)).join(' '),
      );
      expect(received.headers['x-webhook-signature']).toBe(plainSignature(received, secrets[0] ?? ''));
    };
    const rotateThrough = async (id: string, ...secrets: readonly string[]) => {
      for (const secret of secrets) expect((await act(id, 'rotate-secret', { secret })).status).toBe(200);
    };
    /** As if so much time had passed since every rotation. */
    const letPass = (id: string, time: string) =>
      world.unitOfWork.autocommit.affected(
        `UPDATE webhook_endpoints
         SET previous_secret_until = previous_secret_until - $3::interval,
             older_secrets_until = ARRAY(SELECT t - $3::interval FROM unnest(older_secrets_until) WITH ORDINALITY AS u (t, n)
                                         ORDER BY n)
         WHERE account_id = $1 AND id = $2`,
        [account.accountId, id, time],
      );

    it('lets each replaced secret sign for its own 24 hours', async () => {
      const id = await subscribe(account, { url: receiver.url(), secret: 'first' });
      await rotateThrough(id, 'second', 'third');
      await expectSigned(id, ['third', 'second', 'first']);
      await letPass(id, '12 hours');
      await rotateThrough(id, 'fourth');
      await expectSigned(id, ['fourth', 'third', 'second', 'first']);
      await letPass(id, '12 hours');
      await expectSigned(id, ['fourth', 'third']);
      await letPass(id, '12 hours');
      await expectSigned(id, ['fourth']);
    });

    it('refuses a sixth secret (409) until the oldest ends', async () => {
      const id = await subscribe(account, { url: receiver.url(), secret: '1' });
      await rotateThrough(id, '2');
      await letPass(id, '1 hour');
      await rotateThrough(id, '3', '4', '5');
      for (const body of [{ secret: '6' }, {}]) {
        const refused = await act(id, 'rotate-secret', body);
        expect(refused.status).toBe(409);
        expect(refused.body).toEqual({
          error: 'conflict',
          message: expect.stringMatching(/^5 secrets of the webhook sign already\. Rotate again after \d{4}-/),
        });
      }
      await expectSigned(id, ['5', '4', '3', '2', '1']);
      await letPass(id, '23 hours');
      await rotateThrough(id, '6');
      await expectSigned(id, ['6', '5', '4', '3', '2']);
      await account.api.patch(`/api/v1/webhooks/${id}`, { secret: 'alone' });
      await expectSigned(id, ['alone']);
    });

    it('changes nothing when the secret is the present one', async () => {
      const id = await subscribe(account, { url: receiver.url(), secret: 'old' });
      const first = await act<RotationBody>(id, 'rotate-secret', { secret: 'new' });
      const second = await act<RotationBody>(id, 'rotate-secret', { secret: 'new' });
      expect(second.body).toEqual(first.body);
      await expectSigned(id, ['new', 'old']);
    });

    it('goes back to a replaced secret, which then signs once', async () => {
      const id = await subscribe(account, { url: receiver.url(), secret: 'one' });
      await rotateThrough(id, 'two', 'one');
      await expectSigned(id, ['one', 'two']);
    });

    it('generates a secret when none is given, also for an endpoint without one', async () => {
      const id = await subscribe(account, { url: receiver.url() });
      const { body } = await act<RotationBody>(id, 'rotate-secret');
      expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(body.previous_secret_until).toBeNull();
      await emit(world, [event(account, 1)]);
      await delivered(id, 1);
      const [received] = receiver.received as [Received];
      expect(received.headers['webhook-signature']).toBe(standardSignature(received, body.secret));
    });

    it('returns the same secret for the same Idempotency-Key, and nowhere else', async () => {
      const id = await subscribe(account, { url: receiver.url(), secret: 'old secret' });
      const headers = { 'idempotency-key': newRecordId() };
      const path = `/api/v1/webhooks/${id}/rotate-secret`;
      const first = await account.api.post<RotationBody>(path, {}, { headers });
      const second = await account.api.post<RotationBody>(path, {}, { headers });
      expect(second.body).toEqual(first.body);
      const { secret } = first.body;
      for (const each of [path.replace('/rotate-secret', ''), '/api/v1/webhooks/']) {
        expect((await account.api.get(each)).text).not.toContain(secret);
      }
      const stored = await world.unitOfWork.autocommit.rows<{ row: string }>(
        `SELECT w::text AS row FROM webhook_endpoints w WHERE account_id = $1
         UNION ALL SELECT k::text FROM idempotency_keys k WHERE account_id = $1`,
        [account.accountId],
      );
      expect(stored).toHaveLength(2);
      for (const { row } of stored) expect(row).not.toContain(secret);
    });

    it.each([
      [{ secret: '' }, 'secret must have 1 to 256 characters (got 0)'],
      [{ secret: 'x'.repeat(257) }, 'secret must have 1 to 256 characters (got 257)'],
      [{ secret: 7 }, 'secret must be a string of 1 to 256 characters'],
      [{ secret: 'whsec_abcde' }, expect.stringMatching(/^secret must have padded standard base64 of 24 to 64 bytes/)],
    ])('refuses %j (400)', async (body, message) => {
      const id = await subscribe(account, { url: receiver.url() });
      const response = await act(id, 'rotate-secret', body);
      expect(response.status).toBe(400);
      expect(response.body).toEqual({ error: 'bad_request', message });
    });
  });

  describe('a test event', () => {
    it('arrives signed at this endpoint only, whatever its subscriptions, and is in its log', async () => {
      const id = await subscribe(account, {
        url: receiver.url('/a'),
        secret: 's',
        subscribed_events: ['message.read'],
      });
      await subscribe(account, { url: receiver.url('/b') });
      const { status, body } = await act<DeliveryBody>(id, 'test');
      expect(status).toBe(202);
      expect(body).toEqual({
        status: 'success',
        message: 'Test event queued',
        delivery: expect.objectContaining({ event: 'webhook.test', status: 'pending', attempts: [] }),
      });
      const [delivery] = await delivered(id, 1);
      expect(delivery).toMatchObject({ id: body.delivery.id, event: 'webhook.test', attempts: [{ status_code: 200 }] });
      expect(receiver.received).toHaveLength(1);
      const [received] = receiver.received as [Received];
      expect(received.path).toBe('/a');
      expect(received.headers['webhook-id']).toBe(body.delivery.webhook_id);
      expect(received.headers['x-webhook-signature']).toBe(plainSignature(received, 's'));
      expect(JSON.parse(received.body.toString())).toEqual({
        event: 'webhook.test',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      });
    });

    it('is sent once per Idempotency-Key', async () => {
      const id = await subscribe(account, { url: receiver.url() });
      const headers = { 'idempotency-key': newRecordId() };
      const path = `/api/v1/webhooks/${id}/test`;
      const first = await account.api.post<DeliveryBody>(path, {}, { headers });
      const second = await account.api.post<DeliveryBody>(path, {}, { headers });
      expect(second.body.delivery.id).toBe(first.body.delivery.id);
      await delivered(id, 1);
    });

    it('is refused for a disabled endpoint (409)', async () => {
      const id = await subscribe(account, { url: receiver.url() });
      await disable(id);
      const { status, body } = await act(id, 'test');
      expect(status).toBe(409);
      expect(body).toEqual({ error: 'conflict', message: expect.stringContaining('disabled by request') });
    });
  });

  describe('a redelivery', () => {
    it('has the same bytes and webhook-id, and a full set of retries', async () => {
      receiver.answerWith(() => ({ status: 400 }));
      const id = await subscribe(account, { url: receiver.url(), retry_count: 1 });
      await emit(world, [event(account, 'ä€😀')]);
      const [failed] = await settledDeliveries(account, id);
      expect(failed?.status).toBe('failed');
      failOnce(receiver);
      const waitsOf = watchRetries();
      const { status, body } = await act<DeliveryBody>(id, `deliveries/${failed?.id}/redeliver`);
      expect(status).toBe(202);
      expect(body).toMatchObject({ message: 'Delivery queued again', delivery: { id: failed?.id } });
      const [again] = await delivered(id, 1);
      expect(again?.attempts.map(({ status_code }) => status_code)).toEqual([400, 503, 200]);
      const [first, ...others] = receiver.received;
      expect(others).toHaveLength(2);
      for (const { body: bytes, headers } of others) {
        expect(bytes).toEqual(first?.body);
        expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
      }
      // Backoff restarts with the new cycle.
      const [wait, ...further] = waitsOf(failed?.id);
      expect(wait).toBeGreaterThanOrEqual(1000);
      expect(wait).toBeLessThanOrEqual(1200);
      expect(further).toEqual([]);
    });

    it('may be of a delivered event, and of an earlier day', async () => {
      const id = await subscribe(account, { url: receiver.url() });
      await disable(id);
      await filePastDeliveries(world, account, id, 9, ['past']);
      await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' });
      const [delivery] = await delivered(id, 1);
      expect((await act(id, `deliveries/${delivery?.id}/redeliver`)).status).toBe(202);
      await until('it arrives again', () => receiver.received.length >= 2);
      expect(receiver.received.map(({ body }) => markOf(body))).toEqual(['past', 'past']);
    });

    it('is refused for a pending delivery, an expired event and a disabled endpoint (409)', async () => {
      receiver.answerWith(() => 'hang');
      const id = await subscribe(account, { url: receiver.url(), timeout: 30 });
      await emit(world, [event(account, 1)]);
      await until('it is tried', () => receiver.received.length >= 1);
      const [pending] = await deliveriesOf(account, id);
      const refused = await act(id, `deliveries/${pending?.id}/redeliver`);
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('still pending')]);
      await account.api.delete(`/api/v1/webhooks/${id}`);

      receiver.answerWith(() => ({ status: 200 }));
      const other = await subscribe(account, { url: receiver.url('/other') });
      await disable(other);
      await filePastDeliveries(world, account, other, 20, ['past']);
      const past = await deliveriesOf(account, other);
      const disabled = await act(other, `deliveries/${past[0]?.id}/redeliver`);
      expect([disabled.status, disabled.text]).toEqual([409, expect.stringContaining('is disabled')]);
      await account.api.patch(`/api/v1/webhooks/${other}`, { status: 'active' });
      await delivered(other, 1);
      await dropEvents(world, 20);
      const expired = await act(other, `deliveries/${past[0]?.id}/redeliver`);
      expect([expired.status, expired.text]).toEqual([409, expect.stringContaining('past its retention period')]);
    });

    it('is 404 for another endpoint or account', async () => {
      const id = await subscribe(account, { url: receiver.url() });
      const other = await subscribe(account, { url: receiver.url('/other'), subscribed_events: ['message.read'] });
      await emit(world, [event(account, 1)]);
      const [delivery] = await delivered(id, 1);
      expect((await act(other, `deliveries/${delivery?.id}/redeliver`)).status).toBe(404);
      const stranger = await world.account();
      for (const action of ['test', 'rotate-secret', `deliveries/${delivery?.id}/redeliver`]) {
        expect((await stranger.api.post(`/api/v1/webhooks/${id}/${action}`, {})).status).toBe(404);
      }
      const since = new Date().toISOString();
      expect((await stranger.api.post(`/api/v1/webhooks/${id}/replay`, { since })).status).toBe(404);
    });
  });

  describe('a replay', () => {
    const replayOf = async (id: string) => (await account.api.get<ReplayBody>(`/api/v1/webhooks/${id}`)).body.replay;
    const finished = (id: string) =>
      until('the replay is over', async () => {
        const replay = await replayOf(id);
        return replay.status === 'finished' && replay;
      });

    it('delivers events since then, oldest first, with the same webhook-ids, and shows its progress', async () => {
      const id = await subscribe(account, { url: receiver.url() });
      await emit(world, [event(account, 'before')]);
      await delivered(id, 1);
      const last = Date.now();
      await until('the next event is dated later', () => Date.now() > last);
      const since = new Date().toISOString();
      await emit(world, [event(account, 'a'), event(account, 'b', 'message.read')]);
      await delivered(id, 3);
      const { status, body } = await act<ReplayBody>(id, 'replay', { since });
      expect(status).toBe(202);
      expect(body).toMatchObject({
        status: 'success',
        message: 'Replay started',
        replay: { status: 'running', since },
      });
      expect(await finished(id)).toMatchObject({ replayed: 2, finished_at: expect.any(String) });
      await delivered(id, 5);
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(ids.slice(3).sort()).toEqual(ids.slice(1, 3).sort());
    });

    it('covers the named events, by default the endpoint’s subscriptions', async () => {
      const id = await subscribe(account, {
        url: receiver.url(),
        subscribed_events: ['message.read', 'message.failed'],
      });
      const since = new Date(Date.now() - 1000).toISOString();
      await emit(world, [event(account, 'sent'), event(account, 'read', 'message.read')]);
      await delivered(id, 1);
      await act(id, 'replay', { since, events: ['message.sent'] });
      expect(await finished(id)).toMatchObject({ replayed: 1, events: ['message.sent'] });
      await delivered(id, 2);
      await act(id, 'replay', { since });
      expect(await finished(id)).toMatchObject({ replayed: 1, events: ['message.read', 'message.failed'] });
      await delivered(id, 3);
      expect(receiver.received.map(({ body }) => markOf(body))).toEqual(['read', 'sent', 'read']);
    });

    it('spans days and batches, one at a time (409), and pauses while the endpoint is disabled', async () => {
      const id = await subscribe(account, { url: receiver.url('/other'), subscribed_events: ['button.clicked'] });
      await disable(id);
      const marks = Array.from({ length: 1200 }, (_, i) => `m${String(i).padStart(4, '0')}`);
      await filePastDeliveries(world, account, id, 8, marks);
      await filePastDeliveries(world, account, id, 5, ['later']);
      await account.api.delete(`/api/v1/webhooks/${id}`);

      // The replay waits for the deliveries of its first step.
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      receiver.answerWith(() => ({ status: 200, after: answered }));
      const replaying = await subscribe(account, { url: receiver.url(), timeout: 30 });
      const since = new Date(Date.now() - 10 * 86_400_000).toISOString();
      await act(replaying, 'replay', { since });
      const refused = await act(replaying, 'replay', { since });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('is already running')]);
      await disable(replaying);
      const { replayed } = await replayOf(replaying);
      expect(replayed).toBeLessThan(1201);
      answer();
      await account.api.patch(`/api/v1/webhooks/${replaying}`, { status: 'active' });
      expect(await finished(replaying)).toMatchObject({ replayed: 1201 });
      const arrived = () => new Set(receiver.received.map(({ body }) => markOf(body)));
      await until('all have arrived', () => arrived().size >= 1201);
      expect(arrived()).toEqual(new Set([...marks, 'later']));
    });

    it('can be cancelled: it creates no further deliveries, and another one can start', async () => {
      const id = await subscribe(account, { url: receiver.url('/cancelled'), subscribed_events: ['button.clicked'] });
      const cancel = () => account.api.delete<ReplayBody>(`/api/v1/webhooks/${id}/replay`);
      const none = await cancel();
      expect([none.status, none.text]).toEqual([409, expect.stringContaining('no replay')]);
      const since = new Date(Date.now() - 60_000).toISOString();
      await act(id, 'replay', { since });
      await until('there was nothing to replay', async () => (await replayOf(id)).status === 'finished');
      await disable(id);
      // As if it had been disabled before the replay was over.
      await world.unitOfWork.autocommit.affected(
        'UPDATE webhook_replays SET finished_at = NULL WHERE account_id = $1 AND endpoint_id = $2',
        [account.accountId, id],
      );
      const { status, body } = await cancel();
      expect([status, body]).toMatchObject([200, { message: 'Replay cancelled', replay: { status: 'cancelled' } }]);
      expect((await cancel()).status).toBe(409);
      await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' });
      expect((await act(id, 'replay', { since })).status).toBe(202);
      expect(await finished(id)).toMatchObject({ replayed: 0 });
      expect((await account.api.delete(`/api/v1/webhooks/${newRecordId()}/replay`)).status).toBe(404);
    });

    it('is refused for times in the future or past retention, and for a disabled endpoint', async () => {
      const id = await subscribe(account, { url: receiver.url() });
      const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
      const ahead = await act(id, 'replay', { since: days(1) });
      expect([ahead.status, ahead.text]).toEqual([400, expect.stringContaining('since must not be in the future')]);
      const early = await act(id, 'replay', { since: days(-31) });
      expect([early.status, early.text]).toEqual([400, expect.stringContaining('within the last 30 days')]);
      for (const body of [{}, { since: 'yesterday' }, { since: days(-1), events: ['message.flown'] }]) {
        expect((await act(id, 'replay', body)).status).toBe(400);
      }
      await disable(id);
      expect((await act(id, 'replay', { since: days(-1) })).status).toBe(409);
    });
  });

  it('shows the results of the last hour', async () => {
    receiver.answerWith(({ body }) => ({ status: markOf(body) === 'bad' ? 400 : 200 }));
    const id = await subscribe(account, { url: receiver.url() });
    await emit(
      world,
      ['1', '2', 'bad', '4'].map((mark) => event(account, mark)),
    );
    const overview = () => account.api.get<{ last_hour: object }>(`/api/v1/webhooks/${id}`);
    await until('all are over', async () => {
      const { delivered: made, failed } = (await overview()).body.last_hour as { delivered: number; failed: number };
      return made + failed >= 4;
    });
    expect((await overview()).body.last_hour).toEqual({
      delivered: 3,
      failed: 1,
      pending: 0,
      success_rate: 0.75,
      lag_ms: 0,
    });
    await disable(id);
    await filePastDeliveries(world, account, id, 1, ['waiting']);
    const { lag_ms } = (await overview()).body.last_hour as { lag_ms: number };
    expect(lag_ms).toBeGreaterThan(86_000_000);
  });
});
