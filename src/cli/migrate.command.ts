import type { Command } from 'commander';
import { migrate } from '../database/schema/migrate.js';
import { migrateQueues } from '../queues/queue-backend.js';
import type { CommandRunner } from './command-runner.js';

/** `migrate`: updates Parley's schema, its current partitions, and the queues' schema. */
export function addMigrateCommand(cli: Command, runner: CommandRunner): void {
  cli
    .command('migrate')
    .description('Update the database schema')
    .action((_: unknown, command: Command) =>
      runner.runWith(command, async (settings) => {
        const migrations = await migrate(settings.databaseUrl);
        // On Redis the queues have no schema.
        if (settings.redisUrl === null) await migrateQueues(settings.databaseUrl);
        return { migrations };
      }),
    );
}
