import type { Command } from 'commander';
import { migrate } from '../database/schema/migrate.js';
import { migrateQueues } from '../queues/queue-backend.js';
import type { CommandRunner } from './command-runner.js';

/** `migrate`: Parley's schema with the partitions of the days around today, and the queues' schema. */
export function addMigrateCommand(cli: Command, runner: CommandRunner): void {
  cli
    .command('migrate')
    .description('Bring the schema of the database up to date')
    .action((_: unknown, command: Command) =>
      runner.runWith(command, async (settings) => {
        const migrations = await migrate(settings.databaseUrl);
        // On Redis the queues have no schema.
        if (settings.redisUrl === null) await migrateQueues(settings.databaseUrl);
        return { migrations };
      }),
    );
}
