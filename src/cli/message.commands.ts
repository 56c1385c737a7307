import { type Command, Option } from 'commander';
import { looksOfMessages } from '../campaigns/progress/campaign-looks.js';
import { MessageTraceService } from '../connect/message-trace.service.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { STATUSES } from '../messages/dto/messages-query.dto.js';
import { ANY_MESSAGE, findAccountOfMessage } from '../messages/history/message-history.queries.js';
import { MessageHistoryService } from '../messages/history/message-history.service.js';
import { MessageRecord } from '../messages/history/message-record.js';
import { messageNotFound } from '../messages/messages.errors.js';
import { NetworkOutcomeUnknown, NetworkRefusal, NetworkUnreachable } from '../network/network-error.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import { phoneNumber, recordId, wholeNumber } from './argument-values.js';
import { CommandFailure } from './command-failure.js';
import { type CommandRunner, MAX_LISTED } from './command-runner.js';

interface ListOptions {
  readonly account: RecordId;
  readonly phone?: PhoneNumber;
  readonly campaign?: RecordId;
  readonly direction?: 'in' | 'out';
  readonly status?: (typeof STATUSES)[number];
  readonly limit?: number;
}

/** How much of a message a list shows, characters. */
const MAX_SHOWN = 60;

/** `messages list|show|trace`. */
export function addMessageCommands(cli: Command, runner: CommandRunner): void {
  const messages = cli.command('messages').description('Messages of any account');
  messages
    .command('list')
    .description('List the newest messages of an account, with the beginning of what they say')
    .requiredOption('--account <id>', 'the account', recordId)
    .option('--phone <number>', 'only those of the contact with this number, country code first', phoneNumber)
    .option('--campaign <id>', 'only those of this campaign', recordId)
    .addOption(new Option('--direction <direction>', 'only received or only sent ones').choices(['in', 'out']))
    .addOption(new Option('--status <status>', 'only those in this status').choices(STATUSES))
    .option('--limit <n>', 'at most so many (default: 100)', wholeNumber(1, MAX_LISTED))
    .action(({ account, phone, campaign, direction, status, limit = 100 }: ListOptions, command: Command) =>
      runner.run(command, async ({ accounts, unitOfWork }) => {
        await accounts.requireExisting(account);
        const filter = {
          ...ANY_MESSAGE,
          contactPhone: phone ?? null,
          campaignId: campaign ?? null,
          direction: direction ?? null,
          status: status ?? null,
        };
        const { rows } = await historyIn(unitOfWork).list(account, filter, { page: 1, limit });
        return { messages: rows.map((row) => rowOf(MessageRecord.from(row))) };
      }),
    );
  messages
    .command('show')
    .description('Show a message as the API does, with what it says')
    .argument('<id>', 'message', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async ({ unitOfWork }) => {
        const accountId = await findAccountOfMessage(id, unitOfWork.autocommit);
        if (accountId === null) throw messageNotFound(id);
        const message = await historyIn(unitOfWork).get(accountId, id);
        return { ...MessageRecord.from(message), account_id: accountId };
      }),
    );
  messages
    .command('trace')
    .description('Ask the network what became of a message that it accepted; the workers apply what it says')
    .argument('<id>', 'message', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(
        command,
        async (operator) => {
          const accountId = await findAccountOfMessage(id, operator.unitOfWork.autocommit);
          if (accountId === null) throw messageNotFound(id);
          const trace = await operator.atMeta(({ phones, network }) =>
            new MessageTraceService(operator.unitOfWork, phones, network).trace(accountId, id).catch(explain),
          );
          return {
            message_id: id,
            account_id: accountId,
            network_message_id: trace.networkMessageId,
            status: trace.status,
            reports: trace.reports,
            events: trace.events.map(({ status, timestamp, callback, error }) => ({
              status,
              at: timestamp === null ? null : new Date(timestamp * 1000).toISOString(),
              callback,
              error,
            })),
          };
        },
        adviceOn,
      ),
    );
}

const historyIn = (unitOfWork: UnitOfWork): MessageHistoryService =>
  new MessageHistoryService(unitOfWork, { of: looksOfMessages });

const rowOf = ({ content, ...message }: MessageRecord) => ({
  message_id: message.message_id,
  direction: message.direction,
  contact: message.contact_phone ?? message.contact_user_id ?? null,
  message_type: message.message_type,
  content: [...content].length > MAX_SHOWN ? `${[...content].slice(0, MAX_SHOWN).join('')}…` : content,
  status: message.status,
  error_code: message.error_code,
  created_at: message.created_at,
});

/** @throws CommandFailure for an error of the network, else the error */
function explain(error: unknown): never {
  if (error instanceof NetworkRefusal) {
    throw new CommandFailure(`the network refuses to tell (${error.code}): ${error.message}`);
  }
  if (error instanceof NetworkUnreachable || error instanceof NetworkOutcomeUnknown) {
    throw new CommandFailure(`the network does not answer: ${error.message}`);
  }
  throw error;
}

const adviceOn = ({ reports }: { readonly reports: number }): string =>
  reports === 0
    ? 'The network remembers no report about the message.\n'
    : 'The workers apply this within seconds. If callbacks failed, `phones check` says why.\n';
