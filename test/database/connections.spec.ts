import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { Stopwatch } from '../support/stopwatch.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

describe('the connections of a process', () => {
  let proxy: TcpProxy;
  let world: World;
  let account: TestAccount;
  let foreign: ForeignSession;

  beforeAll(async () => {
    const url = await freshDatabase();
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

  it('number at most 20 under any load', async () => {
    const { environment } = world;
    const contact = () =>
      account.api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada', tags: ['crowd'] });
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        n % 2 === 0 ? contact() : account.api.get('/api/v1/contacts/?search=Ada'),
      ),
    );
    const split = Object.values(environment.connections).reduce((sum, each) => sum + each, 0);
    expect(split).toBe(20);
    expect(proxy.maxOpen).toBeGreaterThan(8);
    expect(proxy.maxOpen).toBeLessThanOrEqual(20);
  });

  it('have server-side timeouts per purpose', async () => {
    const { unitOfWork } = world;
    const settings =
      "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock";
    const control = await unitOfWork.control.row(settings);
    const reads = await unitOfWork.reads(account.accountId).row(settings);
    expect(control).toEqual({ statement: '2s', lock: '1s' });
    expect(reads).toEqual({ statement: '5s', lock: '2s' });
    expect(await unitOfWork.autocommit.row(settings)).toEqual({ statement: '5s', lock: '2s' });
  });

  it('stay available to others during many slow reads of one account', async () => {
    const crowd = Array.from({ length: 40 }, () =>
      world.unitOfWork
        .reads(account.accountId)
        .rows('SELECT pg_sleep(0.4)')
        .then(
          () => 'done',
          (error: Error) => error.message,
        ),
    );
    const other = await world.account();
    const stopwatch = Stopwatch.start();
    const answers = await Promise.all([
      other.api.get('/api/v1/contacts/'),
      other.api.get('/api/v1/groups/'),
      other.api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada' }),
      other.api.get('/health/ready'),
    ]);
    const ms = stopwatch.stop();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 200]);
    expect(ms).toBeLessThan(2000);
    const outcomes = await Promise.all(crowd);
    expect(outcomes.filter((outcome) => outcome === 'done').length).toBeGreaterThanOrEqual(2);
    expect(outcomes).toContain('the request waited longer than 5 s for the database');
  });

  it('keep listening for announcements of other processes, even after a silence', async () => {
    const listening = () =>
      foreign.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'parley-listen' AND query ~ '^(LISTEN|SELECT 1)'`,
      );
    const [before] = await until('the relay listens', async () => {
      const found = await listening();
      return found.length > 0 && found;
    });
    proxy.silence({ newConnections: 'work', server: 'open' });
    await until(
      'it listens on another connection',
      async () => (await listening()).some(({ pid }) => pid !== before?.pid),
      20_000,
    );
  });
});
