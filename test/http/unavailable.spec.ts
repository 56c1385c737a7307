import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { Stopwatch } from '../support/stopwatch.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

/** The longest wait for the database, milliseconds. */
const PATIENCE_MS = 10_000;
/** How long after a fault the service may refuse requests, milliseconds. */
const HEALED_WITHIN_MS = 15_000;

describe('an unavailable database', () => {
  let url: string;
  let proxy: TcpProxy;
  let world: World;
  let account: TestAccount;
  let foreign: ForeignSession;

  beforeAll(async () => {
    url = await freshDatabase();
    proxy = await TcpProxy.start(url);
    world = await World.start({ databaseUrl: proxy.through(url) });
    account = await world.account();
    foreign = await ForeignSession.open(url);
  });
  afterAll(async () => {
    await foreign.close();
    await world.stop();
    await proxy.stop();
  });

  const makeContact = async (): Promise<string> => {
    const { body } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: uniquePhone(),
      first_name: 'Ada',
    });
    return body.contact.id;
  };

  it('is 503 with Retry-After only for a request whose row is locked', async () => {
    const [locked, free] = [await makeContact(), await makeContact()];
    await foreign.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, locked]);
    const change = (id: string) => account.api.patch(`/api/v1/contacts/${id}`, { first_name: 'Grace' });
    const [refused, changed, read] = await Promise.all([
      change(locked),
      change(free),
      account.api.get(`/api/v1/contacts/${locked}`),
    ]);
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({
      error: 'unavailable',
      message: 'another request is using a record that this one needs; try again in 2 s',
    });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.get('x-request-id')).toBeTruthy();
    expect([changed.status, read.status]).toEqual([200, 200]);
    await foreign.release();
    expect((await change(locked)).status).toBe(200);
  });

  it('lets a request with an Idempotency-Key be repeated after a 503', async () => {
    const id = await makeContact();
    await foreign.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, id]);
    const headers = { 'idempotency-key': `locked-${id}` };
    const post = () => account.api.post('/api/v1/groups/', { name: `Group ${id}`, contact_ids: [id] }, { headers });
    expect((await post()).status).toBe(503);
    await foreign.release();
    expect((await post()).status).toBe(201);
  });

  it('is still 409 for a unique value that is taken', async () => {
    const phone = uniquePhone();
    const post = () => account.api.post('/api/v1/contacts/', { phone_number: phone, first_name: 'Ada' });
    expect((await post()).status).toBe(201);
    expect((await post()).status).toBe(409);
  });

  it('is 503 while PostgreSQL refuses connections, and 200 afterwards', async () => {
    proxy.refuse();
    proxy.cut('reset');
    const answers = await Promise.all([1, 2, 3].map(() => account.api.get('/api/v1/contacts/')));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(answers[0]?.body).toMatchObject({ error: 'unavailable' });
    await proxy.heal();
    await expectHealed(account);
  });

  it('is never a 500 and never late when every connection goes silent, and recovers by itself', async () => {
    await Promise.all(Array.from({ length: 8 }, () => account.api.get('/api/v1/contacts/')));
    proxy.silence({ newConnections: 'work' });
    const stopwatch = Stopwatch.start();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 2 === 0
          ? account.api.get('/api/v1/contacts/')
          : account.api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada' }),
      ),
    );
    expect(stopwatch.ms).toBeLessThan(PATIENCE_MS + 1000);
    for (const { status } of answers) expect([200, 201, 503]).toContain(status);
    await expectHealed(account);
    expect(stopwatch.stop()).toBeLessThan(HEALED_WITHIN_MS);
  });

  it('is 503 in time while no connection responds, old or new', async () => {
    proxy.silence({ newConnections: 'hang' });
    const stopwatch = Stopwatch.start();
    const { status, headers } = await account.api.get('/api/v1/contacts/');
    expect(stopwatch.stop()).toBeLessThan(PATIENCE_MS + 1000);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('2');
    await proxy.heal();
    await expectHealed(account);
  });
});

/** Waits until reads and writes work; connections opened during the outage may still fail once. */
function expectHealed({ api }: TestAccount): Promise<true> {
  const isHealed = async (): Promise<boolean> => {
    const answers = await Promise.all([
      api.get('/api/v1/contacts/'),
      api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada' }),
    ]);
    expect(answers.map(({ status }) => status)).not.toContain(500);
    return answers.every(({ status }) => status < 300);
  };
  return until('reads and writes work', async () => (await isHealed()) && true, HEALED_WITHIN_MS);
}
