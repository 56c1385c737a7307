import { randomBytes } from 'node:crypto';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import {
  attempted,
  deliveriesOf,
  emit,
  event,
  IN_AN_HOUR,
  letTimePass,
  settledDeliveries,
  subscribe,
} from './events.js';
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
  /** As if this many deliveries had failed for good, the first of them so long ago. */
  const haveFailed = (webhookId: string, deliveries: number, ago = '5 days') =>
    world.unitOfWork.autocommit.affected(
      `UPDATE webhook_endpoints SET failed_deliveries = $3, failing_since = now() - $4::interval
       WHERE account_id = $1 AND id = $2`,
      [account.accountId, webhookId, deliveries, ago],
    );
  const healthOf = (webhookId: string) =>
    world.unitOfWork.autocommit.row<{ status: string; failures: number; failing: boolean }>(
      `SELECT status, failed_deliveries AS failures, failing_since IS NOT NULL AS failing
       FROM webhook_endpoints WHERE account_id = $1 AND id = $2`,
      [account.accountId, webhookId],
    );
  const healthy = { status: 'active', failures: 0, failing: false };
  const failing = (failures: number) => ({ status: 'active', failures, failing: true });
  /** Sends events whose deliveries fail or succeed at once. */
  const deliver = async (webhookId: string, count: number, status: number) => {
    receiver.answerWith(() => ({ status }));
    const before = (await deliveriesOf(account, webhookId)).length;
    await emit(
      world,
      Array.from({ length: count }, (_, i) => event(account, i)),
    );
    await settledDeliveries(account, webhookId, before + count);
  };
  const change = async (webhookId: string, settings: Record<string, unknown>) => {
    expect((await account.api.patch(`/api/v1/webhooks/${webhookId}`, settings)).status).toBe(200);
  };

  it('is lost when 10 deliveries have failed, the first of them 5 days before the last', async () => {
    const id = await subscribe(account, { url: receiver.url('/failing') });
    await subscribe(account, { url: receiver.url('/told'), subscribed_events: ['webhook.disabled'] });
    const told = () => receiver.received.filter(({ path }) => path === '/told');
    await haveFailed(id, 9);
    await deliver(id, 1, 400);
    const disabled = await until('it is disabled', async () => {
      const { body } = await account.api.get<{ webhook: { status: string } }>(`/api/v1/webhooks/${id}`);
      return body.webhook.status === 'disabled' && body.webhook;
    });
    expect(disabled).toMatchObject({
      disabled_reason: 'at least 10 deliveries failed over 5 days, and none succeeded',
    });
    const [tale] = await until('the other endpoint is told', () => told().length > 0 && told());
    expect(JSON.parse(String(tale?.body))).toMatchObject({ event: 'webhook.disabled', webhook: disabled });
    await change(id, { status: 'active' });
    expect(await healthOf(id)).toEqual(healthy);
  });

  it.each([
    ['8 deliveries in 6 days', 8, '6 days'],
    ['one delivery, 6 days ago', 1, '6 days'],
    ['100 deliveries in less than 5 days', 100, '4 days 23 hours'],
  ])('survives the failure of %s', async (_what, deliveries, ago) => {
    const id = await subscribe(account, { url: receiver.url() });
    await haveFailed(id, deliveries, ago);
    await deliver(id, 1, 400);
    expect(await healthOf(id)).toEqual(failing(deliveries + 1));
  });

  it('counts deliveries that failed for good, not attempts', async () => {
    receiver.answerWith(() => ({ status: 503, headers: IN_AN_HOUR }));
    const id = await subscribe(account, { url: receiver.url(), retry_count: 1 });
    await haveFailed(id, 9, '6 days');
    await emit(world, [event(account, 1)]);
    await attempted(account, id);
    expect(await healthOf(id)).toEqual(failing(9));
    await letTimePass(world, account);
    await settledDeliveries(account, id);
    await until('it is disabled', async () => (await healthOf(id))?.status === 'disabled');
  });

  it('counts from the first failure after the last success', async () => {
    const id = await subscribe(account, { url: receiver.url() });
    await haveFailed(id, 9, '6 days');
    await deliver(id, 1, 200);
    expect(await healthOf(id)).toEqual(healthy);
    await deliver(id, 12, 400);
    expect(await healthOf(id)).toEqual(failing(12));
  });

  it('starts afresh after an upgrade from a release that noted failed attempts', async () => {
    const id = await subscribe(account, { url: receiver.url() });
    await haveFailed(id, 0, '6 days');
    await deliver(id, 10, 400);
    expect(await healthOf(id)).toEqual(failing(10));
    await deliver(id, 1, 200);
    expect(await healthOf(id)).toEqual(healthy);
  });

  it('starts afresh after a success that a worker of that release noted during the upgrade', async () => {
    const id = await subscribe(account, { url: receiver.url() });
    await haveFailed(id, 9, '6 days');
    await world.unitOfWork.autocommit.affected(
      'UPDATE webhook_endpoints SET failing_since = NULL WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    await deliver(id, 2, 400);
    expect(await healthOf(id)).toEqual(failing(2));
  });

  it('does not suffer from a secret that we cannot decrypt', async () => {
    await restart({ ENCRYPTION_KEY: randomBytes(32).toString('base64'), PARLEY_ROLES: 'api' });
    const settings = { secret: 'a secret', retry_count: 0 };
    const [good, bad] = [
      await subscribe(account, { ...settings, url: receiver.url('/good') }),
      await subscribe(account, { ...settings, url: receiver.url('/bad') }),
    ];
    await haveFailed(bad, 9);
    await restart();
    await emit(world, [event(account, 1)]);
    for (const id of [good, bad]) {
      expect(await settledDeliveries(account, id)).toMatchObject([
        { status: 'failed', attempts: [{ status_code: null }] },
      ]);
    }
    expect(await healthOf(good)).toEqual(healthy);
    expect(await healthOf(bad)).toEqual(failing(9));
    expect(receiver.received).toEqual([]);
  });

  it('does not suffer from events that expired before they could be sent', async () => {
    const [good, bad] = [
      await subscribe(account, { url: receiver.url('/good') }),
      await subscribe(account, { url: receiver.url('/bad') }),
    ];
    await haveFailed(bad, 9);
    // A PATCH would forget the failures.
    const have = (status: string) =>
      world.unitOfWork.autocommit.affected('UPDATE webhook_endpoints SET status = $2 WHERE account_id = $1', [
        account.accountId,
        status,
      ]);
    await have('disabled');
    for (const [index, id] of [good, bad].entries()) {
      await filePastDeliveries(world, account, id, 9 + index, ['expired']);
      await dropEvents(world, 9 + index);
    }
    await have('active');
    for (const id of [good, bad]) {
      const [delivery] = await settledDeliveries(account, id);
      expect(delivery?.status).toBe('failed');
      expect(delivery?.attempts[0]?.error).toBe('the event is past its retention period, so it was not sent');
    }
    expect(await healthOf(good)).toEqual(healthy);
    expect(await healthOf(bad)).toEqual(failing(9));
    expect(receiver.received).toEqual([]);
  });

  it('starts afresh with another URL', async () => {
    receiver.answerWith(() => ({ status: 400 }));
    const id = await subscribe(account, { url: receiver.url('/old') });
    await haveFailed(id, 9);
    await change(id, { url: receiver.url('/old'), timeout: 7 });
    expect(await healthOf(id)).toEqual(failing(9));
    await change(id, { url: receiver.url('/new') });
    expect(await healthOf(id)).toEqual(healthy);
    await deliver(id, 1, 400);
    expect(await healthOf(id)).toEqual(failing(1));
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
      await until('the former URL has the delivery', () => old.received.length >= 1);
      await change(id, { url: receiver.url('/new') });
      answerOld();
      expect(await settledDeliveries(account, id)).toMatchObject([
        { status: 'failed', attempts: [{ status_code: 410 }] },
      ]);
      expect(await healthOf(id)).toEqual(healthy);
      await emit(world, [event(account, 2)]);
      await until('the new URL has a delivery', () => receiver.received.length >= 1);
    } finally {
      await old.close();
    }
  });
});
