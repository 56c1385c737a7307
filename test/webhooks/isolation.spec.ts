import { type AddressInfo, createServer } from 'node:net';
import { crowd, crowdOf } from '../support/crowd.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, markOf, settledDeliveries, subscribe } from './events.js';
import { HostileReceiver, MISBEHAVIOURS, type Misbehaviour } from './hostile-receiver.js';
import { databaseOfLongTimeouts, letHang } from './long-timeouts.js';
import { Receiver } from './receiver.js';

const ALL = Object.keys(MISBEHAVIOURS) as Misbehaviour[];
/** Concurrent attempts of one process. */
const MAX_ATTEMPTS = 2048;
/** The most that the socket buffers of a local connection hold, bytes. */
const MAX_BUFFERED = 16 * 1024 * 1024;

describe('a misbehaving endpoint', () => {
  let world: World;
  let hostile: HostileReceiver;
  let receiver: Receiver;
  let accounts: TestAccount[];

  beforeAll(async () => {
    world = await World.start({
      databaseUrl: await databaseOfLongTimeouts(),
      env: { WEBHOOK_ENDPOINT_LIMIT: '40' },
    });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    accounts = [];
    hostile = await HostileReceiver.listen();
    receiver = await Receiver.listen();
  });
  afterEach(async () => {
    await world.unitOfWork.autocommit.affected(
      `UPDATE webhook_endpoints SET status = 'disabled' WHERE account_id = ANY ($1)`,
      [accounts.map(({ accountId }) => accountId)],
    );
    await hostile.close();
    await receiver.close();
  });

  const newAccount = async (): Promise<TestAccount> => {
    const account = await world.account();
    accounts.push(account);
    return account;
  };
  const events = (account: TestAccount, count: number) => Array.from({ length: count }, (_, i) => event(account, i));
  const marksAt = (path: string) =>
    new Set(receiver.received.filter((delivery) => delivery.path === path).map(({ body }) => markOf(body)));

  it('delays neither the other endpoints of its account nor other accounts', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const settings = { retry_count: 10 };
    const hanging = await subscribe(account, { url: hostile.url('never answers'), ...settings });
    for (const misbehaviour of ALL) {
      await subscribe(account, { url: hostile.url(misbehaviour, 'first'), ...settings });
      await subscribe(account, { url: hostile.url(misbehaviour, 'second'), ...settings });
    }
    await subscribe(account, { url: `https://127.0.0.1:${hostile.port}/`, ...settings });
    await letHang(world, [account]);
    await emit(world, events(account, 20));
    await until('connections hang', () => hostile.open >= 10);

    await subscribe(account, { url: receiver.url('/own') });
    await subscribe(other, { url: receiver.url('/other') });
    await emit(world, [...events(account, 200), ...events(other, 200)]);
    await until('all have arrived', () => marksAt('/own').size >= 200 && marksAt('/other').size >= 200);
    // None of the hanging attempts has ended, so nothing has waited for them.
    expect((await deliveriesOf(account, hanging)).flatMap(({ attempts }) => attempts)).toEqual([]);
  });

  it('leaves every account its share of a process that others fill with hanging attempts', async () => {
    const account = await newAccount();
    const others = await crowd(28, newAccount);
    const which = Array.from({ length: 20 }, (_, i) => i);
    const hanging = await crowdOf(others, async (each) => {
      const ids: string[] = [];
      for (const i of which) ids.push(await subscribe(each, { url: hostile.url('never answers', i) }));
      return ids;
    });
    await letHang(world, others);
    await emit(
      world,
      others.flatMap((each) => events(each, 4)),
    );
    await until('the process is full', () => hostile.open >= MAX_ATTEMPTS);
    await subscribe(account, { url: receiver.url('/') });
    await emit(world, events(account, 200));
    await until('all have arrived', () => marksAt('/').size >= 200);
    const [first] = others as [TestAccount];
    expect((await deliveriesOf(first, hanging[0]?.[0] ?? '')).flatMap(({ attempts }) => attempts)).toEqual([]);
    expect(hostile.mostOpen).toBeLessThanOrEqual(MAX_ATTEMPTS + others.length);
  });

  it('does not make an account wait behind the backlog of another', async () => {
    const [busy, other] = [await newAccount(), await newAccount()];
    await subscribe(busy, { url: receiver.url('/busy') });
    await subscribe(other, { url: receiver.url('/other') });
    await letHang(world, [busy]);
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    // The backlog is worked off at some pace, and its second half only once the other events have arrived.
    let arrived = 0;
    receiver.answerWith(({ path }) => {
      if (path !== '/busy') return { status: 200 };
      arrived += 1;
      return arrived > 1500 ? { status: 200, after: finished } : { status: 200, afterMs: 100 };
    });
    try {
      await emit(world, events(busy, 3000));
      await until('the backlog is being worked off', () => marksAt('/busy').size > 0);
      await emit(world, events(other, 50));
      await until('the other events have arrived', () => marksAt('/other').size >= 50);
      expect(marksAt('/busy').size).toBeLessThan(3000);
    } finally {
      finish();
    }
  });

  /** On a busy machine even the connection may take that long. */
  const LATE = /^the endpoint did not (answer|accept a connection|finish the TLS handshake) within 1 s$/;
  /** Waits until the delivery is over. @returns its last attempt; the others can only have been late */
  const outcomeOf = async (account: TestAccount, id: string) => {
    const [delivery] = await settledDeliveries(account, id);
    const attempts = delivery?.attempts ?? [];
    for (const { error } of attempts.slice(0, -1)) expect(error).toMatch(LATE);
    return { status: delivery?.status, attempt: attempts.at(-1), count: attempts.length };
  };

  it.each<[Misbehaviour | 'never shakes hands', number | null, string | RegExp | null]>([
    ['never answers', null, LATE],
    ['never shakes hands', null, LATE],
    ['answers without end', 200, null],
    ['extends a chunk without end', 200, null],
    ['says early hints without end', null, 'the endpoint did not send an HTTP response'],
    ['sends headers without end', 200, null],
    ['hangs up', null, 'the endpoint closed the connection before it responded'],
    ['fails at once', 500, 'the endpoint answered 500'],
    ['speaks no HTTP', null, 'the endpoint did not send an HTTP response'],
    ['answers with a status below 100', null, 'the endpoint did not send an HTTP response'],
    ['answers with a status above 599', 999, 'the endpoint answered 999'],
  ])('has the outcome in its log, and costs little: %s', async (misbehaviour, status_code, error) => {
    const account = await newAccount();
    const url =
      misbehaviour === 'never shakes hands' ? `https://127.0.0.1:${hostile.port}/` : hostile.url(misbehaviour);
    const id = await subscribe(account, { url, timeout: error === LATE ? 1 : 30, retry_count: 0 });
    await emit(world, events(account, 1));
    const { status, attempt, count } = await outcomeOf(account, id);
    expect(status).toBe(error === null ? 'delivered' : 'failed');
    expect(attempt).toMatchObject({ status_code, error: error === LATE ? expect.stringMatching(LATE) : error });
    expect(count).toBe(1);
    expect((attempt?.response ?? '').length).toBeLessThanOrEqual(1024);
    await until('the connection is closed', () => hostile.open === 0);
    expect(hostile.sent).toBeLessThan(MAX_BUFFERED);
  });

  // These last as long as the endpoint may take, which is a second here. On a busy machine even the headers may take
  // longer; then the delivery is tried again.
  it.each<[Misbehaviour, number, string | null]>([
    ['drips headers', 200, null],
    ['drips its answer', 200, null],
    ['stalls after a long answer', 200, null],
    ['refuses without end', 403, 'the endpoint answered 403'],
  ])('has the outcome in its log when its time is over, and costs little: %s', async (misbehaviour, code, error) => {
    const account = await newAccount();
    const id = await subscribe(account, { url: hostile.url(misbehaviour), timeout: 1, retry_count: 10 });
    await emit(world, events(account, 1));
    const { status, attempt } = await outcomeOf(account, id);
    expect(status).toBe(error === null ? 'delivered' : 'failed');
    expect(attempt).toMatchObject({ status_code: code, error });
    expect((attempt?.response ?? '').length).toBeLessThanOrEqual(1024);
    await until('the connection is closed', () => hostile.open === 0);
    expect(hostile.sent).toBeLessThan(MAX_BUFFERED);
  });

  it.each<[Misbehaviour, number, string]>([
    ['ends its answer early', 200, 'early'],
    ['never ends its answer', 202, 'late'],
    ['breaks off a chunk', 200, 'half'],
    ['says continue first', 200, 'ok'],
  ])('is delivered once to a receiver that %s', async (misbehaviour, status_code, response) => {
    const account = await newAccount();
    // The second of these lasts so long.
    const id = await subscribe(account, { url: hostile.url(misbehaviour), timeout: 10 });
    await emit(world, events(account, 1));
    expect(await settledDeliveries(account, id)).toMatchObject([
      { status: 'delivered', attempts: [{ status_code, error: null, response }] },
    ]);
  });

  it('is delivered once to a receiver that closes an idle connection just then', async () => {
    let requests = 0;
    const server = createServer((socket) => {
      let isReused = false;
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        if (!data.toString('latin1').startsWith('POST')) return;
        requests += 1;
        if (isReused) socket.resetAndDestroy();
        // It asks to be kept for longer than the usual 4 s, so that the next delivery finds it.
        else socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=60\r\ncontent-length: 0\r\n\r\n');
        isReused = true;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const account = await newAccount();
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const id = await subscribe(account, { url });
      for (let count = 1; count <= 2; count += 1) {
        await emit(world, [event(account, count)]);
        await settledDeliveries(account, id, count);
      }
      expect(requests).toBe(3);
      for (const { status, attempts } of await deliveriesOf(account, id)) {
        expect({ status, attempts }).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
        expect(attempts).toHaveLength(1);
      }
    } finally {
      server.close();
    }
  });
});
