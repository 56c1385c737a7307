import { type Command, Option } from 'commander';
import type { AuditChanges } from '../audit/audit-entry.entity.js';
import { AuditLog } from '../audit/audit-log.js';
import type { RecordId } from '../values/record-id.js';
import { recordId, textUpTo, unlessOff, words } from './argument-values.js';
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

/** `organisations list|show|set`: the automatic rules and the opt-out words. */
export function addOrganisationCommands(cli: Command, runner: CommandRunner): void {
  const organisations = cli.command('organisations').description('Organisations, their automatic rules and words');
  organisations
    .command('list')
    .description('List all organisations, oldest first')
    .action((_: unknown, command: Command) =>
      runner.run(command, async (operator) => ({
        organisations: (await operator.organisations.list()).map(({ id, name, createdAt }) => ({
          organisation_id: id,
          name,
          created_at: createdAt.toISOString(),
        })),
      })),
    );
  organisations
    .command('show')
    .description('Show an organisation: everything that `set` changes, and its accounts')
    .argument('<id>', 'organisation', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const found = await operator.organisations.find(id);
        const accounts = (await operator.accounts.list()).filter(({ organisationId }) => organisationId === id);
        return {
          organisation_id: found.id,
          name: found.name,
          auto_inbound: found.autoInbound ? 'on' : 'off',
          auto_reply: found.autoReply ?? 'off',
          auto_reply_agent: found.autoReplyUserId,
          stop_words: found.stopWords,
          start_words: found.startWords,
          created_at: found.createdAt.toISOString(),
          accounts: accounts.map((account) => ({ account_id: account.id, name: account.name, status: account.status })),
        };
      }),
    );
  organisations
    .command('set')
    .description('Change automatic rules and opt-out words; other settings stay unchanged')
    .argument('<id>', 'organisation', recordId)
    .addOption(
      new Option(
        '--auto-inbound <switch>',
        'assign conversations that nobody holds round robin, when the contact first writes',
      ).choices(['on', 'off']),
    )
    .option('--auto-reply <text>', 'sent once per window to unassigned chats, or off', unlessOff(textUpTo(MAX_TEXT)))
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
        const settings = {
          ...(options.autoInbound !== undefined && { autoInbound: options.autoInbound === 'on' }),
          ...(options.autoReply !== undefined && { autoReply: options.autoReply || null }),
          ...(options.autoReplyAgent !== undefined && { autoReplyUserId: options.autoReplyAgent }),
          ...(options.stopWords !== undefined && { stopWords: options.stopWords }),
          ...(options.startWords !== undefined && { startWords: options.startWords }),
        };
        await operator.unitOfWork.transaction(async (tx) => {
          // First, because it may wait for an account, and the change locks the configuration epoch of all accounts.
          const changes = auditedSettings(options);
          await AuditLog.writeForOrganisation(id, { action: 'organisation.changed', subjectId: id, changes }, tx);
          await operator.organisations.set(id, settings, tx);
        });
        return { organisation_id: id };
      });
    });
}

/** The given settings as the audit log records them: without the text of the automatic reply. */
const auditedSettings = (options: SetOptions): AuditChanges => ({
  ...(options.autoInbound !== undefined && { auto_inbound: options.autoInbound === 'on' }),
  ...(options.autoReply !== undefined && { auto_reply: options.autoReply !== false }),
  ...(options.autoReplyAgent !== undefined && { auto_reply_user_id: options.autoReplyAgent }),
  ...(options.stopWords !== undefined && { stop_words: options.stopWords }),
  ...(options.startWords !== undefined && { start_words: options.startWords }),
});
