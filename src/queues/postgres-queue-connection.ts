import { setTimeout as pause } from 'node:timers/promises';
import { type BackendFactory, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import type pg from 'pg';
import { BoundedPool } from '../database/connections/bounded-pool.js';

/** How long a refusal is held back, milliseconds. */
const HOLD_BACK_MS = 250;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * The pool of the queues. Workers of BullMQ that meet an error ask again at once, so each refusal takes a moment: else a database
 * that is away or starting would be asked thousands of times a second.
 */
export class QueuePool extends BoundedPool {
  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (connected === undefined) {
      return super.connect().catch(async (error: Error) => {
        await pause(HOLD_BACK_MS);
        throw error;
      });
    }
    super.connect((error, client, done) => {
      if (error === undefined) connected(error, client, done);
      else setTimeout(() => connected(error, client, done), HOLD_BACK_MS);
    });
    return undefined;
  }
}

/**
 * A connection to queues whose schema is known to be there. BullMQ's own looks at the schema first and keeps the answer: when
 * the database is away at that moment, it stays away for as long as the process lives.
 */
class ReachableConnection extends PostgresConnection {
  private reached: Promise<void> | null = null;

  override waitUntilReady(): Promise<void> {
    this.reached ??= this.reach().catch((error: unknown) => {
      this.reached = null;
      throw error;
    });
    return this.reached;
  }

  private async reach(): Promise<void> {
    const client = (await this.pool.connect()) as pg.PoolClient;
    client.release();
    setImmediate(() => this.emit('ready'));
  }
}

/** Queues on the connections of a pool, for queues and workers alike. */
export const postgresQueues: BackendFactory = (name, opts, { withBlockingConnection = false } = {}) =>
  new PostgresQueueBackend(
    new ReachableConnection(opts.connection as never),
    name,
    opts as never,
    true,
    // What PostgreSQL shows as the name of the connection on which a worker listens.
    withBlockingConnection ? name : undefined,
  );
