import { serviceEnvironment } from '../operations/service-environment.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { onFreePort } from '../support/free-port.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { eventually, until } from '../support/until.js';
import { FaultProcess } from './fault-process.js';

jest.setTimeout(600_000);

/** Counts the leases that were taken from a worker that still had them, though its session was there. */
const WATCH_LEASES = `
  CREATE TABLE stolen_leases (at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE FUNCTION note_stolen_lease() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF OLD.holder <> NEW.holder AND OLD.held_until > clock_timestamp()
      AND EXISTS (SELECT FROM pg_stat_get_activity(OLD.session)) THEN
      INSERT INTO stolen_leases DEFAULT VALUES;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER note_stolen_lease AFTER UPDATE ON sweep_lease FOR EACH ROW EXECUTE FUNCTION note_stolen_lease()`;

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
    await foreign.query(WATCH_LEASES);
  });
  afterEach(async () => {
    await FaultProcess.killAll();
    for (const { path } of workers.splice(0)) await path.stop();
    await foreign.query('UPDATE sweep_lease SET holder = NULL');
    expect(await foreign.query('SELECT FROM stolen_leases')).toEqual([]);
  });
  afterAll(() => foreign?.close());

  const start = async (): Promise<Worker> => {
    const path = await TcpProxy.start(databaseUrl);
    const worker = await onFreePort(async (port) => {
      const env = { PARLEY_ROLES: 'worker', METRICS_PORT: String(port) };
      const { process } = await FaultProcess.service(serviceEnvironment(path.through(databaseUrl), env));
      return { process, path, metricsUrl: `http://127.0.0.1:${port}/metrics` };
    });
    workers.push(worker);
    return worker;
  };
  const leads = async ({ metricsUrl }: Worker): Promise<boolean> => {
    const answer = await fetch(metricsUrl, { signal: AbortSignal.timeout(60_000) });
    return (await answer.text()).includes('parley_sweeps_leader 1');
  };
  const leading = async (those: readonly Worker[]): Promise<Worker[]> => {
    const states = await Promise.all(those.map(leads));
    return those.filter((_, place) => states[place]);
  };
  /**
   * Waits for the first worker to lead, then starts another two. The first one leads on, unless the machine has kept it
   * from renewing its lease.
   */
  const leaderAndFollowers = async (): Promise<[Worker, Worker[]]> => {
    const first = await start();
    await until('the first worker leads', () => leads(first));
    const all = [first, await start(), await start()];
    const leader = await until('one of them leads', async () => {
      const [one, ...more] = await leading(all);
      return more.length === 0 && one;
    });
    return [leader, all.filter((worker) => worker !== leader)];
  };
  const untilAnyLeads = (followers: readonly Worker[]) =>
    until('another leads', async () => (await leading(followers)).length > 0);
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
    const [lease] = await foreign.query<{ holder: string }>('SELECT holder FROM sweep_lease');
    leader.process.signal('SIGTERM');
    expect((await leader.process.ends())?.how).toBe(0);
    // It has left no lease behind that the others would have to wait for.
    expect(
      await foreign.query('SELECT FROM sweep_lease WHERE holder = $1 AND held_until > clock_timestamp()', [
        lease?.holder,
      ]),
    ).toEqual([]);
    await untilAnyLeads(followers);
    await untilSwept();
  });

  it('knows that it leads no more when it wakes up', async () => {
    const [leader, followers] = await leaderAndFollowers();
    leader.process.signal('SIGSTOP');
    await untilAnyLeads(followers);
    leader.process.signal('SIGCONT');
    expect(await leads(leader)).toBe(false);
    await untilSwept();
    await eventually(async () => expect(await leading([leader, ...followers])).toHaveLength(1));
  });
});
