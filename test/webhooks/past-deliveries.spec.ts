import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { delivered, emit, event, markOf, settledDeliveries, subscribe, watchRetries } from './events.js';
import { dropEvents, filePastDeliveries } from './past-deliveries.js';
import { failOnce, Receiver } from './receiver.js';

/** Deliveries of earlier days are in partitions that leases for fresh ones do not read. */
describe('deliveries of earlier days', () => {
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

  const marksReceived = () => receiver.received.map(({ body }) => markOf(body)).sort();

  const subscribeDisabled = async (): Promise<string> => {
    const id = await subscribe(account, { url: receiver.url() });
    await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' });
    return id;
  };

  it('are made when their endpoint is enabled again, together with fresh ones', async () => {
    const id = await subscribeDisabled();
    await filePastDeliveries(world, account, id, 9, ['a', 'b']);
    await filePastDeliveries(world, account, id, 25, ['c']);
    await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' });
    await emit(world, [event(account, 'fresh')]);
    await delivered(account, id, 4);
    expect(marksReceived()).toEqual(['a', 'b', 'c', 'fresh']);
  });

  it('are all made, even if there are more than one lease takes', async () => {
    const id = await subscribeDisabled();
    const marks = Array.from({ length: 300 }, (_, i) => `m${String(i).padStart(3, '0')}`);
    await filePastDeliveries(world, account, id, 12, marks);
    await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' });
    await until('all have arrived', () => receiver.received.length >= marks.length);
    expect(marksReceived()).toEqual(marks);
  });

  it('are retried in time', async () => {
    failOnce(receiver);
    const waitsOf = watchRetries();
    const id = await subscribeDisabled();
    await filePastDeliveries(world, account, id, 6, ['a']);
    await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' });
    const [delivery] = await delivered(account, id);
    expect(delivery?.attempts.map(({ status_code }) => status_code)).toEqual([503, 200]);
    // By a timer of its own, which test/webhooks/retry-alarm.spec.ts watches.
    const [wait, ...others] = waitsOf(delivery?.id);
    expect(wait).toBeGreaterThanOrEqual(1000);
    expect(wait).toBeLessThanOrEqual(1200);
    expect(others).toEqual([]);
  });

  it('fail when their events have left the log', async () => {
    const id = await subscribeDisabled();
    await filePastDeliveries(world, account, id, 20, ['a']);
    await dropEvents(world, 20);
    await account.api.patch(`/api/v1/webhooks/${id}`, { status: 'active' });
    expect(await settledDeliveries(account, id)).toMatchObject([
      {
        status: 'failed',
        next_attempt_at: null,
        attempts: [
          { status_code: null, error: 'the event is past its retention period, so it was not sent', response: null },
        ],
      },
    ]);
    expect(receiver.received).toEqual([]);
  });

  it('are removed with all their attempts when their endpoint is deleted, before the endpoint itself', async () => {
    const id = await subscribeDisabled();
    await filePastDeliveries(world, account, id, 15, Array.from({ length: 2500 }, String));
    await filePastDeliveries(world, account, id, 3, ['a']);
    const { accountId } = account;
    const { autocommit } = world.unitOfWork;
    await world.unitOfWork.transaction(
      (tx) =>
        tx.affected(
          `INSERT INTO webhook_attempts (account_id, delivery_id, at, duration_ms)
           SELECT account_id, id, now(), 1 FROM webhook_deliveries WHERE account_id = $1 AND endpoint_id = $2`,
          [accountId, id],
        ),
      { statementMs: 120_000 },
    );
    expect((await account.api.delete(`/api/v1/webhooks/${id}`)).status).toBe(200);
    // For a minute it could still get deliveries of events being fanned out; the minute begins when the test says so.
    const wasDeleted = (ago: string) =>
      autocommit.affected('UPDATE webhook_endpoints SET deleted_at = now() - $2::interval WHERE account_id = $1', [
        accountId,
        ago,
      ]);
    await wasDeleted('-1 hour');
    const count = async (table: string): Promise<number> =>
      (
        await autocommit.row<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1`, [
          accountId,
        ])
      )?.count ?? -1;
    await until('nothing is left', async () => {
      return (await count('webhook_deliveries')) === 0 && (await count('webhook_attempts')) === 0;
    });
    expect(receiver.received).toEqual([]);
    expect(await count('webhook_endpoints')).toBe(1);
    await wasDeleted('1 minute');
    await until('the endpoint has gone too', async () => (await count('webhook_endpoints')) === 0);
  });
});
