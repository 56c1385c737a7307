import type { DataSource } from 'typeorm';
import { createDataSource } from '../data-source.js';
import { poolOf } from '../manager-over.js';
import { ADVISORY_LOCK } from '../sql/advisory-locks.js';
import { createUpcomingPartitions } from './partitions.js';
import { type DatabaseState, readDatabaseState, requireSupported } from './schema-state.js';

/**
 * Migrates the schema to this release. If several processes call it at the same time, one migrates and the others wait.
 *
 * @returns the names of the migrations that ran
 * @throws StartupError when the server is older than PostgreSQL 16, or the schema is newer than this release; then
 * nothing changes
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const dataSource = await createDataSource({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'parley-migrate',
  }).initialize();
  try {
    return await migrateUnderLock(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** The server's version and the migrations applied to the database. Changes nothing. */
export async function databaseStateOf(databaseUrl: string): Promise<DatabaseState> {
  const dataSource = await createDataSource({ url: databaseUrl, poolSize: 1 }).initialize();
  try {
    return await readDatabaseState(poolOf(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

async function migrateUnderLock(dataSource: DataSource): Promise<string[]> {
  const holder = dataSource.createQueryRunner();
  await holder.connect();
  try {
    const pool = poolOf(dataSource);
    await holder.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK.migrating]);
    // Checked under the lock, because a newer release may have migrated just before.
    requireSupported(await readDatabaseState(pool));
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    await createUpcomingPartitions(pool);
    return ran.map(({ name }) => name);
  } finally {
    await holder.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK.migrating]).catch(() => undefined);
    await holder.release();
  }
}
