import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { OUTBOX_CHANNEL } from '../src/outbox/outbox-signal.js';
import { newRecordId } from '../src/values/record-id.js';
import type { EndpointStatus } from '../src/webhooks/webhook-endpoint.entity.js';
import { median, show } from './support/figures.js';
import { ProcessorTimeSpent, processorTime } from './support/processor-time.js';
import { Receiver } from './support/receiver.js';
import { type BenchAccount, post, Stack } from './support/stack.js';

// From events that were committed to a receiver that answers at once, each delivery signed and recorded. `npm run bench --
// webhooks deliveries` runs one part: `deliveries` of events that come as fast as they are taken, `loop` of a campaign with three
// reports and four events for each message, `queued` of many that wait already, with the memory that a worker needs.

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const DELIVERIES = Number(process.env['BENCH_DELIVERIES'] ?? 30_000);
const RECIPIENTS = Number(process.env['BENCH_RECIPIENTS'] ?? 10_000);
const [FEW, MANY] = [10_000, Number(process.env['BENCH_ROWS'] ?? 1_000_000)];
/** How many events one commit holds. */
const COMMITTED_TOGETHER = 500;
/** Written by SQL at once, to fill the queue. */
const QUEUED_TOGETHER = 50_000;
const CONNECTIONS = 128;
const EVENTS_OF_MESSAGE = ['message.sent', 'message.delivered', 'message.read'] as const;
const FIRST_CONTACT = 4_915_100_000_000;

/** The service, PostgreSQL, and the receiver that all endpoints post to. */
interface Scene {
  readonly stack: Stack;
  readonly receiver: Receiver;
}

const keyOf = ({ apiKey }: BenchAccount) => ({ authorization: `Bearer ${apiKey}` });

/** What is delivered: as long as the usual event. */
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
  await post(`${stack.baseUrl}/api/v1/webhooks/`, { url: receiver.url, subscribed_events: events }, keyOf(account));
  return account;
}

/** Commits events as the service does: in the log and in the outbox, and wakes the relay. */
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

