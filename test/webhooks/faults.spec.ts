import { createParley, type Parley } from '../../src/bootstrap.js';
import { type LeasedRow, leaseDue, recordAttempts } from '../../src/webhooks/delivery/delivery.queries.js';
import { deliveriesSince, freshSince } from '../../src/webhooks/delivery/delivery-range.js';
import { fanOutEvents } from '../../src/webhooks/delivery/fan-out.queries.js';
import { FAILURE_EVIDENCE } from '../../src/webhooks/endpoints/endpoint-rules.js';
import { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../../src/webhooks/webhook-endpoint.entity.js';
import { crowd } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { attempted, deliveriesOf, emit, event, IN_AN_HOUR, markOf, settledDeliveries, subscribe } from './events.js';
import { Receiver } from './receiver.js';

/** Leases that last as long as any test. */
const LEASE_MS = 600_000;

/** Faults between event and delivery; each test has its own database, and so all relays to itself. */
describe('webhook delivery under faults', () => {
  let databaseUrl: string;
  let receiver: Receiver;
  let world: World;
  let workers: Parley[];

  /** Starts another process on the same database. */
  const startWorker = async (): Promise<Parley> => {
    const worker = await createParley({ ...world.environment, roles: new Set(['worker']) });
    workers.push(worker);
    await worker.listen();
    return worker;
  };

  const startWorld = async (roles: string, env: Record<string, string> = {}): Promise<TestAccount> => {
    world = await World.start({ databaseUrl, env: { PARLEY_ROLES: roles, ...env } });
    return world.account();
  };
  /** For what a killed connection has lost: it is delivered again after six seconds. */
  const SHORT_LEASE = { LEASE_SECONDS: '1' };
  const SHORT_TIMEOUT = { timeout: 5, retry_count: 10 };

  const lease = (
    { accountId }: TestAccount,
    webhookId: string,
    limit: number,
    leaseMs = LEASE_MS,
  ): Promise<LeasedRow[]> =>
    leaseDue(accountId, webhookId, deliveriesSince(freshSince()), limit, leaseMs, world.unitOfWork.autocommit);

  /** Creates deliveries for the events in the outbox, and leaves them unleased. */
  const fanOut = (): Promise<unknown> =>
    fanOutEvents(
      100,
      { perNewEndpoint: 0, byEndpoint: new Map(), fullAccounts: [] },
      LEASE_MS,
      world.unitOfWork.autocommit,
    );

  beforeEach(async () => {
    databaseUrl = await freshDatabase();
    receiver = await Receiver.listen();
    workers = [];
  });
  afterEach(async () => {
    await receiver.close();
    await Promise.all([world.stop(), ...workers.map((worker) => worker.close())]);
  });

  it('fans each event out once, however many relays run', async () => {
    const account = await startWorld('api,worker');
    await startWorker();
    const id = await subscribe(account, { url: receiver.url() });
    const marks = Array.from({ length: 1500 }, (_, i) => String(i));
    await crowd(10, (i) =>
      emit(
        world,
        marks.slice(i * 150, (i + 1) * 150).map((mark) => event(account, mark)),
      ),
    );
    await until('all events have arrived', () => receiver.received.length >= marks.length);
    expect(new Set(receiver.received.map(({ body }) => markOf(body)))).toEqual(new Set(marks));
    const { body } = await account.api.get(`/api/v1/webhooks/${id}/deliveries?limit=1`);
    expect(body.total).toBe(marks.length);
    expect(receiver.received.length).toBe(marks.length);
  });

  it('delivers events committed while no worker ran', async () => {
    const account = await startWorld('api');
    await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    await startWorker();
    await until('the event has arrived', () => receiver.received.length >= 1);
  });

  it('redelivers what a dead process had leased once its lease expires', async () => {
    const account = await startWorld('api');
    const id = await subscribe(account, { url: receiver.url(), timeout: 1 });
    await emit(world, [event(account, 1)]);
    // What a process does before it dies mid-attempt.
    await fanOut();
    const leased = await lease(account, id, 10, 1000);
    expect(leased).toHaveLength(1);
    const leaseUntil = leased[0]?.leaseUntil.getTime() ?? 0;
    // For the attempt to come.
    await account.api.patch(`/api/v1/webhooks/${id}`, { timeout: 30 });
    await startWorker();
    const [delivery] = await settledDeliveries(account, id);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.at).toBeGreaterThanOrEqual(leaseUntil);
  });

  it('reads events from the log once they have left the outbox', async () => {
    const account = await startWorld('api');
    await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    await world.unitOfWork.autocommit.affected('UPDATE outbox SET body = NULL WHERE account_id = $1', [
      account.accountId,
    ]);
    await startWorker();
    await until('the event has arrived', () => receiver.received.length >= 1);
    expect(receiver.received.map(({ body }) => markOf(body))).toEqual(['1']);
  });

  it('leases no more than it has room for, and leaves the rest unleased', async () => {
    const account = await startWorld('api');
    const [full, usual] = [
      await subscribe(account, { url: receiver.url('/full') }),
      await subscribe(account, { url: receiver.url('/usual') }),
    ];
    await emit(
      world,
      Array.from({ length: 10 }, (_, i) => event(account, i)),
    );
    const room = { perNewEndpoint: 4, byEndpoint: new Map([[full, 1]]), fullAccounts: [] };
    const made = await fanOutEvents(100, room, LEASE_MS, world.unitOfWork.autocommit);
    expect(made.taken).toBe(10);
    const leased = (id: string) => made.leased.filter(({ endpointId }) => endpointId === id);
    expect(leased(full).map(({ body }) => markOf(Buffer.from(body ?? '')))).toEqual(['0']);
    expect(leased(usual).map(({ body }) => markOf(Buffer.from(body ?? '')))).toEqual(['0', '1', '2', '3']);
    expect(new Set(made.waiting.map(({ endpointId }) => endpointId))).toEqual(new Set([full, usual]));
    expect(await lease(account, full, 100)).toHaveLength(9);
    expect(await lease(account, usual, 100)).toHaveLength(6);

    await emit(world, [event(account, 10)]);
    const none = { perNewEndpoint: 4, byEndpoint: new Map(), fullAccounts: [account.accountId] };
    const later = await fanOutEvents(100, none, LEASE_MS, world.unitOfWork.autocommit);
    expect(later).toMatchObject({ taken: 1, leased: [] });
    expect(later.waiting).toHaveLength(2);
  });

  it('leases a delivery for one process at a time', async () => {
    const account = await startWorld('api');
    const id = await subscribe(account, { url: receiver.url() });
    await emit(
      world,
      Array.from({ length: 50 }, (_, i) => event(account, i)),
    );
    await fanOut();
    const leases = await Promise.all(Array.from({ length: 8 }, () => lease(account, id, 20)));
    const ids = leases.flat().map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeLessThanOrEqual(50);
  });

  it('replays each event once with many workers, even if one is killed', async () => {
    const account = await startWorld('api', SHORT_LEASE);
    const since = new Date(Date.now() - 1000).toISOString();
    const marks = Array.from({ length: 1600 }, (_, i) => String(i));
    await emit(
      world,
      marks.map((mark) => event(account, mark)),
    );
    const id = await subscribe(account, { url: receiver.url(), ...SHORT_TIMEOUT });
    await Promise.all([startWorker(), startWorker()]);
    expect((await account.api.post(`/api/v1/webhooks/${id}/replay`, { since })).status).toBe(202);
    await until('it has begun', () => receiver.received.length > 0);
    await world.unitOfWork.autocommit.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'parley-background'`,
    );
    await until('it is over', async () => {
      const { body } = await account.api.get<{ replay: { status: string } }>(`/api/v1/webhooks/${id}`);
      return body.replay.status === 'finished' && (await deliveriesOf(account, id))[0]?.status === 'delivered';
    });
    const { body } = await account.api.get(`/api/v1/webhooks/${id}/deliveries?limit=1`);
    expect(body.total).toBe(marks.length);
    // Some arrive twice when their lease ends on a busy machine.
    const arrived = () => new Set(receiver.received.map(({ body: bytes }) => markOf(bytes)));
    await until('all have arrived', () => arrived().size >= marks.length);
    expect(arrived()).toEqual(new Set(marks));
  });

  it('records a result once, however often it is reported', async () => {
    const account = await startWorld('api');
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    await fanOut();
    const [leased] = await lease(account, id, 1);
    const result = {
      accountId: account.accountId,
      endpointId: id,
      url: receiver.url(),
      deliveryId: leased?.id ?? '',
      leaseUntil: leased?.leaseUntil ?? new Date(),
      verdict: 'retryable' as const,
      isOurFault: false,
      next: { status: 'pending' as const, delayMs: 60_000 },
      at: new Date(),
      statusCode: 503,
      durationMs: 1,
      error: 'the endpoint answered 503',
      response: null,
      note: null,
    };
    await recordAttempts([result], FAILURE_EVIDENCE, world.unitOfWork.autocommit);
    await recordAttempts([result], FAILURE_EVIDENCE, world.unitOfWork.autocommit);
    expect(await deliveriesOf(account, id)).toMatchObject([{ status: 'pending', attempts: [{ status_code: 503 }] }]);
    const stored = await world.unitOfWork.autocommit.manager.findOneBy(WebhookDelivery, {
      accountId: account.accountId,
      id: result.deliveryId,
    });
    expect(stored).toMatchObject({ attemptCount: 1, retriesLeft: 2, leaseUntil: null });
    await world.unitOfWork.autocommit.affected(
      'UPDATE webhook_deliveries SET lease_until = $3 WHERE account_id = $1 AND id = $2',
      [account.accountId, result.deliveryId, result.leaseUntil],
    );
    const last = { ...result, at: new Date(), next: { status: 'failed' as const } };
    await recordAttempts([last], FAILURE_EVIDENCE, world.unitOfWork.autocommit);
    await recordAttempts([last], FAILURE_EVIDENCE, world.unitOfWork.autocommit);
    const endpoint = await world.unitOfWork.autocommit.manager.findOneBy(WebhookEndpoint, {
      accountId: account.accountId,
      id,
    });
    expect(endpoint).toMatchObject({ failedDeliveries: 1 });
  });

  it('releases unfinished deliveries on shutdown, and another process delivers them immediately', async () => {
    receiver.answerWith(() => 'hang');
    // So long a lease does not end by itself.
    const account = await startWorld('api', { LEASE_SECONDS: '3600' });
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    const worker = await startWorker();
    await until('the attempt is under way', () => receiver.received.length >= 1);
    await worker.close();
    receiver.answerWith(() => ({ status: 200 }));
    await startWorker();
    const [delivery] = await settledDeliveries(account, id);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
  });

  it('keeps a retry’s due time across a restart of every process, also one set by Retry-After', async () => {
    receiver.answerWith(() =>
      receiver.received.length === 1 ? { status: 503, headers: IN_AN_HOUR } : { status: 200 },
    );
    const account = await startWorld('api');
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    const first = await startWorker();
    const delivery = () => deliveriesOf(account, id).then(([only]) => only);
    await attempted(account, id);
    const due = (await delivery())?.next_attempt_at;
    await first.close();
    await startWorker();
    expect((await delivery())?.next_attempt_at).toBe(due);
    // As if the hour had passed, but for two seconds.
    const [moved] = await world.unitOfWork.autocommit.rows<{ nextAttemptAt: Date }>(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '2 seconds'
       WHERE account_id = $1 AND endpoint_id = $2 RETURNING next_attempt_at`,
      [account.accountId, id],
    );
    await settledDeliveries(account, id);
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.at).toBeGreaterThanOrEqual(moved?.nextAttemptAt.getTime() ?? Number.NaN);
  });

  it('delivers everything although the database drops all connections again and again', async () => {
    const account = await startWorld('api,worker', SHORT_LEASE);
    const id = await subscribe(account, { url: receiver.url(), ...SHORT_TIMEOUT });
    const marks = Array.from({ length: 600 }, (_, i) => String(i));
    for (let i = 0; i < 6; i += 1) {
      // A connection may be dying without our knowing it yet.
      await eventually(() =>
        emit(
          world,
          marks.slice(i * 100, (i + 1) * 100).map((mark) => event(account, mark)),
        ),
      );
      await until('some have arrived', () => receiver.received.length > i * 50);
      await world.unitOfWork.autocommit
        .rows(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        )
        .catch(() => undefined);
    }
    await until(
      'all events have arrived',
      () => new Set(receiver.received.map(({ body }) => markOf(body))).size >= 600,
    );
    await until('all deliveries are settled', async () => {
      const row = await world.unitOfWork.autocommit
        .row<{ left: number }>(
          `SELECT count(*)::int AS left FROM webhook_deliveries WHERE account_id = $1 AND endpoint_id = $2 AND status <> 'delivered'`,
          [account.accountId, id],
        )
        .catch(() => null);
      return row?.left === 0;
    });
  });
});
