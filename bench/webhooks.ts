import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { removePostgres, startPostgres } from '../scripts/pg.mjs';
import { createParley } from '../src/bootstrap.js';
import { loadEnvironment, newEncryptionKey } from '../src/config/environment.js';
import { migrate } from '../src/database/migrate.js';
import { UnitOfWork } from '../src/database/unit-of-work.js';
import type { DomainEvent } from '../src/outbox/event.js';
import { Outbox } from '../src/outbox/outbox.js';
import { newRecordId } from '../src/values/record-id.js';
import { WebhooksService } from '../src/webhooks/webhooks.service.js';

/** How many deliveries are made per run. */
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 30_000);
const CONNECTIONS = 128;

/** A receiver in a process of its own, as fast as Node gets. It tells how much it has received. */
class Receiver {
  private count = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.on('message', (count: number) => {
      this.count = count;
    });
  }

  static async start(): Promise<Receiver> {
    const child = fork(fileURLToPath(import.meta.url), ['receiver']);
    const [port] = (await once(child, 'message')) as [number];
    return new Receiver(child, `http://127.0.0.1:${port}/hook`);
  }

  /** Resolves when `count` more have arrived than at `from`. */
  async hasReceived(from: number, count: number): Promise<void> {
    while (this.count - from < count) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  get received(): number {
    return this.count;
  }

  stop(): void {
    this.child.kill();
  }
}

function serve(): void {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      count += 1;
      response.end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port);
    setInterval(() => process.send?.(count), 10);
  });
}

const eventOf = (accountId: string): DomainEvent => ({
  accountId,
  kind: 'message.delivered',
  occurredAt: new Date(),
  payload: {
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
  },
});

/** The bare minimum: the same bodies posted in a loop, without a database, a signature or a record of anything. */
async function floor(receiver: Receiver): Promise<number> {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const { origin, pathname } = new URL(receiver.url);
  const body = JSON.stringify(eventOf(newRecordId()).payload);
  let left = DELIVERIES;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left > 0) {
        left -= 1;
        const answer = await agent.request({
          origin,
          path: pathname,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        await answer.body.dump();
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await agent.close();
  return DELIVERIES / seconds;
}

/** From the commit of the state change to the receiver: outbox, relay, drain, signature, record of each attempt. */
async function pipeline(databaseUrl: string, receiver: Receiver): Promise<number> {
  const environment = loadEnvironment({
    DATABASE_URL: databaseUrl,
    PORT: '0',
    NETWORK_APP_ID: '1',
    NETWORK_APP_SECRET: 'bench',
    NETWORK_VERIFY_TOKEN: 'bench',
    ENCRYPTION_KEY: newEncryptionKey(),
    EGRESS_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  });
  const parley = await createParley(environment);
  await parley.listen();
  try {
    const unitOfWork = parley.app.get(UnitOfWork);
    const outbox = parley.app.get(Outbox);
    const accountId = await makeAccount(unitOfWork);
    await parley.app
      .get(WebhooksService, { strict: false })
      .register(accountId, { url: receiver.url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
    const before = receiver.received;
    const started = performance.now();
    for (let written = 0; written < DELIVERIES; written += 500) {
      const events = Array.from({ length: Math.min(500, DELIVERIES - written) }, () => eventOf(accountId));
      await unitOfWork.transaction((tx) => outbox.write(events, tx));
      outbox.announce();
    }
    await receiver.hasReceived(before, DELIVERIES);
    const seconds = (performance.now() - started) / 1000;
    await recorded(unitOfWork, accountId);
    return DELIVERIES / seconds;
  } finally {
    await parley.close();
  }
}

async function makeAccount(unitOfWork: UnitOfWork): Promise<string> {
  const [accountId, ownerId] = [newRecordId(), newRecordId()];
  await unitOfWork.transaction(async (tx) => {
    await tx.affected(
      `INSERT INTO users (id, full_name, email, role) VALUES ($1, 'Bench', 'bench@example.test', 'owner')`,
      [ownerId],
    );
    await tx.affected(`INSERT INTO accounts (id, owner_id, name) VALUES ($1, $2, 'Bench')`, [accountId, ownerId]);
  });
  return accountId;
}

/** Every delivery is recorded in the end, or the number is worth nothing. */
async function recorded(unitOfWork: UnitOfWork, accountId: string): Promise<void> {
  for (;;) {
    const row = await unitOfWork.autocommit.row<{ done: number }>(
      `SELECT count(*)::int AS done FROM webhook_deliveries WHERE account_id = $1 AND status = 'delivered'`,
      [accountId],
    );
    if (row?.done === DELIVERIES) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function bench(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const postgres = await startPostgres({ dataDir });
  const receiver = await Receiver.start();
  try {
    await migrate(postgres.url);
    const bare = await floor(receiver);
    const delivered = await pipeline(postgres.url, receiver);
    process.stdout.write(
      `webhooks: ${Math.round(delivered)} deliveries/s from commit to receiver, each signed and recorded; ` +
        `a bare loop of POSTs makes ${Math.round(bare)}/s (${Math.round((100 * delivered) / bare)} %)\n`,
    );
  } finally {
    receiver.stop();
    await postgres.stop();
    await removePostgres({ dataDir });
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'receiver') serve();
else await bench();
