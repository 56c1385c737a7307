import { Command, CommanderError } from 'commander';
import { describeStartFailure } from '../config/start-failure.js';
import type { Source } from '../config/variables.js';
import { SQLSTATE, sqlStateOf } from '../database/sql/sqlstate.js';
import { DomainError } from '../errors/domain-error.js';
import { addAccountCommands } from './account.commands.js';
import { addAgentCommands } from './agent.commands.js';
import { addAppCommands } from './app.commands.js';
import { addCampaignCommands } from './campaign.commands.js';
import { CommandFailure } from './command-failure.js';
import { CommandRunner, Interrupted, type Output } from './command-runner.js';
import { addConnectCommands } from './connect.commands.js';
import { addContactCommands } from './contact.commands.js';
import { addKeyCommands } from './key.commands.js';
import { addMessageCommands } from './message.commands.js';
import { addMigrateCommand } from './migrate.command.js';
import { addOrganisationCommands } from './organisation.commands.js';
import { addPhoneCommands } from './phone.commands.js';
import { addRetentionCommand } from './retention.command.js';
import { addSecretCommands } from './secret.commands.js';
import type { Input } from './secret-options.js';
import { addTriggerCommands } from './trigger.commands.js';
import { addWalletCommands } from './wallet.commands.js';
import { addWebhookCommands } from './webhook.commands.js';

/** Exit codes: a wrong argument, Ctrl-C, and any other failure. */
const WRONG_ARGUMENT = 2;
const INTERRUPTED = 130;
const FAILED = 1;

/**
 * Runs one command line. Every failure prints one line on stderr.
 *
 * @param input reads standard input
 * @returns the exit code
 */
export async function runCli(
  args: readonly string[],
  source: Source,
  output: Output,
  input: Input = async () => '',
): Promise<number> {
  try {
    await program(new CommandRunner(source, output), output, input).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof Interrupted) return INTERRUPTED;
    const [line, code] = failureOf(error);
    output.err(`${line.split('\n')[0]}\n`);
    return code;
  }
}

function program(runner: CommandRunner, output: Output, input: Input): Command {
  const cli = new Command('parley')
    .description('Operates Parley on DATABASE_URL, or on the sandbox of DATA_DIR')
    .option('--json', 'print one JSON line')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: () => undefined });
  addAccountCommands(cli, runner);
  addKeyCommands(cli, runner);
  addConnectCommands(addPhoneCommands(cli, runner, output, input), runner, output, input);
  addAppCommands(cli, runner, input);
  addAgentCommands(cli, runner, input);
  addWalletCommands(cli, runner);
  addOrganisationCommands(cli, runner);
  addContactCommands(cli, runner);
  addMessageCommands(cli, runner);
  addCampaignCommands(cli, runner, output);
  addSecretCommands(cli, runner);
  addRetentionCommand(cli, runner);
  addWebhookCommands(cli, runner, output);
  addTriggerCommands(cli, runner);
  addMigrateCommand(cli, runner);
  return cli;
}

function failureOf(error: unknown): [line: string, code: number] {
  if (error instanceof CommanderError) {
    const incomplete = error.code === 'commander.help';
    return [incomplete ? 'error: the command is incomplete; see --help' : error.message, WRONG_ARGUMENT];
  }
  if (error instanceof DomainError) return [`error: ${error.message}`, error.status < 500 ? WRONG_ARGUMENT : FAILED];
  const state = sqlStateOf(error);
  if (state === SQLSTATE.undefinedTable || state === SQLSTATE.undefinedColumn) {
    return ['the database schema is missing or outdated: run the command `migrate` first', FAILED];
  }
  if (error instanceof CommandFailure) return [error.message, FAILED];
  return [describeStartFailure(error).replace(/^could not start: /, 'the command failed: '), FAILED];
}
