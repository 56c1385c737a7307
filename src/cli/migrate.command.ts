import type { Command } from 'commander';
import { rollDailyPartitions } from '../database/daily-partitions.queries.js';
import { migrate } from '../database/migrate.js';
import { openQueueBackend } from '../queues/queue-backend.js';
import type { CommandRunner } from './command-runner.js';
import { Operator } from './operator.js';

/** `migrate`: Parley's schema, the queues' schema, and the partitions of the days around today. */
export function addMigrateCommand(cli: Command, runner: CommandRunner): void {
  cli
    .command('migrate')
    .description('Bring the schema of the database up to date')
    .action((_: unknown, command: Command) =>
      runner.runWith(command, async (settings) => {
        const migrations = await migrate(settings.databaseUrl);
        // Opening the queues brings their own schema up to date; on Redis they have none.
        if (settings.redisUrl === null) await (await openQueueBackend(settings)).close();
        const operator = await Operator.connect(settings);
        try {
          await rollDailyPartitions(settings.retentionDays, operator.unitOfWork.autocommit);
        } finally {
          await operator.disconnect();
        }
        return { migrations };
      }),
    );
}
