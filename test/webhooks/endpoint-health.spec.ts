import { randomBytes } from 'node:crypto';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, settledDeliveries, subscribe } from './events.js';
import { dropEvents, filePastDeliveries } from './past-deliveries.js';
import { Receiver } from './receiver.js';

describe('the health of a webhook endpoint', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
  });
  beforeEach(async () => {
    receiver = await Receiver.listen();
    await start();
    account = await world.account();
  });
  afterEach(async () => {
    await world.stop();
    await receiver.close();
  });

  const start = async (env: Record<string, string> = {}) => {
    world = await World.start({ databaseUrl, env });
  };
  const restart = async (env: Record<string, string> = {}) => {
    await world.stop();
    await start(env);
    account = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
  };
  /** As if all attempts had failed for six days, one more than an endpoint is given. */
  const failingForLong = (webhookId: string) =>
    world.unitOfWork.autocommit.affected(
      "UPDATE webhook_endpoints SET failing_since = now() - interval '6 days' WHERE account_id = $1 AND id = $2",
      [account.accountId, webhookId],
    );
  const healthOf = async (webhookId: string) => {
    const row = await world.unitOfWork.autocommit.row<{ status: string; failing: boolean }>(
      'SELECT status, failing_since IS NOT NULL AS failing FROM webhook_endpoints WHERE account_id = $1 AND id = $2',
      [account.accountId, webhookId],
    );
    return row;
  };
  const change = async (webhookId: string, settings: Record<string, unknown>) => {
    expect((await account.api.patch(`/api/v1/webhooks/${webhookId}`, settings)).status).toBe(200);
  };

  it('does not suffer from a secret that we cannot decrypt', async () => {
    await restart({ ENCRYPTION_KEY: randomBytes(32).toString('base64'), PARLEY_ROLES: 'api' });
    const settings = { secret: 'a secret', retry_count: 0 };
    const healthy = await subscribe(account, { ...settings, url: receiver.url('/healthy') });
    const failing = await subscribe(account, { ...settings, url: receiver.url('/failing') });
    await failingForLong(failing);
    await restart();
    await emit(world, [event(account, 1)]);
    for (const id of [healthy, failing]) {
      expect(await settledDeliveries(account, id)).toMatchObject([
        { status: 'failed', attempts: [{ status_code: null }] },
      ]);
    }
    expect(await healthOf(healthy)).toEqual({ status: 'active', failing: false });
    expect(await healthOf(failing)).toEqual({ status: 'active', failing: true });
    expect(receiver.received).toEqual([]);
  });

  it('does not suffer from events that expired before they could be sent', async () => {
    const healthy = await subscribe(account, { url: receiver.url('/healthy') });
    const failing = await subscribe(account, { url: receiver.url('/failing') });
    await failingForLong(failing);
    for (const [index, id] of [healthy, failing].entries()) {
      await filePastDeliveries(world, account, id, 9 + index, ['expired']);
      await dropEvents(world, 9 + index);
      await world.unitOfWork.autocommit.affected(
        'UPDATE webhook_deliveries SET next_attempt_at = now() WHERE account_id = $1 AND endpoint_id = $2',
        [account.accountId, id],
      );
    }
    for (const id of [healthy, failing]) {
      const [delivery] = await until('the delivery has failed', async () => {
        const deliveries = await deliveriesOf(account, id);
        return deliveries[0]?.status === 'failed' && deliveries[0].attempts.length > 0 && deliveries;
      });
      expect(delivery?.attempts[0]?.error).toBe('the event is past its retention period, so it was not sent');
    }
    expect(await healthOf(healthy)).toEqual({ status: 'active', failing: false });
    expect(await healthOf(failing)).toEqual({ status: 'active', failing: true });
    expect(receiver.received).toEqual([]);
  });

  it('starts afresh with another URL', async () => {
    receiver.answerWith(() => ({ status: 400 }));
    const id = await subscribe(account, { url: receiver.url('/old') });
    await failingForLong(id);
    await change(id, { url: receiver.url('/old'), timeout: 7 });
    expect(await healthOf(id)).toEqual({ status: 'active', failing: true });
    await change(id, { url: receiver.url('/new') });
    expect(await healthOf(id)).toEqual({ status: 'active', failing: false });
    await emit(world, [event(account, 1)]);
    await settledDeliveries(account, id);
    expect(await healthOf(id)).toEqual({ status: 'active', failing: true });
  });

  it('is not judged by late answers of its former URL', async () => {
    let answerOld = () => {};
    const old = await Receiver.listen(() => ({
      status: 410,
      after: new Promise<void>((resolve) => (answerOld = resolve)),
    }));
    try {
      const id = await subscribe(account, { url: old.url('/old'), timeout: 30 });
      await emit(world, [event(account, 1)]);
      await until('the former URL has the delivery', () => old.received.length === 1);
      await change(id, { url: receiver.url('/new') });
      answerOld();
      expect(await settledDeliveries(account, id)).toMatchObject([
        { status: 'failed', attempts: [{ status_code: 410 }] },
      ]);
      expect(await healthOf(id)).toEqual({ status: 'active', failing: false });
      await emit(world, [event(account, 2)]);
      await until('the new URL has a delivery', () => receiver.received.length === 1);
    } finally {
      await old.close();
    }
  });
});
