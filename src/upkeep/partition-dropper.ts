import type { Pool, PoolClient } from 'pg';
import { type Partition, type PartitionedTable, partitionNamed } from '../database/schema/partitions.js';
import { ADVISORY_LOCK } from '../database/sql/advisory-locks.js';
import { SQLSTATE, sqlStateOf } from '../database/sql/sqlstate.js';

/** How far the drop of a partition has come: not started, detach started, or detached into a table of its own. */
export type PartitionState = 'attached' | 'detaching' | 'detached';

/** A partition in the catalog. */
export interface KnownPartition extends Partition {
  readonly state: PartitionState;
}

/** Longer than the second PostgreSQL takes to cancel a blocking autovacuum. */
const LOCK_TIMEOUT_MS = 2000;
/** Short, because readers and writers wait while the whole table is locked. */
const WHOLE_TABLE_LOCK_TIMEOUT_MS = 100;

/**
 * Drops partitions on one connection, outside transactions, so that readers and writers of the table never wait. The
 * drop gives up when a transaction still uses the table, such as a dump; the next run resumes it.
 */
export class PartitionDropper {
  private constructor(private readonly client: PoolClient) {}

  /** Runs `work`, unless another process is already dropping partitions. */
  static async run(pool: Pool, work: (dropper: PartitionDropper) => Promise<void>): Promise<void> {
    const client = await pool.connect();
    let broken = true;
    try {
      const { rows } = await client.query<{ locked: boolean }>(
        `SELECT pg_try_advisory_lock(${ADVISORY_LOCK.droppingPartitions}) AS locked`,
      );
      if (rows[0]?.locked === true) {
        try {
          await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
          await work(new PartitionDropper(client));
        } finally {
          await client.query('RESET lock_timeout');
          await client.query(`SELECT pg_advisory_unlock(${ADVISORY_LOCK.droppingPartitions})`);
        }
      }
      broken = false;
    } finally {
      // Closing a broken connection releases the lock.
      client.release(broken);
    }
  }

  /** All partitions of a table, oldest first, including those whose drop was interrupted. */
  async partitionsOf(table: PartitionedTable): Promise<KnownPartition[]> {
    const { rows } = await this.client.query<{ name: string; state: PartitionState }>(
      `SELECT c.relname AS name,
              CASE WHEN i.inhrelid IS NULL THEN 'detached' WHEN i.inhdetachpending THEN 'detaching' ELSE 'attached' END AS state
       FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
       WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND starts_with(c.relname, $1 || '_')
       ORDER BY c.relname`,
      [table.table],
    );
    return rows.flatMap(({ name, state }) => {
      const partition = partitionNamed(table, name);
      return partition === null ? [] : [{ ...partition, state }];
    });
  }

  /**
   * Finishes an interrupted detach; a table can have only one at a time. If the table's columns have changed since, the
   * detach cannot finish, and the partition, which had expired before, is dropped instead. False when it is locked.
   */
  async finishDetaching({ table }: PartitionedTable, partition: KnownPartition): Promise<boolean> {
    try {
      return await this.unlessLocked(`ALTER TABLE ${table} DETACH PARTITION ${partition.name} FINALIZE`);
    } catch (error) {
      if (sqlStateOf(error) !== SQLSTATE.datatypeMismatch) throw error;
      await this.client.query(`SET lock_timeout = ${WHOLE_TABLE_LOCK_TIMEOUT_MS}`);
      const dropped = await this.drop(partition);
      await this.client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
      return dropped;
    }
  }

  /** Detaches a partition from its table. False when it is locked. */
  detach({ table }: PartitionedTable, { name }: KnownPartition): Promise<boolean> {
    return this.unlessLocked(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`);
  }

  /** Drops a detached partition if it still exists. False when it is locked. */
  drop({ name }: KnownPartition): Promise<boolean> {
    return this.unlessLocked(`DROP TABLE IF EXISTS ${name}`);
  }

  private async unlessLocked(sql: string): Promise<boolean> {
    try {
      await this.client.query(sql);
      return true;
    } catch (error) {
      if (sqlStateOf(error) === SQLSTATE.lockNotAvailable) return false;
      throw error;
    }
  }
}
