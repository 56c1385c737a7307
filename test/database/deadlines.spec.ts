import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createDataSource, createPool, type DatabaseOptions } from '../../src/database/connections/data-source.js';
import { DatabaseUnavailable } from '../../src/database/connections/database-unavailable.js';
import { MAX_CONNECT_MS } from '../../src/database/connections/deadlines.js';
import { inTicks, silenceWatch } from '../../src/database/connections/silence-watch.js';
import { isTransient } from '../../src/database/connections/transient-errors.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { workerDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { HeldTimers } from '../support/held-timers.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until, within } from '../support/until.js';

const SHORT = { statementMs: 500, lockMs: 200 };
const LONG = { statementMs: 30_000, lockMs: 2000 };
/** Far beyond every deadline here: what has not ended by then waits for ever. Milliseconds. */
const FOREVER_MS = 60_000;

/** What `work` fails with, or null. */
const failureOf = (work: () => Promise<unknown>): Promise<unknown> => {
  const failure = async () =>
    work().then(
      () => null,
      (error: unknown) => error,
    );
  return within(FOREVER_MS, failure, new Error('it waits for ever'));
};

interface Asked {
  query(sql: string): Promise<{ readonly rows: unknown[] }>;
}
/** The rows of a short statement, which even a quiet database may not answer within its deadline on a busy machine. */
const answerTo = async (connections: Asked, sql = 'SELECT 1'): Promise<unknown[]> =>
  (await until(`there is an answer to ${sql}`, () => connections.query(sql))).rows;
/** Waits until the server ends a statement for this reason. On a busy machine, the client may have given up before. */
const untilRefused = (code: string, work: () => Promise<unknown>): Promise<true> =>
  until(`it is refused with ${code}`, async () => ((await failureOf(work)) as { code?: string } | null)?.code === code);

