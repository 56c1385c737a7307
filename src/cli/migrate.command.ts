import type { Command } from 'commander';
import { databaseStateOf, migrate } from '../database/schema/migrate.js';
import { MIGRATION_NAMES } from '../database/schema/schema-state.js';
import { migrateQueues } from '../queues/queue-backend.js';
import type { CommandRunner } from './command-runner.js';

/** What `migrate --status` prints. Changes nothing. */
async function migrationStatus(databaseUrl: string) {
  const applied = (await databaseStateOf(databaseUrl)).migrations ?? [];
  return {
    applied: applied.length,
    pending: MIGRATION_NAMES.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !MIGRATION_NAMES.includes(name)),
  };
}

/** `migrate`: updates Parley's schema, its current partitions, and the queues' schema. */
export function addMigrateCommand(cli: Command, runner: CommandRunner): void {
  cli
    .command('migrate')
    .description('Update the database schema')
    .option('--status', 'only print which migrations are applied and which are pending')
    .action(({ status }: { status?: true }, command: Command) =>
      runner.runWith(command, async (settings) => {
        if (status === true) return migrationStatus(settings.databaseUrl);
        const migrations = await migrate(settings.databaseUrl);
        // On Redis the queues have no schema.
        if (settings.redisUrl === null) await migrateQueues(settings.databaseUrl);
        return { migrations };
      }),
    );
}
