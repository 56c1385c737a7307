import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { requireOwnNames } from '../../manifest/extension.js';
import type { Manifest } from '../../manifest/manifest.js';
import { createDataSource } from '../connections/data-source.js';
import { poolOf } from '../connections/manager-over.js';
import { ADVISORY_LOCK } from '../sql/advisory-locks.js';
import { CORE_LEDGER, type Ledger, ledgersOf } from './ledgers.js';
import { createUpcomingPartitions } from './partitions.js';
import { type DatabaseState, readDatabaseState, requireSupported } from './schema-state.js';

/**
 * Migrates the schema to this release: the core first, then each extension. If several processes call it at the same
 * time, one migrates and the others wait.
 *
 * @returns the names of the migrations that ran
 * @throws StartupError when the server is older than PostgreSQL 16, or the schema is newer than this release or one of
 * its extensions, or an extension uses names of others; then nothing changes
 */
export async function migrate(databaseUrl: string, manifest: Manifest): Promise<string[]> {
  requireOwnNames(manifest);
  const dataSource = await migrating(databaseUrl).initialize();
  try {
    return await migrateUnderLock(dataSource, databaseUrl, ledgersOf(manifest));
  } finally {
    await dataSource.destroy();
  }
}

/** The server's version and the migrations applied to the database. Changes nothing. */
export async function databaseStateOf(databaseUrl: string, manifest: Manifest): Promise<DatabaseState> {
  const dataSource = await createDataSource({ url: databaseUrl, poolSize: 1 }).initialize();
  try {
    return await readDatabaseState(poolOf(dataSource), ledgersOf(manifest));
  } finally {
    await dataSource.destroy();
  }
}

/** Milliseconds between two looks whether another process has finished migrating. */
const TURN_POLL_MS = 200;

/**
 * Takes the lock of migrations. It asks again and again: a statement that waits for the lock has a snapshot, and an index
 * that the holder builds concurrently would wait for that snapshot in turn.
 */
async function waitForTurn(holder: QueryRunner): Promise<void> {
  for (;;) {
    const [turn] = await holder.query('SELECT pg_try_advisory_lock($1) AS taken', [ADVISORY_LOCK.migrating]);
    if (turn.taken === true) return;
    await pause(TURN_POLL_MS);
  }
}

const migrating = (url: string, ledger: Ledger = CORE_LEDGER): DataSource =>
  createDataSource({ url, poolSize: 2, applicationName: 'parley-migrate', ledger });

async function migrateUnderLock(
  dataSource: DataSource,
  databaseUrl: string,
  ledgers: readonly Ledger[],
): Promise<string[]> {
  const holder = dataSource.createQueryRunner();
  await holder.connect();
  try {
    const pool = poolOf(dataSource);
    await waitForTurn(holder);
    // Checked under the lock, because a newer release may have migrated just before.
    requireSupported(await readDatabaseState(pool, ledgers));
    const ran: string[] = [];
    for (const ledger of ledgers) ran.push(...(await runLedger(databaseUrl, ledger)));
    await createUpcomingPartitions(pool);
    return ran;
  } finally {
    await holder.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK.migrating]).catch(() => undefined);
    await holder.release();
  }
}

async function runLedger(databaseUrl: string, ledger: Ledger): Promise<string[]> {
  const dataSource = await migrating(databaseUrl, ledger).initialize();
  try {
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => ledger.name(name));
  } finally {
    await dataSource.destroy();
  }
}
