import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createDataSource, createPool, type DatabaseOptions } from '../../src/database/connections/data-source.js';
import { DatabaseUnavailable } from '../../src/database/connections/database-unavailable.js';
import { silenceWatch } from '../../src/database/connections/silence-watch.js';
import { isTransient } from '../../src/database/connections/transient-errors.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { workerDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { Stopwatch } from '../support/stopwatch.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const SHORT = { statementMs: 500, lockMs: 200 };
/** Far beyond the deadline of `SHORT`, which is 1.5 s. */
const GENEROUS_MS = 5000;

const took = async (work: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> => {
  const stopwatch = Stopwatch.start();
  const error = await work().then(
    () => null,
    (failure: unknown) => failure,
  );
  return { error, ms: stopwatch.stop() };
};

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
    await connections.query('SELECT 1');
    proxy.silence({ newConnections: 'work' });
    const { error, ms } = await took(() => connections.query('SELECT 2'));
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect((error as Error).message).toBe('the database did not answer within 1.5 s');
    expect(ms).toBeLessThan(GENEROUS_MS);
    expect((await connections.query('SELECT 3 AS n')).rows).toEqual([{ n: 3 }]);
  });

  it.each([
    ['BEGIN', 'before'],
    ['a statement', 'within'],
    ['COMMIT', 'after'],
  ])('gives up a transaction with an unanswered %s', async (_, when) => {
    const { transaction, autocommit } = await bound(unitOfWork());
    await autocommit.rows('SELECT 1');
    const silence = (at: string) => {
      if (at === when) proxy.silence({ newConnections: 'work', server: 'open' });
    };
    silence('before');
    const { error, ms } = await took(() =>
      transaction(async (tx) => {
        silence('within');
        await tx.rows('SELECT 1');
        silence('after');
      }),
    );
    expect(isTransient(error)).toBe(true);
    expect(ms).toBeLessThan(GENEROUS_MS);
    expect(await transaction((tx) => tx.rows<{ n: number }>('SELECT 1 AS n'))).toEqual([{ n: 1 }]);
  });

  it('closes other idle connections that may be dead before handing one out', async () => {
    const connections = pool();
    await Promise.all([1, 2, 3].map((n) => connections.query('SELECT pg_sleep(0.2), $1::integer', [n])));
    expect(connections.idleCount).toBe(3);
    const suspects = silenceWatch.suspects;
    proxy.silence({ newConnections: 'work' });
    await expect(connections.query('SELECT 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(silenceWatch.suspects - suspects).toBe(2);
    const misses = silenceWatch.misses;
    await Promise.all([1, 2, 3].map(() => connections.query('SELECT 1')));
    expect(silenceWatch.misses).toBe(misses);
  });

  it('shortens the wait for a long statement once another connection was silent', async () => {
    const [brief, patient] = [pool(), pool({ deadlines: { statementMs: 30_000, lockMs: 2000 } })];
    await Promise.all([brief.query('SELECT 1'), patient.query('SELECT 1')]);
    proxy.silence({ newConnections: 'work' });
    const [, { error, ms }] = await Promise.all([
      took(() => brief.query('SELECT 1')),
      took(() => patient.query('SELECT 1')),
    ]);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(ms).toBeLessThan(12_000);
  });

  it('lets a long statement run while the others answer', async () => {
    const [brief, patient] = [pool(), pool({ deadlines: { statementMs: 30_000, lockMs: 2000 } })];
    const long = patient.query('SELECT pg_sleep(3)');
    await expect(brief.query('SELECT pg_sleep(1)')).rejects.toMatchObject({ code: '57014' });
    await expect(long).resolves.toBeDefined();
  });

  it('waits at most 3 s for a connection that is never established', async () => {
    proxy.silence({ newConnections: 'hang' });
    const connections = pool();
    const { error, ms } = await took(() => connections.query('SELECT 1'));
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect((error as Error).message).toBe('no database connection became free within 3 s');
    expect(ms).toBeLessThan(GENEROUS_MS);
  });

  it('waits at most 3 s for a connection in use', async () => {
    const connections = pool({ poolSize: 1, deadlines: { statementMs: 30_000, lockMs: 2000 } });
    const held = await connections.connect();
    const { error, ms } = await took(() => connections.query('SELECT 1'));
    held.release();
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(ms).toBeLessThan(GENEROUS_MS);
  });

  it('rejects immediately when too many wait for a connection', async () => {
    const connections = pool({ poolSize: 1 });
    const held = await connections.connect();
    const waiting = Array.from({ length: 100 }, () => connections.query('SELECT 1'));
    await expect(connections.query('SELECT 1')).rejects.toThrow(
      'too many requests are waiting for a database connection',
    );
    held.release();
    await expect(Promise.all(waiting)).resolves.toHaveLength(100);
  });

  it('treats a refused connection as a temporary error', async () => {
    const connections = pool();
    proxy.refuse();
    const { error } = await took(() => connections.query('SELECT 1'));
    expect(isTransient(error)).toBe(true);
  });

  it('does not mistake a busy process for a silent database', async () => {
    const connections = pool();
    await connections.query('SELECT 1');
    const answer = connections.query('SELECT 4 AS n');
    const until = performance.now() + 3000;
    while (performance.now() < until);
    expect((await answer).rows).toEqual([{ n: 4 }]);
  });

  it('does not mistake a connection that is never idle for a silent one', async () => {
    const connections = pool({ poolSize: 1 });
    const misses = silenceWatch.misses;
    const until = performance.now() + 3000;
    const ask = async () => {
      while (performance.now() < until) await connections.query('SELECT pg_sleep(0.02)');
    };
    await Promise.all([ask(), ask(), ask()]);
    expect(silenceWatch.misses).toBe(misses);
  });

  it('cancels statements on the server and limits the wait for locks', async () => {
    const connections = pool({ deadlines: { statementMs: 600, lockMs: 200 } });
    await expect(connections.query('SELECT pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
    const foreign = await ForeignSession.open(url);
    await foreign.lock('configuration_epoch', 'only_row', []);
    const waiting = connections.query('SELECT FROM configuration_epoch FOR UPDATE');
    await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    await foreign.close();
  });

  it('gives a large transaction the requested time, and the next one the default', async () => {
    const { transaction } = await bound(unitOfWork({ poolSize: 1 }));
    const sleep = (seconds: number, statementMs?: number) =>
      transaction((tx) => tx.rows('SELECT pg_sleep($1)', [seconds]), statementMs === undefined ? {} : { statementMs });
    await expect(sleep(2.5, 10_000)).resolves.toHaveLength(1);
    await expect(sleep(2.5)).rejects.toMatchObject({ code: '57014' });
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
    const connections = createPool({ url: `postgres://nobody@127.0.0.1:${port}/none`, poolSize: 1, deadlines: SHORT });
    const held = await connections.connect();
    const ended = took(() => connections.end());
    held.release();
    expect((await ended).ms).toBeLessThan(GENEROUS_MS);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

/** A unit of work whose methods can be taken apart. */
async function bound(made: Promise<UnitOfWork>): Promise<Pick<UnitOfWork, 'transaction' | 'autocommit'>> {
  const unitOfWork = await made;
  return { transaction: unitOfWork.transaction.bind(unitOfWork), autocommit: unitOfWork.autocommit };
}
