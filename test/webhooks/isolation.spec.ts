import { type AddressInfo, createServer } from 'node:net';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { deliveriesOf, emit, event, markOf, settledDeliveries, subscribe } from './events.js';
import { HostileReceiver, MISBEHAVIOURS, type Misbehaviour } from './hostile-receiver.js';
import { Receiver } from './receiver.js';

const ALL = Object.keys(MISBEHAVIOURS) as Misbehaviour[];
/** Longer than any test, seconds. */
const LONG_TIMEOUT = 30;
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
    world = await World.start({ env: { WEBHOOK_ENDPOINT_LIMIT: '40' } });
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
    const settings = { timeout: LONG_TIMEOUT, retry_count: 10 };
    const hanging = await subscribe(account, { url: hostile.url('never answers'), ...settings });
    for (const misbehaviour of ALL) {
      await subscribe(account, { url: hostile.url(misbehaviour, 'first'), ...settings });
      await subscribe(account, { url: hostile.url(misbehaviour, 'second'), ...settings });
    }
    await subscribe(account, { url: `https://127.0.0.1:${hostile.port}/`, ...settings });
    await emit(world, events(account, 20));
    await until('connections hang', () => hostile.open >= 10);

    await subscribe(account, { url: receiver.url('/own') });
    await subscribe(other, { url: receiver.url('/other') });
    await emit(world, [...events(account, 200), ...events(other, 200)]);
    await until('all have arrived', () => marksAt('/own').size === 200 && marksAt('/other').size === 200);
    // None of the hanging attempts has ended, so nothing has waited for them.
    expect((await deliveriesOf(account, hanging)).flatMap(({ attempts }) => attempts)).toEqual([]);
  });

  it('leaves every account its share of a process that others fill with hanging attempts', async () => {
    const account = await newAccount();
    const crowd = await Promise.all(Array.from({ length: 28 }, newAccount));
    const which = Array.from({ length: 20 }, (_, i) => i);
    const hanging = await Promise.all(
      crowd.map(async (each) => {
        const ids: string[] = [];
        for (const i of which) {
          ids.push(await subscribe(each, { url: hostile.url('never answers', i), timeout: LONG_TIMEOUT }));
        }
        return ids;
      }),
    );
    await emit(
      world,
      crowd.flatMap((each) => events(each, 4)),
    );
    await until('the process is full', () => hostile.open >= MAX_ATTEMPTS);
    await subscribe(account, { url: receiver.url('/') });
    await emit(world, events(account, 200));
    await until('all have arrived', () => marksAt('/').size === 200);
    const [first] = crowd as [TestAccount];
    expect((await deliveriesOf(first, hanging[0]?.[0] ?? '')).flatMap(({ attempts }) => attempts)).toEqual([]);
    expect(hostile.mostOpen).toBeLessThanOrEqual(MAX_ATTEMPTS + crowd.length);
  });

  it('does not make an account wait behind the backlog of another', async () => {
    const [busy, other] = [await newAccount(), await newAccount()];
    await subscribe(busy, { url: receiver.url('/busy') });
    await subscribe(other, { url: receiver.url('/other') });
    receiver.answerWith(({ path }) => ({ status: 200, afterMs: path === '/busy' ? 100 : 0 }));
    await emit(world, events(busy, 3000));
    await until('the backlog is being worked off', () => marksAt('/busy').size > 0);
    await emit(world, events(other, 50));
    await until('the other events have arrived', () => marksAt('/other').size === 50);
    expect(marksAt('/busy').size).toBeLessThan(3000);
  });

  it.each<[Misbehaviour | 'never shakes hands', number | null, string | null]>([
    ['never answers', null, 'the endpoint did not answer within 1 s'],
    ['never shakes hands', null, 'the endpoint did not answer within 1 s'],
    ['drips headers', null, 'the endpoint did not answer within 1 s'],
    ['drips its answer', 200, null],
    ['answers without end', 200, null],
    ['stalls after a long answer', 200, null],
    ['extends a chunk without end', 200, null],
    ['says early hints without end', null, 'the endpoint did not send a valid HTTP response'],
    ['refuses without end', 403, 'the endpoint answered 403'],
    ['sends headers without end', null, 'the endpoint did not send a valid HTTP response'],
    ['hangs up', null, 'the endpoint closed the connection before it responded'],
    ['fails at once', 500, 'the endpoint answered 500'],
    ['speaks no HTTP', null, 'the endpoint did not send a valid HTTP response'],
    ['answers with a status below 100', null, 'the endpoint did not send a valid HTTP response'],
    ['answers with a status above 599', 999, 'the endpoint answered 999'],
  ])('has the outcome in its log, and costs little: %s', async (misbehaviour, status_code, error) => {
    const account = await newAccount();
    const url =
      misbehaviour === 'never shakes hands' ? `https://127.0.0.1:${hostile.port}/` : hostile.url(misbehaviour);
    const id = await subscribe(account, { url, timeout: 1, retry_count: 0 });
    await emit(world, events(account, 1));
    const [delivery] = await until('it is over', async () => {
      const deliveries = await deliveriesOf(account, id);
      return deliveries[0] !== undefined && deliveries[0].status !== 'pending' && deliveries;
    });
    expect(delivery?.status).toBe(error === null ? 'delivered' : 'failed');
    expect(delivery?.attempts).toMatchObject([{ status_code, error }]);
    expect((delivery?.attempts[0]?.response ?? '').length).toBeLessThanOrEqual(1024);
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
    const id = await subscribe(account, { url: hostile.url(misbehaviour), timeout: 1 });
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
      socket.on('data', () => {
        requests += 1;
        if (isReused) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
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
