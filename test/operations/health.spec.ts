import { DueCampaignsSweep } from '../../src/campaigns/run/due-campaigns.sweep.js';
import { freshDatabase, workerDatabase } from '../support/database.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { eventually, until } from '../support/until.js';
import { World, type WorldOptions } from '../support/world.js';

interface Ready {
  readonly status: number;
  readonly body: { readonly status: string; readonly checks?: Readonly<Record<string, string>> };
}

const readyAt = async (url: string | null): Promise<Ready> => {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, body: (await response.json()) as Ready['body'] };
};
const ready = (world: World): Promise<Ready> => readyAt(world.baseUrl);
/** The check waits for half a second and more, and a busy machine may answer later than that. */
const eventuallyReady = (world: World, expected: object): Promise<void> =>
  eventually(async () => expect(await ready(world)).toMatchObject(expected));

/** Stopped in this order after each test, even if it fails. */
const parts: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of parts.splice(0)) await part.stop();
});
const start = async (options: WorldOptions = {}): Promise<World> => {
  const world = await World.start(options);
  parts.unshift(world);
  return world;
};

describe('GET /health/ready', () => {
  it('is 200 when everything responds', async () => {
    const world = await start();
    await eventually(async () =>
      expect(await ready(world)).toEqual({
        status: 200,
        body: { status: 'ok', checks: { database: 'ok', schema: 'ok', queue: 'ok' } },
      }),
    );
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
    const world = await start({ databaseUrl: await freshDatabase() });
    const { autocommit } = world.unitOfWork;
    await autocommit.affected(spoil);
    await eventuallyReady(world, {
      status: 503,
      body: { status: 'unavailable', checks: { database: 'ok', schema: 'outdated' } },
    });
    await autocommit.affected(mend);
    await eventuallyReady(world, { status: 200 });
  });

  it('is 200 with a newer schema, so that a release keeps serving while the next one is rolled out', async () => {
    const world = await start({ databaseUrl: await freshDatabase() });
    await world.unitOfWork.autocommit.affected(
      "INSERT INTO schema_migrations (timestamp, name) VALUES (9, 'AddTomorrow9')",
    );
    await eventuallyReady(world, { status: 200, body: { checks: { schema: 'ok' } } });
  });

  it('is 503 while the database is silent, without waiting for it, and 200 when it is back', async () => {
    const databaseUrl = await workerDatabase();
    const proxy = await TcpProxy.start(databaseUrl);
    parts.push(proxy);
    const world = await start({ databaseUrl: proxy.through(databaseUrl) });
    proxy.silence({ newConnections: 'hang' });
    // The database stays silent until the answer has come.
    expect(await ready(world)).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { database: 'unavailable', schema: 'unavailable' } },
    });
    await proxy.heal();
    await until('it is ready again', async () => (await ready(world)).status === 200);
  });

  (redisFound ? it : it.skip)('is 200 while Redis is away, which is shown', async () => {
    const redis = await TestRedis.start();
    parts.push(redis);
    const world = await start({ env: { REDIS_URL: redis.url } });
    await eventuallyReady(world, { status: 200, body: { checks: { database: 'ok', schema: 'ok', queue: 'ok' } } });
    await redis.halt();
    await eventuallyReady(world, { status: 200, body: { checks: { queue: 'unavailable' } } });
  });

  it('is also served on the metrics port, for processes without an API, until they have stopped', async () => {
    const world = await World.start({ env: { PARLEY_ROLES: 'worker', METRICS_PORT: '0' } });
    const { app, operationsUrl } = world.parley;
    let [stopped, endSweep]: [Promise<void> | null, () => void] = [null, () => undefined];
    try {
      await eventually(async () =>
        expect(await readyAt(operationsUrl)).toMatchObject({ status: 200, body: { checks: { schema: 'ok' } } }),
      );
      expect((await fetch(`${operationsUrl}/health/live`)).status).toBe(200);
      // A sweep that is under way holds up the end until there is an answer.
      const underWay = new Promise<void>((resolve) => {
        endSweep = resolve;
      });
      const sweep = app.get(DueCampaignsSweep);
      const end = sweep.beforeApplicationShutdown.bind(sweep);
      jest.spyOn(sweep, 'beforeApplicationShutdown').mockImplementation(() => underWay.then(end));
      stopped = world.stop();
      expect(await readyAt(operationsUrl)).toEqual({ status: 503, body: { status: 'stopping' } });
    } finally {
      endSweep();
      await (stopped ?? world.stop());
    }
    await expect(fetch(`${operationsUrl}/health/live`)).rejects.toThrow();
  });
});
