import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, type ListedDelivery, subscribe } from './events.js';
import { type Answer, Receiver } from './receiver.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How late a result may be recorded on a busy machine, milliseconds. */
const SLACK_MS = 10_000;

describe('retries of a webhook', () => {
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    receiver = await Receiver.listen();
  });
  afterEach(() => receiver.close());

  /** Milliseconds between the end of the last attempt and the next due time. */
  const waitOf = ({ attempts, next_attempt_at }: ListedDelivery): number => {
    const last = attempts.at(-1);
    return Date.parse(next_attempt_at ?? '') - Date.parse(last?.at ?? '') - (last?.duration_ms ?? 0);
  };
  const afterAttempt = (webhookId: string, count: number): Promise<ListedDelivery> =>
    until(`attempt ${count} is in the log`, async () => {
      const [delivery] = await deliveriesOf(account, webhookId);
      if (delivery?.attempts.length !== count) return null;
      // The due time and the attempts are read in separate queries.
      return (delivery.status !== 'pending' || waitOf(delivery) > 0) && delivery;
    });
  /** Makes waiting deliveries due now, as if the time had passed. */
  const letTimePass = () =>
    world.unitOfWork.autocommit.affected(
      `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE account_id = $1 AND status = 'pending'`,
      [account.accountId],
    );

  it('follow after 1 s, 2 s, 4 s, 8 s …, up to retry_count, with the same bytes and webhook-id', async () => {
    receiver.answerWith(() => ({ status: 503 }));
    const retries = 10;
    const id = await subscribe(account, { url: receiver.url(), retry_count: retries });
    await emit(world, [event(account, 'ä€😀')]);
    for (let attempt = 1; attempt <= retries; attempt += 1) {
      const wait = waitOf(await afterAttempt(id, attempt));
      const backoff = 1000 * 2 ** (attempt - 1);
      // `at` and `duration_ms` are rounded.
      expect(wait).toBeGreaterThanOrEqual(backoff - 2);
      expect(wait).toBeLessThan(1.2 * backoff + SLACK_MS);
      await letTimePass();
    }
    const last = await afterAttempt(id, retries + 1);
    expect(last).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(receiver.received).toHaveLength(retries + 1);
    const [first, ...others] = receiver.received;
    for (const { body, headers } of others) {
      expect(body).toEqual(first?.body);
      expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
    }
  });

  const inAMinute = () => new Date(Math.ceil(Date.now() / 1000) * 1000 + MINUTE).toUTCString();

  it.each<[string, () => Answer, number]>([
    ['429 with seconds', () => ({ status: 429, headers: { 'retry-after': '30' } }), 30_000],
    ['503 with a date', () => ({ status: 503, headers: { 'retry-after': inAMinute() } }), MINUTE],
    ['less than the backoff', () => ({ status: 503, headers: { 'retry-after': '0' } }), 1000],
    ['more than an hour', () => ({ status: 429, headers: { 'retry-after': '86400' } }), HOUR],
    ['nonsense', () => ({ status: 429, headers: { 'retry-after': 'soon' } }), 1000],
  ])('obey Retry-After within bounds: %s', async (_, answer, expected) => {
    receiver.answerWith(() => (receiver.received.length === 1 ? answer() : { status: 200 }));
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    const wait = waitOf(await afterAttempt(id, 1));
    expect(wait).toBeGreaterThanOrEqual(expected - 2);
    expect(wait).toBeLessThan(1.2 * expected + SLACK_MS);
    await letTimePass();
    expect(await afterAttempt(id, 2)).toMatchObject({ status: 'delivered' });
  });
});
