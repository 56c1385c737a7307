import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, type ListedDelivery, letTimePass, subscribe } from './events.js';
import { type Answer, Receiver } from './receiver.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** At most this share is added to a wait. */
const JITTER = 1.2;

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

  /** Lets the receiver answer the delivery that it holds. */
  let release = (): void => undefined;
  /** An answer that is held, so that the delivery keeps its state until the test has seen it. */
  const held = (answer: Exclude<Answer, 'hang'>): Answer => ({
    ...answer,
    after: new Promise<void>((resolve) => {
      release = resolve;
    }),
  });
  const arrived = (count: number) => until(`attempt ${count} arrives`, () => receiver.received.length >= count);
  /** The delivery after attempt `count`, which is the last one. */
  const afterAttempt = (webhookId: string, count: number): Promise<ListedDelivery> =>
    until(`attempt ${count} is in the log`, async () => {
      const [delivery] = await deliveriesOf(account, webhookId);
      if (delivery === undefined || delivery.attempts.length < count) return null;
      // The due time and the attempts are read in separate queries.
      const isRead = Date.parse(delivery.next_attempt_at ?? '') > (receiver.received[count - 1]?.at ?? 0) + 1;
      return (delivery.status !== 'pending' || isRead) && delivery;
    });
  /** Expects the retry after attempt `count` to be due so many milliseconds after that was recorded. */
  const expectWait = async (webhookId: string, count: number, min: number, max: number): Promise<void> => {
    const { next_attempt_at } = await afterAttempt(webhookId, count);
    const due = Date.parse(next_attempt_at ?? '');
    // It was recorded after it had arrived, and before it was seen in the log.
    expect(due).toBeGreaterThanOrEqual((receiver.received[count - 1]?.at ?? 0) + min);
    const seenAt = Date.now();
    expect(due).toBeLessThanOrEqual(seenAt + Math.ceil(JITTER * max));
  };

  it('follow after 1 s, 2 s, 4 s, 8 s …, up to retry_count, with the same bytes and webhook-id', async () => {
    receiver.answerWith(() => held({ status: 503 }));
    const retries = 10;
    const id = await subscribe(account, { url: receiver.url(), retry_count: retries });
    await emit(world, [event(account, 'ä€😀')]);
    for (let attempt = 1; attempt <= retries; attempt += 1) {
      await arrived(attempt);
      release();
      const backoff = 1000 * 2 ** (attempt - 1);
      await expectWait(id, attempt, backoff, backoff);
      await letTimePass(world, account);
    }
    await arrived(retries + 1);
    release();
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

  it.each<[string, () => Answer, number, number]>([
    ['429 with seconds', () => ({ status: 429, headers: { 'retry-after': '30' } }), 30_000, 30_000],
    ['503 with a date', () => ({ status: 503, headers: { 'retry-after': inAMinute() } }), MINUTE, MINUTE + 1000],
    ['less than the backoff', () => ({ status: 503, headers: { 'retry-after': '0' } }), 1000, 1000],
    ['more than an hour', () => ({ status: 429, headers: { 'retry-after': '86400' } }), HOUR, HOUR],
    ['nonsense', () => ({ status: 429, headers: { 'retry-after': 'soon' } }), 1000, 1000],
  ])('obey Retry-After within bounds: %s', async (_, answer, min, max) => {
    receiver.answerWith(() => (receiver.received.length === 1 ? answer() : held({ status: 200 })));
    const id = await subscribe(account, { url: receiver.url() });
    await emit(world, [event(account, 1)]);
    await arrived(1);
    await expectWait(id, 1, min, max);
    await letTimePass(world, account);
    await arrived(2);
    release();
    expect(await afterAttempt(id, 2)).toMatchObject({ status: 'delivered' });
  });
});
