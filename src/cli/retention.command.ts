import type { Command } from 'commander';
import { sumStoredFiles } from '../media/kept-file.queries.js';
import { reportRetention } from '../upkeep/retention-report.js';
import type { CommandRunner } from './command-runner.js';

/** `retention`. */
export function addRetentionCommand(cli: Command, runner: CommandRunner): void {
  cli
    .command('retention')
    .description('Show the size and oldest row of each table, how long rows are kept, and what is deleted next')
    .action((_: unknown, command: Command) =>
      runner.run(command, async ({ retention, unitOfWork, manifest }) => {
        const reports = await reportRetention(retention, manifest, unitOfWork.autocommit);
        const stored = await sumStoredFiles(unitOfWork.autocommit);
        return {
          bytes: reports.reduce((sum, { bytes }) => sum + bytes, 0),
          files: stored.files,
          file_bytes: stored.bytes,
          tables: reports.map(({ oldest, at, ...report }) => ({
            table: report.table,
            rows: report.rows,
            bytes: report.bytes,
            oldest: oldest?.toISOString() ?? null,
            kept: report.kept,
            next: report.next,
            at: at?.toISOString() ?? null,
          })),
        };
      }),
    );
}
