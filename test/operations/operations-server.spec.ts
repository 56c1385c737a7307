import { Health } from '../../src/health/health.js';
import { OperationsServer } from '../../src/health/operations-server.js';
import { Metrics } from '../../src/runtime/metrics.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';

class UnreadableMetrics extends Metrics {
  override text(): Promise<string> {
    return Promise.reject(new Error('unreadable'));
  }
}

describe('the operators’ port', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());

  it('answers a scrape that fails with 500, and goes on serving', async () => {
    const server = await OperationsServer.open(
      { host: '127.0.0.1', port: 0 },
      new UnreadableMetrics(),
      world.parley.app.get(Health),
    );
    try {
      const failed = await fetch(`${server.url}/metrics`);
      expect([failed.status, await failed.json()]).toEqual([
        500,
        { error: 'internal_error', message: 'the request failed; the log says why' },
      ]);
      await until('it is ready', async () => (await fetch(`${server.url}/health/ready`)).status === 200);
    } finally {
      await server.close();
    }
  });
});
