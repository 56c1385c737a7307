import type { Command } from 'commander';
import { ALL_SCOPES, type Scope } from '../auth/scopes.js';
import type { RecordId } from '../values/record-id.js';
import { futureInstant, recordId, scopes, text, wholeNumber } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';

interface CreateOptions {
  readonly account: RecordId;
  readonly name?: string;
  readonly scopes?: Scope[];
  readonly rateLimit?: number;
  readonly expires?: Date;
}

/** `keys create|revoke`. */
export function addKeyCommands(cli: Command, runner: CommandRunner): void {
  const keys = cli.command('keys').description('API keys');
  keys
    .command('create')
    .description('Issue an API key; it is shown only once')
    .requiredOption('--account <id>', 'account of the key', recordId)
    .option('--name <name>', 'name of the key', text(256))
    .option('--scopes <scopes>', 'scopes of the key, such as contacts:read,messages:write (default: all)', scopes)
    .option('--rate-limit <n>', 'requests per 60 seconds (default: 100)', wholeNumber(1, 1_000_000_000))
    .option('--expires <time>', 'expiry time, ISO 8601 (default: never)', futureInstant)
    .action((options: CreateOptions, command: Command) =>
      runner.run(command, async (operator) => {
        const { id, key } = await operator.keys.issue({
          accountId: options.account,
          name: options.name,
          scopes: options.scopes ?? ALL_SCOPES,
          rateLimit: options.rateLimit,
          expiresAt: options.expires,
        });
        return { id, api_key: key };
      }),
    );
  keys
    .command('revoke')
    .description('Revoke a key, within a second in every process')
    .argument('<id>', 'key', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.keys.revoke(await operator.keys.accountOf(id), id);
        return { id, status: 'revoked' };
      }),
    );
}
