import { serviceEnvironment } from '../operations/service-environment.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { freePort } from '../support/free-port.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { FaultProcess } from './fault-process.js';

jest.setTimeout(180_000);

/** A lost leader is replaced within this time, milliseconds. */
const REPLACED_WITHIN_MS = 15_000;
/** Less than what is left of the lease of a leader that runs, milliseconds. */
const AT_ONCE_MS = 3500;

/** A worker process with a path of its own to the database. */
interface Worker {
  readonly process: FaultProcess;
  readonly path: TcpProxy;
  readonly metricsUrl: string;
}

describe('the worker that runs the sweeps', () => {
  let databaseUrl: string;
  let foreign: ForeignSession;
  const workers: Worker[] = [];

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    foreign = await ForeignSession.open(databaseUrl);
  });
  afterEach(async () => {
    await FaultProcess.killAll();
    for (const { path } of workers.splice(0)) await path.stop();
    await foreign.query('UPDATE sweep_lease SET holder = NULL');
  });
  afterAll(() => foreign.close());

  const start = async (): Promise<Worker> => {
    const path = await TcpProxy.start(databaseUrl);
    const port = await freePort();
    const env = { PARLEY_ROLES: 'worker', METRICS_PORT: String(port) };
    const { process } = await FaultProcess.service(serviceEnvironment(path.through(databaseUrl), env));
    const worker = { process, path, metricsUrl: `http://127.0.0.1:${port}/metrics` };
    workers.push(worker);
    return worker;
  };
  const leads = async ({ metricsUrl }: Worker): Promise<boolean> =>
    (await (await fetch(metricsUrl)).text()).includes('parley_sweeps_leader 1');
  /** Waits for the first worker to lead, then starts another two. */
  const leaderAndFollowers = async (): Promise<[Worker, Worker[]]> => {
    const leader = await start();
    await until('the first worker leads', () => leads(leader));
    const followers = [await start(), await start()];
    expect(await Promise.all([leader, ...followers].map(leads))).toEqual([true, false, false]);
    return [leader, followers];
  };
  const untilAnyLeads = (followers: readonly Worker[], withinMs = REPLACED_WITHIN_MS) =>
    until('another leads', async () => (await Promise.all(followers.map(leads))).includes(true), withinMs);
  /** Leaves work that only a sweep finds. */
  const untilSwept = async () => {
    await foreign.query(
      `INSERT INTO counter_changes (account_id, counter, subject_id, amount)
       SELECT id, 'contacts', id, 1 FROM gen_random_uuid() AS id`,
    );
    await until('it is found', async () => (await foreign.query('SELECT FROM counter_changes')).length === 0);
  };

  it.each<[string, (leader: Worker) => void | Promise<void>]>([
    ['is killed', ({ process }) => process.kill()],
    ['is frozen', ({ process }) => process.signal('SIGSTOP')],
    [
      'loses its connections',
      ({ path }) => {
        path.refuse();
        path.cut('reset');
      },
    ],
    ['gets no more answers from the database', ({ path }) => path.silence({ newConnections: 'hang', server: 'open' })],
  ])('is replaced when it %s', async (_, lose) => {
    const [leader, followers] = await leaderAndFollowers();
    await lose(leader);
    await untilAnyLeads(followers);
    await untilSwept();
  });

  it('is replaced at once when it stops', async () => {
    const [leader, followers] = await leaderAndFollowers();
    await leader.process.stop();
    await untilAnyLeads(followers, AT_ONCE_MS);
    await untilSwept();
  });

  it('knows that it leads no more when it wakes up', async () => {
    const [leader, followers] = await leaderAndFollowers();
    leader.process.signal('SIGSTOP');
    await untilAnyLeads(followers);
    leader.process.signal('SIGCONT');
    expect(await leads(leader)).toBe(false);
    await untilSwept();
    expect((await Promise.all([leader, ...followers].map(leads))).filter(Boolean)).toHaveLength(1);
  });
});
