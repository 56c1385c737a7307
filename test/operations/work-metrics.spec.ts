import { newRecordId } from '../../src/values/record-id.js';
import { act, refusedPhone, started } from '../campaigns/campaigns.js';
import { SEND } from '../messages/messages.js';
import { freshDatabase } from '../support/database.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { uniquePhone, World } from '../support/world.js';
import { subscribe } from '../webhooks/events.js';

/** Reads one value; null when the scrape does not have it. */
async function reading(world: World, name: string, labels = ''): Promise<number | null> {
  const response = await fetch(`${world.parley.operationsUrl}/metrics`);
  expect(response.status).toBe(200);
  const start = `${name}${labels === '' ? '' : `{${labels}}`} `;
  const line = (await response.text()).split('\n').find((each) => each.startsWith(start));
  return line === undefined ? null : Number(line.slice(start.length));
}

describe('metrics of requests and sends', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { METRICS_PORT: '0' } });
  });
  afterAll(() => world.stop());
  const seen = (labels: string) => reading(world, 'parley_http_request_seconds_count', labels);

  it('counts requests by method, pattern of the route and status', async () => {
    const { api } = await world.account();
    await api.get('/api/v1/contacts/?search=someone');
    await api.get(`/api/v1/contacts/${newRecordId()}`);
    await eventually(async () => {
      expect(await seen('method="GET",route="/api/v1/contacts/:contact_id",status="404"')).toBe(1);
      expect(await seen('method="GET",route="/api/v1/contacts",status="200"')).toBe(1);
    });
  });

  it('counts all paths without a route together', async () => {
    for (const path of ['/a', '/b', '/c']) await fetch(world.baseUrl + path);
    await eventually(async () => expect(await seen('method="none",route="none",status="404"')).toBe(3));
  });

  it('counts sends by outcome', async () => {
    const account = await world.account();
    const { name } = await approvedTemplate(world, account);
    const sends = (outcome: string) => reading(world, 'parley_sends_total', `origin="single",outcome="${outcome}"`);
    expect(await sends('refused_request')).toBe(0);
    const send = (contact_phone: string) => account.api.post(SEND, { template_name: name, contact_phone });
    expect((await send(uniquePhone())).status).toBe(200);
    expect((await send(refusedPhone())).status).toBe(400);
    await eventually(async () => expect([await sends('accepted'), await sends('refused_contact')]).toEqual([1, 1]));
    expect(await reading(world, 'parley_sends_total', 'origin="campaign",outcome="accepted"')).toBe(0);
  });
});

describe('metrics of waiting work', () => {
  const LAGS = ['dispatch_lag', 'outbox_lag', 'delivery_lag', 'lease_overdue'].map((lag) => `parley_${lag}_seconds`);
  let databaseUrl: string;
  /** Stopped in this order after each test, even if it fails. */
  const parts: { stop(): Promise<void> }[] = [];
  const idle = async (url = databaseUrl): Promise<World> => {
    const world = await World.start({ databaseUrl: url, env: { METRICS_PORT: '0', PARLEY_ROLES: 'api' } });
    parts.unshift(world);
    return world;
  };
  beforeAll(async () => {
    databaseUrl = await freshDatabase();
  });
  afterEach(async () => {
    for (const part of parts.splice(0)) await part.stop();
  });

  it('is 0 while nothing waits', async () => {
    const world = await idle();
    // A busy machine may take longer to read than a scrape waits.
    await eventually(async () => {
      for (const lag of LAGS) expect([lag, await reading(world, lag)]).toEqual([lag, 0]);
      for (const state of ['sending', 'closed', 'paused']) {
        expect(await reading(world, 'parley_campaigns_running', `state="${state}"`)).toBe(0);
      }
    });
  });

  it('says how far each kind of work is behind', async () => {
    const world = await idle();
    const account = await world.account();
    const webhook = await subscribe(account, { url: 'https://receiver.example.test/' });
    const { name } = await approvedTemplate(world, account);
    await started(account, name, 1);
    await act(account, await started(account, name, 1), 'pause');
    const ids = [account.accountId, newRecordId()];
    const run = (sql: string, more: unknown[] = []) => world.unitOfWork.autocommit.affected(sql, [...ids, ...more]);
    await run("INSERT INTO outbox (account_id, event_id, kind) VALUES ($1, $2, 'message.sent')");
    await run(
      `INSERT INTO sends_in_flight (account_id, id, message_ids, lease_until, settle_at)
       VALUES ($1, $2, '{}', now() - interval '1 hour', now() + interval '1 hour')`,
    );
    await run(
      `INSERT INTO webhook_deliveries (account_id, id, event_id, kind, endpoint_id, retries_left, next_attempt_at)
       VALUES ($1, $2, $2, 'message.sent', $3, 5, now() - interval '1 hour')`,
      [webhook],
    );
    await run(
      "UPDATE campaigns SET started_at = now() - interval '1 hour', judged_from = NULL WHERE account_id = $1 AND $2::uuid IS NOT NULL",
    );
    await eventually(async () => {
      for (const lag of ['dispatch_lag', 'delivery_lag', 'lease_overdue']) {
        const seconds = (await reading(world, `parley_${lag}_seconds`)) ?? 0;
        // In whole hours, so that it does not matter how long the machine took since then.
        expect([lag, Math.floor(seconds / 3600)]).toEqual([lag, 1]);
      }
      expect(await reading(world, 'parley_outbox_lag_seconds')).toBeGreaterThan(0);
      expect(await reading(world, 'parley_campaigns_running', 'state="sending"')).toBe(1);
      expect(await reading(world, 'parley_campaigns_running', 'state="paused"')).toBe(1);
    });
  });

  it('leaves out what it cannot read, without waiting for it, and answers the rest', async () => {
    const proxy = await TcpProxy.start(databaseUrl);
    parts.push(proxy);
    const world = await idle(proxy.through(databaseUrl));
    proxy.silence({ newConnections: 'hang' });
    // The database stays silent until the answers have come.
    expect(await reading(world, 'parley_outbox_lag_seconds')).toBeNull();
    expect(await reading(world, 'parley_queue_up')).toBe(0);
    expect(await reading(world, 'parley_sends_total', 'origin="single",outcome="accepted"')).toBe(0);
    await proxy.heal();
    await until('it is read again', async () => (await reading(world, 'parley_outbox_lag_seconds')) !== null);
  });
});

describe('a worker without the api role', () => {
  it('serves readiness, its queue and the age of its sweeps', async () => {
    const world = await World.start({ env: { METRICS_PORT: '0', PARLEY_ROLES: 'worker' } });
    try {
      await eventually(async () => {
        const ready = await fetch(`${world.parley.operationsUrl}/health/ready`);
        expect([ready.status, await ready.json()]).toEqual([
          200,
          { status: 'ok', checks: { database: 'ok', schema: 'ok', queue: 'ok' } },
        ]);
        expect(await reading(world, 'parley_queue_up')).toBe(1);
      });
      for (const sweep of ['DueCampaignsSweep', 'DeliverySweep', 'HorizonSweep']) {
        const age = () => reading(world, 'parley_sweep_age_seconds', `sweep="${sweep}"`);
        await until(`${sweep} ran lately`, async () => ((await age()) ?? Number.POSITIVE_INFINITY) < 10);
        // A sweep that a busy database kept waiting for too long counts as failed.
        const failures = await reading(world, 'parley_sweep_failures_total', `sweep="${sweep}"`);
        expect(failures).toBeGreaterThanOrEqual(0);
      }
    } finally {
      await world.stop();
    }
  });
});
