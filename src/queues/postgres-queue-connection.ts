import { setTimeout as pause } from 'node:timers/promises';
import { type BackendFactory, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import type pg from 'pg';
import { BoundedPool, type Connected } from '../database/connections/bounded-pool.js';

/** How long a connection error is delayed, milliseconds. */
const ERROR_DELAY_MS = 250;

/**
 * The connection pool of the queues. BullMQ workers retry immediately after an error, so errors are delayed: otherwise
 * workers would try thousands of times a second while the database is down or starting.
 */
export class QueuePool extends BoundedPool {
  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (connected === undefined) {
      return super.connect().catch(async (error: Error) => {
        await pause(ERROR_DELAY_MS);
        throw error;
      });
    }
    super.connect((error, client, done) => {
      if (error === undefined) connected(error, client, done);
      else setTimeout(() => connected(error, client, done), ERROR_DELAY_MS);
    });
    return undefined;
  }
}

/**
 * A connection that does not check the queue schema, which is migrated at startup. BullMQ's own connection checks it
 * once and keeps the result: if the database is down at that moment, the queue stays broken until the process restarts.
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

/** Creates the PostgreSQL backend of a queue or worker, on the shared pool. */
export const postgresQueues: BackendFactory = (name, opts, { withBlockingConnection = false } = {}) =>
  new PostgresQueueBackend(
    new ReachableConnection(opts.connection as never),
    name,
    opts as never,
    true,
    // The application name of the connection that a worker listens on, as PostgreSQL shows it.
    withBlockingConnection ? name : undefined,
  );
