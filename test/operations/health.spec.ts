import { freshDatabase, workerDatabase } from '../support/database.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { Stopwatch } from '../support/stopwatch.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';

interface Ready {
  readonly status: number;
  readonly body: { readonly status: string; readonly checks?: Readonly<Record<string, string>> };
}

const readyAt = async (url: string | null): Promise<Ready> => {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, body: (await response.json()) as Ready['body'] };
};
const ready = (world: World): Promise<Ready> => readyAt(world.baseUrl);

describe('GET /health/ready', () => {
  it('is 200 when everything responds', async () => {
    const world = await World.start();
    // Right after the start, a busy machine may take longer than the check waits.
    const found = await until('everything has responded', async () => {
      const answer = await ready(world);
      return JSON.stringify(answer.body).includes('unavailable') ? null : answer;
    });
    expect(found).toEqual({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok', schema: 'ok', queue: 'ok' } },
    });
    await world.stop();
  });

  it.each([
    [
      'is missing',
      'ALTER TABLE schema_migrations RENAME TO elsewhere',
      'ALTER TABLE elsewhere RENAME TO schema_migrations',
    ],
    [
      'is older than the release',
      "UPDATE schema_migrations SET name = 'was ' || name WHERE id = 1",
      'UPDATE schema_migrations SET name = substr(name, 5) WHERE id = 1',
    ],
  ])('is 503 while the schema %s', async (_, spoil, mend) => {
    const world = await World.start({ databaseUrl: await freshDatabase() });
    const { autocommit } = world.unitOfWork;
    await autocommit.affected(spoil);
    expect(await ready(world)).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'ok', schema: 'outdated' } },
    });
    await autocommit.affected(mend);
    expect((await ready(world)).status).toBe(200);
    await world.stop();
  });

  it('is 200 with a newer schema, so that a release keeps serving while the next one is rolled out', async () => {
    const world = await World.start({ databaseUrl: await freshDatabase() });
    await world.unitOfWork.autocommit.affected(
      "INSERT INTO schema_migrations (timestamp, name) VALUES (9, 'AddTomorrow9')",
    );
    expect((await ready(world)).status).toBe(200);
    await world.stop();
  });

  it('is 503 within seconds while the database is silent, and 200 when it is back', async () => {
    const databaseUrl = await workerDatabase();
    const proxy = await TcpProxy.start(databaseUrl);
    const world = await World.start({ databaseUrl: proxy.through(databaseUrl) });
    proxy.silence({ newConnections: 'hang' });
    const stopwatch = Stopwatch.start();
    expect(await ready(world)).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'unavailable', schema: 'unavailable' } },
    });
    expect(stopwatch.stop()).toBeLessThan(5000);
    await proxy.heal();
    await until('it is ready again', async () => (await ready(world)).status === 200);
    await world.stop();
    await proxy.stop();
  });

  (redisFound ? it : it.skip)('is 200 while Redis is away, which is shown', async () => {
    const redis = await TestRedis.start();
    const world = await World.start({ env: { REDIS_URL: redis.url } });
    expect((await ready(world)).body.checks).toEqual({ database: 'ok', schema: 'ok', queue: 'ok' });
    await redis.stop();
    expect(await ready(world)).toMatchObject({ status: 200, body: { checks: { queue: 'unavailable' } } });
    await world.stop();
  });

  it('is also served on the metrics port, for processes without an API, until they have stopped', async () => {
    const world = await World.start({ env: { PARLEY_ROLES: 'worker', METRICS_PORT: '0' } });
    const { operationsUrl } = world.parley;
    expect(await readyAt(operationsUrl)).toMatchObject({ status: 200, body: { checks: { schema: 'ok' } } });
    expect((await fetch(`${operationsUrl}/health/live`)).status).toBe(200);
    const stopped = world.stop();
    expect(await readyAt(operationsUrl)).toEqual({ status: 503, body: { status: 'stopping' } });
    await stopped;
    await expect(fetch(`${operationsUrl}/health/live`)).rejects.toThrow();
  });
});
