import 'reflect-metadata';
import { Agent } from 'undici';
import { OUTBOX_CHANNEL } from '../src/outbox/outbox-signal.js';
import { newRecordId } from '../src/values/record-id.js';
import type { EndpointStatus } from '../src/webhooks/webhook-endpoint.entity.js';
import { median, show } from './support/figures.js';
import { memoryOf } from './support/memory.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { Receiver } from './support/receiver.js';
import { authorizationOf, type BenchAccount, post, Stack } from './support/stack.js';

// Webhook throughput, from committed events to a receiver that responds immediately. Each delivery is signed and
// recorded. `npm run bench -- webhooks deliveries` runs one scenario: `deliveries` commits events as fast as they are
// delivered, `loop` runs a campaign with three reports and four events per message, `queued` drains a backlog and
// measures the memory of the worker.

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const DELIVERIES = Number(process.env['BENCH_DELIVERIES'] ?? 30_000);
const RECIPIENTS = Number(process.env['BENCH_RECIPIENTS'] ?? 10_000);
const [FEW, MANY] = [10_000, Number(process.env['BENCH_ROWS'] ?? 1_000_000)];
/** Events per commit. */
const COMMIT_SIZE = 500;
/** Deliveries per statement when filling the queue. */
const QUEUE_BATCH = 50_000;
const CONNECTIONS = 128;
const EVENTS_OF_MESSAGE = ['message.sent', 'message.delivered', 'message.read'] as const;
const FIRST_CONTACT = 4_915_100_000_000;

interface Scene {
  readonly stack: Stack;
  readonly receiver: Receiver;
}

/** An event of typical length. */
const payload = (): string =>
  JSON.stringify({
    event: 'message.delivered',
    timestamp: '2026-01-31T09:30:00.000',
    campaign_id: newRecordId(),
    campaign_name: 'Spring offers',
    message: {
      message_id: newRecordId(),
      contact_phone: '491512345678',
      contact_name: 'Zoë Müller',
      status: 'delivered',
      previous_status: 'sent',
      status_timestamp: '2026-01-31T09:30:00.000',
    },
  });

/** An account whose events go to the receiver. */
async function subscriber({ stack, receiver }: Scene, events: readonly string[]): Promise<BenchAccount> {
  const account = await stack.account();
  const webhook = { url: receiver.url, subscribed_events: events };
  await post(`${stack.baseUrl}/api/v1/webhooks/`, webhook, authorizationOf(account));
  return account;
}

/** Commits events as the service does, to the event log and the outbox, and wakes the relay. */
async function commit({ stack }: Scene, { accountId }: BenchAccount, events: number): Promise<void> {
  const tx = stack.unitOfWork.autocommit;
  const ids = Array.from({ length: events }, () => newRecordId());
  await tx.affected(
    `WITH event AS (
       INSERT INTO events (account_id, id, occurred_at, kind, body)
       SELECT $1, e.id, now(), 'message.delivered', e.body FROM unnest($2::uuid[], $3::text[]) AS e (id, body)
       RETURNING account_id, id, kind, body
     )
     INSERT INTO outbox (account_id, event_id, kind, body) SELECT account_id, id, kind, body FROM event`,
    [accountId, ids, ids.map(payload)],
  );
  await tx.rows(`NOTIFY ${OUTBOX_CHANNEL}`);
}

/**
 * Waits until all deliveries of the account are recorded.
 * @throws Error if there are too many, which would invalidate the result
 */
