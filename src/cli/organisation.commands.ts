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

/** Maximum length of a free-form text, characters. */
const MAX_TEXT = 4096;

/** `organisations set`: the automatic rules and the opt-out words. */
export function addOrganisationCommands(cli: Command, runner: CommandRunner): void {
  cli
    .command('organisations')
    .description('Organisations')
    .command('set')
    .description('Change automatic rules and opt-out words; other settings stay unchanged')
    .argument('<id>', 'organisation', recordId)
    .addOption(
      new Option('--auto-inbound <switch>', 'assign new inbound conversations round robin').choices(['on', 'off']),
    )
    .option('--auto-reply <text>', 'sent once per window to unassigned chats, or off', unlessOff(text(MAX_TEXT)))
    .option(
      '--auto-reply-agent <user-id>',
      'agent who is assigned the conversation after the automatic reply',
      recordId,
    )
    .option('--stop-words <words>', 'words that opt out of marketing, such as STOP,OPT OUT', words)
    .option('--start-words <words>', 'words that opt in again', words)
    .action((id: RecordId, options: SetOptions, command: Command) => {
      if (Object.keys(options).length === 0) command.error('error: nothing to set; see --help for the options');
      if (options.autoReply === false && options.autoReplyAgent !== undefined) {
        command.error("error: option '--auto-reply-agent' cannot be combined with '--auto-reply off'");
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
