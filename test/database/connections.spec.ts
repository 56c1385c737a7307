import { crowd } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { eventually, until } from '../support/until.js';
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
    // So many at once, because a few would not need every connection.
    await crowd(200, (n) => (n % 2 === 0 ? contact() : account.api.get('/api/v1/contacts/?search=Ada')), 100);
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
    const other = await world.account();
    let isAnswered = false;
    const outcomes: string[] = [];
    const hasSlowed = () =>
      outcomes.filter((outcome) => outcome === 'done').length >= 2 &&
      outcomes.includes('the request waited longer than 5 s for the database');
    const running = async (): Promise<number> => {
      const [row] = await foreign.query<{ count: string }>(
        `SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND query = 'SELECT pg_sleep(2)'`,
      );
      return Number(row?.count);
    };
    // Each that ends is followed by another until the others are answered.
    const reading = crowd(
      40,
      async () => {
        do {
          const outcome = world.unitOfWork.reads(account.accountId).rows('SELECT pg_sleep(2)');
          outcomes.push(
            await outcome.then(
              () => 'done',
              (error: Error) => error.message,
            ),
          );
        } while (!isAnswered || !hasSlowed());
      },
      40,
    );
    try {
      const seen: number[] = [];
      await until('they have been seen running ten times', async () => {
        seen.push(await running());
        return seen.filter((count) => count > 0).length >= 10;
      });
      expect(world.environment.connections.reads).toBeGreaterThan(2);
      expect(Math.max(...seen)).toBeLessThanOrEqual(2);
      const answers = await Promise.all([
        other.api.get('/api/v1/contacts/'),
        other.api.get('/api/v1/groups/'),
        other.api.post('/api/v1/contacts/', { phone_number: uniquePhone(), first_name: 'Ada' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 201]);
      await eventually(async () => expect((await other.api.get('/health/ready')).status).toBe(200));
    } finally {
      isAnswered = true;
      await reading;
    }
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
    await until('it listens on another connection', async () =>
      (await listening()).some(({ pid }) => pid !== before?.pid),
    );
  });
});
