import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { FaultProcess } from '../faults/fault-process.js';
import { workerDatabase } from '../support/database.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { serviceEnvironment } from './service-environment.js';

/** Stopped in this order after each test, even if it fails. */
const parts: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of parts.splice(0)) await part.stop();
});
const started = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
  parts.push(part);
  return part;
};

const start = async (databaseUrl: string, env: Record<string, string> = {}) => {
  const { process, baseUrl } = await FaultProcess.service(serviceEnvironment(databaseUrl, env));
  parts.unshift({ stop: () => process.stop(0) });
  return { process, baseUrl };
};

/** How a process ended that was told to. One that takes longer than 29 seconds by its own clock exits with 1. */
const endOf = async (process: FaultProcess) => {
  const end = await process.ends();
  return { how: end?.how, lastWords: process.lastWords };
};
/** Sends SIGTERM and waits for the exit. */
const stop = (process: FaultProcess) => {
  process.signal('SIGTERM');
  return endOf(process);
};
const inTime = { how: 0, lastWords: expect.anything() };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Whether the request reused a connection. */
  readonly reused: boolean;
  readonly failure: string | null;
}

const ask = (url: string, agent: Agent): Promise<Answer> =>
  new Promise((resolve) => {
    const asking = request(url, { agent }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.resume().once('end', () => resolve({ status, headers, reused: asking.reusedSocket, failure: null }));
    });
    asking.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve({ status: 0, headers: {}, reused: asking.reusedSocket, failure: code ?? message }),
    );
    asking.end();
  });

/** Sends requests over a keep-alive connection, one at a time, until the port is closed. */
const keepAsking = async (url: string, answers: Answer[]): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let last: Answer | null = null; last === null || last.failure === null; ) {
    last = await ask(url, agent);
    answers.push(last);
  }
  agent.destroy();
};

describe('a process that receives SIGTERM', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'is no longer ready while its port stays open, and then exits with 0 (%s)',
    async (signal) => {
      const { process, baseUrl } = await start(await workerDatabase(), { SHUTDOWN_GRACE_MS: '8000' });
      expect((await fetch(`${baseUrl}/health/ready`)).status).toBe(200);
      process.signal(signal);
      await until('it is not ready', async () => (await fetch(`${baseUrl}/health/ready`)).status === 503);
      const live = await fetch(`${baseUrl}/health/live`);
      expect([live.status, live.headers.get('connection')]).toEqual([200, 'close']);
      expect(await endOf(process)).toEqual(inTime);
    },
  );

  it('resets no keep-alive connection, and closes each after an answer', async () => {
    const { process, baseUrl } = await start(await workerDatabase(), { SHUTDOWN_GRACE_MS: '5000' });
    const answers: Answer[] = [];
    const clients = Array.from({ length: 16 }, () => keepAsking(`${baseUrl}/health/live`, answers));
    const reused = () => answers.filter((answer) => answer.reused).length;
    await until('the connections are in use', () => reused() > 200);
    const quiet = new Agent({ keepAlive: true });
    expect((await ask(`${baseUrl}/health/ready`, quiet)).status).toBe(200);
    await stop(process);
    await Promise.all(clients);
    expect(answers.filter((answer) => answer.reused && answer.failure !== null)).toEqual([]);
    expect(answers.filter(({ headers }) => headers.connection === 'close').length).toBeGreaterThan(16);
    quiet.destroy();
  });

  it('does not wait for unused connections', async () => {
    const { process, baseUrl } = await start(await workerDatabase());
    const { connect } = await import('node:net');
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    // The client keeps its connection open until the process has ended.
    try {
      expect(await stop(process)).toEqual(inTime);
    } finally {
      socket.destroy();
    }
  });

  describe.each(['api', 'worker', 'api,worker'])('with the roles %s', (roles) => {
    it.each(['refuses', 'is silent'])('exits with 0 within 30 s when PostgreSQL %s', async (fault) => {
      const databaseUrl = await workerDatabase();
      const proxy = started(await TcpProxy.start(databaseUrl));
      const { process } = await start(proxy.through(databaseUrl), { PARLEY_ROLES: roles });
      if (fault === 'refuses') {
        proxy.refuse();
        proxy.cut('reset');
      } else proxy.silence({ newConnections: 'hang' });
      expect(await stop(process)).toEqual(inTime);
    });
  });

  (redisFound ? describe : describe.skip)('whose queues are on Redis', () => {
    it.each(['api', 'worker'])('exits with 0 within 30 s when Redis is down (%s)', async (roles) => {
      const redis = started(await TestRedis.start());
      const { process } = await start(await workerDatabase(), { PARLEY_ROLES: roles, REDIS_URL: redis.url });
      await redis.halt();
      await until('it has noticed', () => roles === 'api' || /unreachable/.test(process.lastWords));
      expect(await stop(process)).toEqual(inTime);
    });

    it('exits with 0 within 30 s when Redis is silent', async () => {
      const redis = started(await TestRedis.start());
      const proxy = started(await TcpProxy.start(redis.url));
      const { process } = await start(await workerDatabase(), { REDIS_URL: proxy.through(redis.url) });
      proxy.silence({ newConnections: 'hang' });
      expect(await stop(process)).toEqual(inTime);
    });
  });
});
