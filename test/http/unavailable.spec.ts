import { crowd } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until, within } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

/** Ten times the longest wait for the database: a request that is not answered by then waits for ever. Milliseconds. */
const MAX_ANSWER_MS = 100_000;

const answered = <T>(requests: Promise<T>): Promise<T> =>
  within(MAX_ANSWER_MS, () => requests, new Error('a request has no answer'));

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
    const change = (id: string, api = account.api) => api.patch(`/api/v1/contacts/${id}`, { first_name: 'Grace' });
    await foreign.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, locked]);
    try {
      const [refused, changed, read] = await Promise.all([
        change(locked, account.api.impatient),
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
    } finally {
      await foreign.release();
    }
    expect((await change(locked)).status).toBe(200);
  });

  it('lets a request with an Idempotency-Key be repeated after a 503', async () => {
    const id = await makeContact();
    const headers = { 'idempotency-key': `locked-${id}` };
    const post = (api = account.api) =>
      api.post('/api/v1/groups/', { name: `Group ${id}`, contact_ids: [id] }, { headers });
    await foreign.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, id]);
    try {
      expect((await post(account.api.impatient)).status).toBe(503);
    } finally {
      await foreign.release();
    }
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
    const { impatient } = account.api;
    const answers = await answered(Promise.all([1, 2, 3].map(() => impatient.get('/api/v1/contacts/'))));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(answers[0]?.body).toMatchObject({ error: 'unavailable' });
    await proxy.heal();
    await expectHealed(account);
  });

  it('is never a 500 and never late when every connection goes silent, and recovers by itself', async () => {
    await Promise.all(Array.from({ length: 8 }, () => account.api.get('/api/v1/contacts/')));
    proxy.silence({ newConnections: 'work' });
    const { impatient } = account.api;
    // All at once, so that every connection is asked.
    const requests = crowd(
      12,
      (n) =>
        n % 2 === 0
          ? impatient.get('/api/v1/contacts/')
          : impatient.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada' }),
      12,
    );
    for (const { status } of await answered(requests)) expect([200, 201, 503]).toContain(status);
    await expectHealed(account);
  });

  it('is 503 in time while no connection responds, old or new', async () => {
    proxy.silence({ newConnections: 'hang' });
    const { status, headers } = await answered(account.api.impatient.get('/api/v1/contacts/'));
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('2');
    await proxy.heal();
    await expectHealed(account);
  });
});

/** Waits until reads and writes work; connections opened during the outage may still fail once. */
async function expectHealed({ api: { impatient } }: TestAccount): Promise<void> {
  const seen: number[] = [];
  await until('reads and writes work', async () => {
    const answers = await Promise.all([
      impatient.get('/api/v1/contacts/'),
      impatient.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada' }),
    ]);
    seen.push(...answers.map(({ status }) => status));
    return answers.every(({ status }) => status < 300);
  });
  expect(seen).not.toContain(500);
}
