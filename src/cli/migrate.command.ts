import type { Command } from 'commander';
import { databaseStateOf, migrate } from '../database/schema/migrate.js';
import type { Manifest } from '../manifest/manifest.js';
import { migrateQueues } from '../queues/queue-backend.js';
import type { CommandRunner } from './command-runner.js';

/** What `migrate --status` prints. Changes nothing. */
async function migrationStatus(databaseUrl: string, manifest: Manifest) {
  const state = await databaseStateOf(databaseUrl, manifest);
  const { known } = state;
  const applied = state.applied ?? [];
  return {
    applied: applied.length,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** `migrate`: updates the schema of Parley and its extensions, the current partitions, and the queues' schema. */
export function addMigrateCommand(cli: Command, runner: CommandRunner): void {
  cli
    .command('migrate')
    .description('Update the database schema')
    .option('--status', 'only print which migrations are applied and which are pending')
    .action(({ status }: { status?: true }, command: Command) =>
      runner.runWith(command, async (settings) => {
        // Loaded late, as Operator.connect does.
        const { MANIFEST } = await import('../rooms.js');
        if (status === true) return migrationStatus(settings.databaseUrl, MANIFEST);
        const migrations = await migrate(settings.databaseUrl, MANIFEST);
        // On Redis the queues have no schema.
        if (settings.redisUrl === null) await migrateQueues(settings.databaseUrl);
        return { migrations };
      }),
    );
}