async function recorded({ stack }: Scene, { accountId }: BenchAccount, deliveries: number): Promise<void> {
  for (;;) {
    const row = await stack.unitOfWork.autocommit.row<{ delivered: number }>(
      `SELECT count(*)::int AS delivered FROM webhook_deliveries WHERE account_id = $1 AND status = 'delivered'`,
      [accountId],
    );
    const delivered = row?.delivered ?? 0;
    if (delivered > deliveries) throw new Error(`${delivered} deliveries recorded, expected ${deliveries}`);
    if (delivered === deliveries) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The floor: posts the same bodies in a loop, without database and signatures. Returns deliveries per second. */
async function floor({ receiver }: Scene): Promise<number> {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const { origin, pathname } = new URL(receiver.url);
  const body = payload();
  const headers = { 'content-type': 'application/json' };
  let left = DELIVERIES;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left > 0) {
        left -= 1;
        const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
        await answer.body.dump();
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await agent.close();
  return Math.round(DELIVERIES / seconds);
}

/** The processes to measure. */
const processesOf = ({ stack, receiver }: Scene) => [...stack.processes, { name: 'receiver', pid: receiver.pid }];

/** Runs `work`, which returns its number of items; adds its CPU time to `spent` and returns its items per second. */
async function measure(scene: Scene, spent: ProcessorTimeSpent, work: () => Promise<number>): Promise<number> {
  const before = await processorTime(processesOf(scene));
  const started = performance.now();
  const items = await work();
  const perSecond = Math.round(items / ((performance.now() - started) / 1000));
  spent.add(before, await processorTime(processesOf(scene)));
  return perSecond;
}

function showCost(name: string, spent: ProcessorTimeSpent, items: number): void {
  const each = Object.entries(spent.perItem(items)).map(([process, ms]) => [process, (Number(ms) * 1000).toFixed(0)]);
  show(`  CPU µs per ${name}`, Object.fromEntries(each));
}

async function deliveries(scene: Scene): Promise<void> {
  console.log(`deliveries: ${DELIVERIES.toLocaleString('en-US')} events, ${COMMIT_SIZE} per commit`);
  const [ours, bare]: [number[], number[]] = [[], []];
  const spent = new ProcessorTimeSpent();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const floorRate = await floor(scene);
    const account = await subscriber(scene, ['message.delivered']);
    const rate = await measure(scene, spent, async () => {
      const before = scene.receiver.received;
      for (let written = 0; written < DELIVERIES; written += COMMIT_SIZE) {
        await commit(scene, account, Math.min(COMMIT_SIZE, DELIVERIES - written));
      }
      await scene.receiver.hasReceived(before + DELIVERIES);
      return DELIVERIES;
    });
    await recorded(scene, account, DELIVERIES);
    show(`round ${round}`, { 'floor/s': floorRate, 'ours/s': rate });
    ours.push(rate);
    bare.push(floorRate);
  }
  showCost('delivery', spent, ROUNDS * DELIVERIES);
  console.log(`  median ${median(ours)}/s, ${Math.round((100 * median(ours)) / median(bare))} % of the floor`);
}

/** Runs a campaign through the simulator, which sends three reports per message. */
async function loop(scene: Scene): Promise<void> {
  const { stack, receiver } = scene;
  console.log(
    `loop: a campaign to ${RECIPIENTS.toLocaleString('en-US')} contacts, three reports and four events per message`,
  );
  await stack.simulate('behaviour', {
    status_delay_ms: 50,
    callback_batch: 50,
    statuses: ['sent', 'delivered', 'read'],
  });
  const spent = new ProcessorTimeSpent();
  const rates: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const account = await subscriber(scene, EVENTS_OF_MESSAGE);
    // The fourth event of each message goes to a second endpoint.
    await post(
      `${stack.baseUrl}/api/v1/webhooks/`,
      { url: `${receiver.url}/sent`, subscribed_events: ['message.sent'] },
      authorizationOf(account),
    );
    await stack.template(account, `loop_${round}`);
    const contacts = Array.from({ length: RECIPIENTS }, (_, index) => ({ phone: String(FIRST_CONTACT + index) }));
    const body = { name: 'Loop', template_name: `loop_${round}`, contacts };
    const headers = authorizationOf(account);
    const created = (await post(`${stack.baseUrl}/api/v1/campaigns/`, body, headers)) as { campaign_id: string };
    const rate = await measure(scene, spent, async () => {
      const before = receiver.received;
      await post(`${stack.baseUrl}/api/v1/campaigns/${created.campaign_id}/send`, {}, headers);
      await receiver.hasReceived(before + 4 * RECIPIENTS);
      return RECIPIENTS;
    });
    await recorded(scene, account, 4 * RECIPIENTS);
    show(`round ${round}`, { 'messages/s': rate });
    rates.push(rate);
  }
  showCost('message', spent, ROUNDS * RECIPIENTS);
  console.log(`  median ${median(rates)}/s`);
}

const setStatus = ({ stack }: Scene, { accountId }: BenchAccount, status: EndpointStatus) =>
  stack.unitOfWork.autocommit.affected('UPDATE webhook_endpoints SET status = $2 WHERE account_id = $1', [
    accountId,
    status,
  ]);

/** Stores deliveries that are already due, while the endpoint is disabled. */
async function queue(scene: Scene, account: BenchAccount, count: number): Promise<void> {
  const { stack, receiver } = scene;
  const created = (await post(
    `${stack.baseUrl}/api/v1/webhooks/`,
    { url: receiver.url, subscribed_events: ['message.delivered'] },
    authorizationOf(account),
  )) as { webhook: { id: string } };
  const { id } = created.webhook;
  const tx = stack.unitOfWork.autocommit;
  await setStatus(scene, account, 'disabled');
  for (let done = 0; done < count; done += QUEUE_BATCH) {
    const ids = Array.from({ length: Math.min(QUEUE_BATCH, count - done) }, () => newRecordId());
    await tx.affected(
      `WITH event AS (
         INSERT INTO events (account_id, id, occurred_at, kind, body)
         SELECT $1, e, now(), 'message.delivered', $4 FROM unnest($3::uuid[]) AS e RETURNING id
       )
       INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, kind, retries_left)
       SELECT $1, new_record_id(), $2, id, 'message.delivered', 5 FROM event`,
      [account.accountId, id, ids, payload()],
    );
  }
}

async function queued(scene: Scene): Promise<void> {
  const { stack, receiver } = scene;
  const pid = stack.processes.find(({ name }) => name === 'worker 1')?.pid ?? 0;
  for (const count of [FEW, FEW, MANY]) {
    const account = await stack.account();
    await queue(scene, account, count);
    const before = receiver.received;
    await setStatus(scene, account, 'active');
    while (receiver.received === before) await new Promise((resolve) => setTimeout(resolve, 5));
    const started = performance.now();
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryOf(pid));
    }, 200);
    await receiver.hasReceived(before + count);
    clearInterval(watch);
    const perSecond = Math.round(count / ((performance.now() - started) / 1000));
    show(`${count.toLocaleString('en-US')} queued`, { 'deliveries/s': perSecond, 'worker peak MB': peak });
    await recorded(scene, account, count);
  }
}

const SCENARIOS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = { deliveries, loop, queued };
const selected = process.argv.slice(2);
const unknown = selected.find((name) => SCENARIOS[name] === undefined);
if (unknown !== undefined) {
  console.error(`webhooks has no scenario "${unknown}". Use one of: ${Object.keys(SCENARIOS).join(', ')}`);
  process.exit(2);
}
for (const [name, run] of Object.entries(SCENARIOS)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  // The backlog is drained by a separate worker so that its memory can be measured.
  const stack = await Stack.start({ EGRESS_ALLOW: '127.0.0.0/8' }, { workers: name === 'queued' ? 1 : 0 });
  const receiver = await Receiver.start();
  try {
    await run({ stack, receiver });
  } finally {
    receiver.stop();
    await stack.stop();
  }
}
