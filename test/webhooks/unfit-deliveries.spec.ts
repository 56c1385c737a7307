import { randomBytes } from 'node:crypto';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, settledDeliveries, subscribe } from './events.js';
import { Receiver } from './receiver.js';

describe('a delivery with unusable secrets or answers', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
  });
  beforeEach(async () => {
    receiver = await Receiver.listen();
  });
  afterEach(async () => {
    await world.stop();
    await receiver.close();
  });

  const start = async (env: Record<string, string> = {}) => {
    world = await World.start({ databaseUrl, env });
  };
  const settled = async (webhookId: string) => (await settledDeliveries(account, webhookId))[0];
  /** An endpoint whose secret was sealed with a key that the world no longer has. */
  const subscribedUnderAnotherKey = async (retryCount: number): Promise<string> => {
    await start({ ENCRYPTION_KEY: randomBytes(32).toString('base64'), PARLEY_ROLES: 'api' });
    account = await world.account();
    const id = await subscribe(account, { url: receiver.url(), secret: 'a secret', retry_count: retryCount });
    await world.stop();
    await start();
    account = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
    return id;
  };

  it('fails after its retries without posting when the secret cannot be decrypted, and logs why', async () => {
    const id = await subscribedUnderAnotherKey(1);
    await emit(world, [event(account, 1)]);
    const { status, attempts } = await settled(id);
    expect(status).toBe('failed');
    expect(attempts).toHaveLength(2);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({
        status_code: null,
        error:
          'the webhook’s secret cannot be decrypted, so nothing was sent. Set it again with PATCH /api/v1/webhooks/{id}',
        response: null,
      });
    }
    expect(receiver.received).toEqual([]);
  });

  it('succeeds once the secret is set again, as its log advises', async () => {
    const id = await subscribedUnderAnotherKey(10);
    await emit(world, [event(account, 1)]);
    await until('an attempt has failed', async () => (await deliveriesOf(account, id))[0]?.attempts.length);
    expect((await account.api.patch(`/api/v1/webhooks/${id}`, { secret: 'another' })).status).toBe(200);
    expect(await settled(id)).toMatchObject({ status: 'delivered' });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers).toHaveProperty('x-webhook-signature');
  });

  it('is not repeated when the receiver’s answer cannot be stored: it is omitted', async () => {
    const session = await ForeignSession.open(databaseUrl);
    await session.query(`ALTER TABLE webhook_attempts ADD CONSTRAINT unfit CHECK (response <> 'unfit') NOT VALID`);
    try {
      await start();
      account = await world.account();
      receiver.answerWith(() => ({ status: 200, body: 'unfit' }));
      const id = await subscribe(account, { url: receiver.url() });
      await emit(world, [event(account, 1)]);
      const { status, attempts } = await settled(id);
      expect(status).toBe('delivered');
      expect(attempts).toEqual([expect.objectContaining({ status_code: 200, error: null, response: null })]);
      expect(receiver.received).toHaveLength(1);
    } finally {
      await session.query('ALTER TABLE webhook_attempts DROP CONSTRAINT unfit');
      await session.close();
    }
  });
});
