import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { createDataSource } from '../data-source.js';
import { createUpcomingPartitions } from './partitions.js';
import { readDatabaseState, requireSupported } from './schema-state.js';

/** Any fixed number: the advisory lock under which one process at a time migrates. */
const MIGRATION_LOCK = 7_275_397;

/**
 * Brings the schema of `databaseUrl` up to date. Several processes may call it at once: one works, the others wait.
 *
 * @returns the names of the migrations that ran
 * @throws StartupError when the server is older than PostgreSQL 16, or the schema newer than this release; nothing is changed
 * then
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

async function migrateUnderLock(dataSource: DataSource): Promise<string[]> {
  const holder = dataSource.createQueryRunner();
  await holder.connect();
  try {
    const pool = (dataSource.driver as PostgresDriver).master as Pool;
    await holder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // Not before the lock: whoever held it may have been a newer release.
    requireSupported(await readDatabaseState(pool));
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    await createUpcomingPartitions(pool);
    return ran.map(({ name }) => name);
  } finally {
    await holder.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await holder.release();
  }
}
