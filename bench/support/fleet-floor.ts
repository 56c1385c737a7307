import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Pool } from 'undici';
import { newRecordId } from '../../src/values/record-id.js';
import { sendBare } from './bare-send.js';

/** Milliseconds between claims; each claim takes the messages that all phones may send in that time. */
const TICK_MS = 100;
/** Groups in flight; the next claim waits until one of them is done. */
const MAX_GROUPS = 6;

/** What the floor sends from each of these phones. */
export interface FloorOrder {
  readonly phoneNumberIds: readonly string[];
  readonly throughput: number;
  readonly recipients: number;
}

/**
 * The floor: the minimum work for durable campaigns from many phones, with bare pg and undici and one statement per
 * durable step. Ten times a second it claims what all phones may send and stores the messages, then sends them and
 * stores the outcomes. Runs as a separate process.
 */
export class FleetFloor {
  private constructor(private readonly child: ChildProcess) {}

  static async start(databaseUrl: string, sinkUrl: string): Promise<FleetFloor> {
    const child = fork(fileURLToPath(import.meta.url), ['fleet-floor', databaseUrl, sinkUrl]);
    await once(child, 'message');
    return new FleetFloor(child);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Stores the recipients for {@link send}. */
  async prepare(order: FloorOrder): Promise<void> {
    const prepared = once(this.child, 'message');
    this.child.send(order);
    await prepared;
  }

  /** Sends all messages and stores their outcomes. */
  async send(): Promise<void> {
    const sent = once(this.child, 'message');
    this.child.send('send');
    await sent;
  }

  stop(): void {
    this.child.kill();
  }
}

async function serve(databaseUrl: string, sinkUrl: string): Promise<void> {
  const database = new pg.Pool({ connectionString: databaseUrl, max: MAX_GROUPS + 1 });
  const network = new Pool(sinkUrl, { connections: 256, pipelining: 1 });
  await database.query(
    `CREATE TABLE floor_recipients (id uuid PRIMARY KEY, sender text, phone text, state text);
     CREATE INDEX ON floor_recipients (sender, id) WHERE state = 'pending';
     CREATE TABLE floor_messages (id uuid PRIMARY KEY, phone text, status text, network_id text) WITH (fillfactor = 50)`,
  );
  let order: FloorOrder = { phoneNumberIds: [], throughput: 0, recipients: 0 };
  process.on('message', async (message: FloorOrder | 'send') => {
    if (message === 'send') await sendAll(database, network, order);
    else {
      order = message;
      await store(database, order);
    }
    process.send?.('done');
  });
  process.send?.('ready');
}

async function store(database: pg.Pool, { phoneNumberIds, recipients }: FloorOrder): Promise<void> {
  const senders = phoneNumberIds.flatMap((sender) => Array.from({ length: recipients }, () => sender));
  await database.query(
    `INSERT INTO floor_recipients SELECT id, sender, (4915100000000 + place)::text, 'pending'
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS r (id, sender, place)`,
    [senders.map(() => newRecordId()), senders],
  );
  await database.query('ANALYZE floor_recipients');
}

async function sendAll(database: pg.Pool, network: Pool, { phoneNumberIds, throughput }: FloorOrder): Promise<void> {
  const eachTick = Math.max(1, Math.round((throughput * TICK_MS) / 1000));
  const everyMs = (eachTick * 1000) / throughput;
  const inFlight = new Set<Promise<void>>();
  for (let next = performance.now(); ; next = Math.max(next + everyMs, performance.now())) {
    await sleep(Math.max(0, next - performance.now()));
    const { rows } = await database.query<FloorMessage>({
      name: 'claim',
      text: `WITH claimed AS (
               UPDATE floor_recipients SET state = 'claimed' WHERE id = ANY (ARRAY(
                 SELECT due.id FROM unnest($1::text[]) AS s (sender) CROSS JOIN LATERAL (
                   SELECT id FROM floor_recipients r WHERE r.sender = s.sender AND state = 'pending' ORDER BY id LIMIT $2
                 ) due))
               RETURNING id, sender, phone
             ), stored AS (
               INSERT INTO floor_messages (id, phone, status) SELECT id, phone, 'pending' FROM claimed
             )
             SELECT id, sender, phone FROM claimed`,
      values: [phoneNumberIds, eachTick],
    });
    if (rows.length === 0) break;
    const group = sendGroup(database, network, rows).finally(() => inFlight.delete(group));
    inFlight.add(group);
    if (inFlight.size === MAX_GROUPS) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
}

interface FloorMessage {
  readonly id: string;
  readonly sender: string;
  readonly phone: string;
}

async function sendGroup(database: pg.Pool, network: Pool, messages: readonly FloorMessage[]): Promise<void> {
  const networkIds = await Promise.all(messages.map(({ id, sender, phone }) => sendBare(network, sender, id, phone)));
  await database.query({
    name: 'outcome',
    text: `UPDATE floor_messages m SET status = 'sent', network_id = o.network_id
           FROM unnest($1::uuid[], $2::text[]) AS o (id, network_id) WHERE m.id = o.id`,
    values: [messages.map(({ id }) => id), networkIds],
  });
}

const [role, databaseUrl = '', sinkUrl = ''] = process.argv.slice(2);
if (role === 'fleet-floor') await serve(databaseUrl, sinkUrl);