describe('connection deadlines', () => {
  let url: string;
  let proxy: TcpProxy;
  const open: { end(): Promise<void> }[] = [];

  const pool = (options: Partial<DatabaseOptions> = {}) => {
    const made = createPool({ url: proxy.through(url), poolSize: 3, deadlines: SHORT, ...options });
    open.push(made);
    return made;
  };
  const unitOfWork = async (options: Partial<DatabaseOptions> = {}) => {
    const source = await createDataSource({
      url: proxy.through(url),
      poolSize: 2,
      deadlines: SHORT,
      ...options,
    }).initialize();
    open.push({ end: () => source.destroy() });
    return new UnitOfWork(source);
  };

  beforeAll(async () => {
    url = await workerDatabase();
  });
  beforeEach(async () => {
    proxy = await TcpProxy.start(url);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.end()));
    await proxy.stop();
  });

  it('gives up an unanswered statement and continues on another connection', async () => {
    const connections = pool();
    await answerTo(connections);
    proxy.silence({ newConnections: 'work' });
    const error = await failureOf(() => connections.query('SELECT 2'));
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect((error as Error).message).toBe('the database did not answer within 1.5 s');
    expect(await answerTo(connections, 'SELECT 3 AS n')).toEqual([{ n: 3 }]);
  });

  it.each([
    ['BEGIN', 'before'],
    ['a statement', 'within'],
    ['COMMIT', 'after'],
  ])('gives up a transaction with an unanswered %s', async (_, when) => {
    const { transaction, autocommit } = await bound(unitOfWork());
    await until('it is connected', () => autocommit.rows('SELECT 1'));
    const silence = (at: string) => {
      if (at === when) proxy.silence({ newConnections: 'work', server: 'open' });
    };
    silence('before');
    const error = await failureOf(() =>
      transaction(async (tx) => {
        silence('within');
        await tx.rows('SELECT 1');
        silence('after');
      }),
    );
    expect(isTransient(error)).toBe(true);
    const read = () => transaction((tx) => tx.rows<{ n: number }>('SELECT 1 AS n'));
    expect(await until('another one works', read)).toEqual([{ n: 1 }]);
  });

  it('closes other idle connections that may be dead before handing one out', async () => {
    const connections = pool();
    // Otherwise the pool itself closes what is idle for ten seconds.
    Object.assign(connections.options, { idleTimeoutMillis: 0 });
    const clients = await Promise.all([1, 2, 3].map(() => until('it is connected', () => connections.connect())));
    for (const client of clients) client.release();
    expect(connections.idleCount).toBe(3);
    const suspects = silenceWatch.suspects;
    proxy.silence({ newConnections: 'work' });
    expect(await failureOf(() => connections.query('SELECT 1'))).toBeInstanceOf(DatabaseUnavailable);
    expect(silenceWatch.suspects - suspects).toBe(2);
    await until('none of the three is left', () => connections.totalCount === 0);
    expect(await Promise.all([1, 2, 3].map(() => answerTo(connections, 'SELECT 1 AS n')))).toEqual(
      Array(3).fill([{ n: 1 }]),
    );
  });

  it('shortens the wait for a long statement once another connection was silent', async () => {
    const [brief, patient] = [pool(), pool({ deadlines: LONG })];
    await Promise.all([answerTo(brief), answerTo(patient)]);
    proxy.silence({ newConnections: 'work' });
    const sentAt = silenceWatch.now;
    const [, error] = await Promise.all([
      failureOf(() => brief.query('SELECT 1')),
      failureOf(() => patient.query('SELECT 1')),
    ]);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    // Ticks of the watch itself, of which a process that stands still has none.
    expect(silenceWatch.now - sentAt).toBeLessThan(inTicks(12_000));
  });

  it('lets a long statement run while the others answer', async () => {
    const [brief, patient] = [pool(), pool({ deadlines: LONG })];
    await answerTo(patient);
    const long = failureOf(() => patient.query('SELECT pg_sleep(3)'));
    await untilRefused('57014', () => brief.query('SELECT pg_sleep(1)'));
    expect(await long).toBeNull();
  });

  it('waits at most 3 s for a connection that is never established', async () => {
    proxy.silence({ newConnections: 'hang' });
    const connections = pool();
    const error = await failureOf(() => connections.query('SELECT 1'));
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect((error as Error).message).toBe('no database connection became free within 3 s');
  });

  it('waits at most 3 s for a connection in use', async () => {
    const connections = pool({ poolSize: 1, deadlines: LONG });
    const held = await until('it is connected', () => connections.connect());
    try {
      const error = await failureOf(() => connections.query('SELECT 1'));
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      expect((error as Error).message).toBe('no database connection became free within 3 s');
    } finally {
      held.release();
    }
  });

  it('rejects immediately when too many wait for a connection', async () => {
    const connections = pool({ poolSize: 1, deadlines: LONG });
    const held = await until('it is connected', () => connections.connect());
    // The hundred may take longer than the three seconds that each waits for a connection.
    const waits = HeldTimers.of(MAX_CONNECT_MS);
    try {
      const queries = Array.from({ length: 100 }, () => connections.query('SELECT 1'));
      const waiting = Promise.all(queries);
      expect(waits.running).toBe(100);
      await expect(connections.query('SELECT 1')).rejects.toThrow(
        'too many requests are waiting for a database connection',
      );
      held.release();
      await expect(waiting).resolves.toHaveLength(100);
    } finally {
      waits.letGo();
    }
  });

  it('treats a refused connection as a temporary error', async () => {
    const connections = pool();
    proxy.refuse();
    expect(isTransient(await failureOf(() => connections.query('SELECT 1')))).toBe(true);
  });

  it('does not mistake a busy process for a silent database', async () => {
    const connections = pool({ deadlines: { statementMs: 2000, lockMs: 200 } });
    const client = await until('it is connected', () => connections.connect());
    try {
      const answer = client.query('SELECT 4 AS n');
      // Longer than its deadline of three seconds.
      const end = performance.now() + 4000;
      while (performance.now() < end);
      expect((await answer).rows).toEqual([{ n: 4 }]);
    } finally {
      client.release();
    }
  });

  it('does not mistake a connection that is never idle for a silent one', async () => {
    const deadlines = { statementMs: 3000, lockMs: 200 };
    const connections = pool({ poolSize: 1, deadlines });
    await answerTo(connections);
    const misses = silenceWatch.misses;
    // Well beyond its deadline of four seconds.
    const end = silenceWatch.now + inTicks(5000);
    const ask = async () => {
      // One that waits too long for the connection proves nothing.
      while (silenceWatch.now < end) await failureOf(() => connections.query('SELECT pg_sleep(0.02)'));
    };
    await Promise.all([ask(), ask(), ask()]);
    expect(silenceWatch.misses).toBe(misses);
  });

  it('cancels statements on the server and limits the wait for locks', async () => {
    const connections = pool({ deadlines: { statementMs: 600, lockMs: 200 } });
    await untilRefused('57014', () => connections.query('SELECT pg_sleep(5)'));
    const foreign = await ForeignSession.open(url);
    try {
      await foreign.lock('configuration_epoch', 'only_row', []);
      await untilRefused('55P03', () => connections.query('SELECT FROM configuration_epoch FOR UPDATE'));
    } finally {
      await foreign.close();
    }
  });

  it('gives a large transaction the requested time, and the next one the default', async () => {
    const { transaction } = await bound(unitOfWork({ poolSize: 1 }));
    const sleep = (seconds: number, statementMs?: number) =>
      transaction((tx) => tx.rows('SELECT pg_sleep($1)', [seconds]), statementMs === undefined ? {} : { statementMs });
    expect(await until('it may sleep', () => sleep(2.5, 30_000))).toHaveLength(1);
    await untilRefused('57014', () => sleep(2.5));
  });

  it('closes although the server does not respond to the goodbye', async () => {
    // Announces that it is ready for queries and then stays silent, even on Terminate.
    const sockets: Socket[] = [];
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket);
      socket.once('data', () => socket.write(Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `postgres://nobody@127.0.0.1:${port}/none`;
    // Other connections begin with a statement.
    const connections = createPool({ url, poolSize: 1, deadlines: SHORT, readsOnly: true });
    try {
      const held = await until('it is connected', () => connections.connect());
      const ended = failureOf(() => connections.end());
      held.release();
      expect(await ended).toBeNull();
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
});

/** A unit of work whose methods can be taken apart. */
async function bound(made: Promise<UnitOfWork>): Promise<Pick<UnitOfWork, 'transaction' | 'autocommit'>> {
  const unitOfWork = await made;
  return { transaction: unitOfWork.transaction.bind(unitOfWork), autocommit: unitOfWork.autocommit };
}