/** Resolves when nothing of the account waits, or the figure is worth nothing. */
async function recorded({ stack }: Scene, { accountId }: BenchAccount, deliveries: number): Promise<void> {
  for (;;) {
    const row = await stack.unitOfWork.autocommit.row<{ delivered: number }>(
      `SELECT count(*)::int AS delivered FROM webhook_deliveries WHERE account_id = $1 AND status = 'delivered'`,
      [accountId],
    );
    const delivered = row?.delivered ?? 0;
    if (delivered > deliveries) throw new Error(`${delivered} deliveries instead of ${deliveries}`);
    if (delivered === deliveries) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The bare minimum: the same bodies posted in a loop, without a database, a signature or a record of anything. */
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

/** Processes whose time is told. */
const processesOf = ({ stack, receiver }: Scene) => [...stack.processes, { name: 'receiver', pid: receiver.pid }];

/** Microseconds of processor time for each piece of the last of `work`'s rounds. */
async function costOf(scene: Scene, spent: ProcessorTimeSpent, work: () => Promise<number>): Promise<number> {
  const before = await processorTime(processesOf(scene));
  const started = performance.now();
  const pieces = await work();
  const perSecond = Math.round(pieces / ((performance.now() - started) / 1000));
  spent.add(before, await processorTime(processesOf(scene)));
  return perSecond;
}

/** Microseconds of each process for a piece of work. */
function showCost(name: string, spent: ProcessorTimeSpent, pieces: number): void {
  const each = Object.entries(spent.perPiece(pieces)).map(([process, ms]) => [process, (Number(ms) * 1000).toFixed(0)]);
  show(`  µs of processor ${name}`, Object.fromEntries(each));
}

async function deliveries(scene: Scene): Promise<void> {
  console.log(`deliveries: ${DELIVERIES.toLocaleString('en-US')} events, committed ${COMMITTED_TOGETHER} at a time`);
  const [ours, bare]: [number[], number[]] = [[], []];
  const spent = new ProcessorTimeSpent();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const floorRate = await floor(scene);
    const account = await subscriber(scene, ['message.delivered']);
    const rate = await costOf(scene, spent, async () => {
      const before = scene.receiver.received;
      for (let written = 0; written < DELIVERIES; written += COMMITTED_TOGETHER) {
        await commit(scene, account, Math.min(COMMITTED_TOGETHER, DELIVERIES - written));
      }
      await scene.receiver.hasReceived(before + DELIVERIES);
      return DELIVERIES;
    });
    await recorded(scene, account, DELIVERIES);
    show(`round ${round}`, { 'floor/s': floorRate, 'ours/s': rate });
    ours.push(rate);
    bare.push(floorRate);
  }
  showCost('a delivery', spent, ROUNDS * DELIVERIES);
  console.log(`  median ${median(ours)}/s, ${Math.round((100 * median(ours)) / median(bare))} % of the floor`);
}

/** A campaign through the simulator, which reports three times about each message. */
async function loop(scene: Scene): Promise<void> {
  const { stack, receiver } = scene;
  console.log(
    `loop: a campaign of ${RECIPIENTS.toLocaleString('en-US')}, three reports and four events for each message`,
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
    // The fourth event of each message goes to an endpoint of its own.
    await post(
      `${stack.baseUrl}/api/v1/webhooks/`,
      { url: `${receiver.url}/sent`, subscribed_events: ['message.sent'] },
      keyOf(account),
    );
    await stack.template(account, `loop_${round}`);
    const contacts = Array.from({ length: RECIPIENTS }, (_, index) => ({ phone: String(FIRST_CONTACT + index) }));
    const body = { name: 'Loop', template_name: `loop_${round}`, contacts };
    const made = (await post(`${stack.baseUrl}/api/v1/campaigns/`, body, keyOf(account))) as { campaign_id: string };
    const rate = await costOf(scene, spent, async () => {
      const before = receiver.received;
      await post(`${stack.baseUrl}/api/v1/campaigns/${made.campaign_id}/send`, {}, keyOf(account));
      await receiver.hasReceived(before + 4 * RECIPIENTS);
      return RECIPIENTS;
    });
    await recorded(scene, account, 4 * RECIPIENTS);
    show(`round ${round}`, { 'messages/s': rate });
    rates.push(rate);
  }
  showCost('a message', spent, ROUNDS * RECIPIENTS);
  console.log(`  median ${median(rates)}/s`);
}

const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

const setStatus = ({ stack }: Scene, { accountId }: BenchAccount, status: EndpointStatus) =>
  stack.unitOfWork.autocommit.affected('UPDATE webhook_endpoints SET status = $2 WHERE account_id = $1', [
    accountId,
    status,
  ]);

/** Deliveries that are due already, made by SQL while the endpoint is disabled. */
async function queue(scene: Scene, account: BenchAccount, count: number): Promise<string> {
  const { stack, receiver } = scene;
  const made = (await post(
    `${stack.baseUrl}/api/v1/webhooks/`,
    { url: receiver.url, subscribed_events: ['message.delivered'] },
    keyOf(account),
  )) as {
    webhook: { id: string };
  };
  const { id } = made.webhook;
  const tx = stack.unitOfWork.autocommit;
  await setStatus(scene, account, 'disabled');
  for (let done = 0; done < count; done += QUEUED_TOGETHER) {
    const ids = Array.from({ length: Math.min(QUEUED_TOGETHER, count - done) }, () => newRecordId());
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
  return id;
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
    show(`${count.toLocaleString('en-US')} queued`, { 'deliveries/s': perSecond, 'worker MB at most': peak });
    await recorded(scene, account, count);
  }
}

const PARTS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = { deliveries, loop, queued };
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => PARTS[name] === undefined);
if (unknown !== undefined) {
  console.error(`webhooks has no part ${unknown}; known: ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
for (const [name, part] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  // What waits is drained by a worker of its own, whose memory is told.
  const stack = await Stack.start({ EGRESS_ALLOW: '127.0.0.0/8' }, { workers: name === 'queued' ? 1 : 0 });
  const receiver = await Receiver.start();
  try {
    await part({ stack, receiver });
  } finally {
    receiver.stop();
    await stack.stop();
  }
}
