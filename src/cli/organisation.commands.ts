import { type Command, Option } from 'commander';
import type { RecordId } from '../values/record-id.js';
import { recordId, text, unlessOff, words } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';

interface SetOptions {
  readonly autoInbound?: 'on' | 'off';
  /** false: off. */
  readonly autoReply?: string | false;
  readonly autoReplyAgent?: RecordId;
  readonly stopWords?: string[];
  readonly startWords?: string[];
}

/** Characters of a free-form text. */
const MAX_TEXT = 4096;

/** `organisations set`: the automatic rules and the opt-out words. */
export function addOrganisationCommands(cli: Command, runner: CommandRunner): void {
  cli
    .command('organisations')
    .description('Organisations')
    .command('set')
    .description('Change automatic rules and opt-out words; what is not named stays')
    .argument('<id>', 'organisation', recordId)
    .addOption(
      new Option('--auto-inbound <switch>', 'give new inbound threads to active agents in turn').choices(['on', 'off']),
    )
    .option('--auto-reply <text>', 'sent once per window to unassigned threads, or off', unlessOff(text(MAX_TEXT)))
    .option('--auto-reply-agent <user-id>', 'who is then assigned the thread', recordId)
    .option('--stop-words <words>', 'opt out of marketing, such as STOP,OPT OUT', words)
    .option('--start-words <words>', 'opt in again', words)
    .action((id: RecordId, options: SetOptions, command: Command) => {
      if (Object.keys(options).length === 0) command.error('error: nothing to set; --help shows what there is');
      if (options.autoReply === false && options.autoReplyAgent !== undefined) {
        command.error("error: option '--auto-reply-agent' needs an automatic reply, which is being turned off");
      }
      return runner.run(command, async (operator) => {
        await operator.organisations.set(id, {
          ...(options.autoInbound !== undefined && { autoInbound: options.autoInbound === 'on' }),
          ...(options.autoReply !== undefined && { autoReply: options.autoReply || null }),
          ...(options.autoReplyAgent !== undefined && { autoReplyUserId: options.autoReplyAgent }),
          ...(options.stopWords !== undefined && { stopWords: options.stopWords }),
          ...(options.startWords !== undefined && { startWords: options.startWords }),
        });
        return { organisation_id: id };
      });
    });
}
