import { Metrics } from '../../src/runtime/metrics.js';
import { eventually, until } from '../support/until.js';
import { World } from '../support/world.js';

describe('GET /metrics', () => {
  let world: World;
  let text: string;
  beforeAll(async () => {
    world = await World.start({ env: { METRICS_PORT: '0' } });
    const response = await fetch(`${world.parley.operationsUrl}/metrics`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    text = await response.text();
  });
  afterAll(() => world.stop());

  it('reports the process: CPU, memory and event loop', () => {
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) {
      expect(text).toMatch(new RegExp(`^${name} [0-9.e-]+$`, 'm'));
    }
  });

  it('is Prometheus text: each metric with help and type, each line a name and a number', () => {
    const lines = text.split('\n').filter((line) => line !== '');
    const odd = lines.filter(
      (line) => !/^# (?:HELP|TYPE) \S+ .+$/.test(line) && !/^[a-z_:][a-z0-9_:]*(?:\{[^}]*\})? \S+$/.test(line),
    );
    expect(odd).toEqual([]);
  });

  /** A metric's values by its only label. */
  const valuesOf = async (name: string): Promise<ReadonlyMap<string, number>> => {
    const response = await fetch(`${world.parley.operationsUrl}/metrics`);
    const lines = [...(await response.text()).matchAll(new RegExp(`^${name}\\{[a-z]+="([^"]+)"\\} (\\S+)$`, 'gm'))];
    return new Map(lines.map(([, label = '', value]) => [label, Number(value)]));
  };

  it('reports connections per purpose, and the requests waiting for them', async () => {
    const purposes = ['background', 'control', 'pipeline', 'reads', 'writes'];
    for (const name of ['connections', 'connections_idle', 'pool_waiting', 'pool_refusals_total']) {
      expect([...(await valuesOf(`parley_db_${name}`)).keys()].sort()).toEqual(purposes);
    }
    expect([...(await valuesOf('parley_db_turns_waiting')).keys()].sort()).toEqual(['reads', 'writes']);
    await eventually(async () => expect((await valuesOf('parley_db_connections')).get('control')).toBeGreaterThan(0));
  });

  it('counts waits for a free connection', async () => {
    const before = (await valuesOf('parley_db_pool_wait_seconds_count')).get('writes') ?? 0;
    const { autocommit } = world.unitOfWork;
    await Promise.all(Array.from({ length: 8 }, () => autocommit.rows('SELECT pg_sleep(0.05)')));
    expect((await valuesOf('parley_db_pool_wait_seconds_count')).get('writes')).toBeGreaterThan(before);
  });

  it('counts statements that the database cancelled at a deadline', async () => {
    const before = await valuesOf('parley_db_deadline_misses_total');
    expect([...before.keys()].sort()).toEqual(['idle', 'lock', 'statement']);
    const tooLong = world.unitOfWork.transaction((tx) => tx.rows('SELECT pg_sleep(5)'), { statementMs: 50 });
    await expect(tooLong).rejects.toThrow('statement timeout');
    const after = await valuesOf('parley_db_deadline_misses_total');
    // On a busy machine statements of the service itself may be cancelled meanwhile.
    expect(after.get('statement')).toBeGreaterThanOrEqual((before.get('statement') ?? 0) + 1);
    expect([...(await valuesOf('parley_db_connections_destroyed_total')).keys()].sort()).toEqual([
      'deadline',
      'suspect',
    ]);
  });

  it('reports how full batches are and how long their oldest items have waited', async () => {
    for (const name of ['depth', 'age_seconds', 'tenants_apart']) {
      const values = await valuesOf(`parley_batch_${name}`);
      expect([...values.keys()]).toEqual(
        expect.arrayContaining(['acceptances', 'attempts', 'rate-limit', 'reports', 'sends']),
      );
    }
  });

  it('reports for how many days partitions exist', async () => {
    await until('they were looked at', async () => (await valuesOf('parley_partitions_ahead_days')).size === 5);
    for (const days of (await valuesOf('parley_partitions_ahead_days')).values()) expect(days).toBeGreaterThan(6);
  });

  it('is not served on the API port', async () => {
    expect((await fetch(`${world.baseUrl}/metrics`)).status).toBe(404);
  });

  it('answers 404 for any other path', async () => {
    expect((await fetch(`${world.parley.operationsUrl}/api/v1/contacts/`)).status).toBe(404);
  });
});

describe('the metrics port', () => {
  it('is closed without METRICS_PORT', async () => {
    const world = await World.start();
    try {
      expect(world.parley.operationsUrl).toBeNull();
    } finally {
      await world.stop();
    }
  });

  it('stops the start with a reason when it is in use', async () => {
    const world = await World.start({ env: { METRICS_PORT: '0' } });
    try {
      const port = new URL(world.parley.operationsUrl ?? '').port;
      await expect(World.start({ env: { METRICS_PORT: port } })).rejects.toThrow(
        /^METRICS_PORT cannot be opened: .*EADDRINUSE/,
      );
    } finally {
      await world.stop();
    }
  });
});

describe('a gauge that cannot be read', () => {
  it('is omitted and counted without affecting others', async () => {
    const metrics = new Metrics();
    metrics.gauge({ name: 'parley_broken', help: 'Broken' }, () => {
      throw new Error('no reading');
    });
    metrics.gauge({ name: 'parley_sound', help: 'Sound', labels: ['kind'] }, () => [
      { labels: { kind: 'a' }, value: 7 },
    ]);
    await metrics.text();
    const text = await metrics.text();
    expect(text).toContain('parley_sound{kind="a"} 7');
    expect(text).not.toMatch(/^parley_broken /m);
    expect(text).toMatch(/parley_metric_read_failures_total\{metric="parley_broken"\} \d/);
  });
});
