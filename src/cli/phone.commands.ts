import type { Command } from 'commander';
import { noSuchPhone } from '../accounts/account.errors.js';
import type { AuditChanges } from '../audit/audit-entry.entity.js';
import { AuditLog } from '../audit/audit-log.js';
import { BusinessPhoneRecord } from '../business-phones/dto/business-phone-list.response.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import { networkId, phoneNumber, recordId, wholeNumber } from './argument-values.js';
import type { AnswerRow, CommandRunner, Output } from './command-runner.js';
import { showChecks } from './connect.commands.js';
import type { Operator } from './operator.js';
import { addTokenOptions, type Input, type TokenOptions, tokenOf } from './secret-options.js';

interface Settings extends TokenOptions {
  readonly throughput?: number;
  readonly primary?: true;
}

interface SetOptions extends Settings {
  readonly phoneNumberId?: string;
  readonly wabaId?: string;
}

interface AddOptions extends Settings {
  readonly account: RecordId;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly display: PhoneNumber;
}

const parseThroughput = wholeNumber(0, 1_000_000);

/** `phones add|list|show|set`. Returns the command, for those of other files. */
export function addPhoneCommands(cli: Command, runner: CommandRunner, output: Output, input: Input): Command {
  const phones = cli.command('phones').description('Business phones');
  addTokenOptions(
    phones
      .command('add')
      .description('Add a business phone to an account; without a token it works only with the simulator')
      .requiredOption('--account <id>', 'account of the phone', recordId)
      .requiredOption('--phone-number-id <id>', 'its network id', networkId)
      .requiredOption('--waba-id <id>', 'the network id of its business account', networkId)
      .requiredOption('--display <number>', 'the number, country code first', phoneNumber),
  )
    .option('--throughput <n>', 'messages per second, 0 = no limit (default: 80)', parseThroughput)
    .option('--primary', 'make it the primary phone of the account')
    .action(async (options: AddOptions, command: Command) => {
      const token = await tokenOf(options, input, command);
      return runner.run(command, async (operator) => {
        const { account: accountId, phoneNumberId, wabaId, display: phone, throughput, primary } = options;
        const id = await operator.unitOfWork.transaction(async (tx) => {
          const added = await operator.phones.add(
            { accountId, phoneNumberId, wabaId, phone, token, throughput, primary },
            tx,
          );
          const changes = { phone_number_id: phoneNumberId, waba_id: wabaId, ...auditedSettings(options, token) };
          await AuditLog.write(accountId, { action: 'business_phone.created', subjectId: added, changes }, tx);
          return added;
        });
        return { waba_phone_id: id };
      });
    });
  phones
    .command('list')
    .description('List the business phones of an account, primary first')
    .requiredOption('--account <id>', 'the account', recordId)
    .action(({ account }: { account: RecordId }, command: Command) =>
      runner.run(command, async (operator) => {
        const listed = await operator.accounts.phonesOf(account);
        return { business_phones: listed.map((phone) => rowOf(BusinessPhoneRecord.from(phone))) };
      }),
    );
  phones
    .command('show')
    .description('Show a business phone without its token')
    .argument('<id>', 'the waba_phone_id', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const accountId = await operator.phones.accountOf(id);
        const phone = (await operator.accounts.phonesOf(accountId)).find((each) => each.id === id);
        if (phone === undefined) throw noSuchPhone(id);
        const { restriction, ...record } = BusinessPhoneRecord.from(phone);
        const reason = restriction && `${restriction.type}, ${restriction.reason}`;
        return { ...record, restriction: reason, app_id: phone.appId, account_id: accountId };
      }),
    );
  addTokenOptions(
    phones
      .command('set')
      .description(
        'Change a business phone, within a second in every process; other settings stay unchanged. Corrected ids are ' +
          'checked at Meta first, with a new token if there is one, and nothing changes if a check fails',
      )
      .argument('<id>', 'the waba_phone_id', recordId),
  )
    .option('--phone-number-id <id>', 'correct Meta’s id of the phone', networkId)
    .option('--waba-id <id>', 'correct Meta’s id of its business account', networkId)
    .option('--throughput <n>', 'messages per second, 0 = no limit', parseThroughput)
    .option('--primary', 'make it the primary phone of the account')
    .action(async (id: RecordId, options: SetOptions, command: Command) => {
      if (Object.keys(options).length === 0) command.error('error: nothing to set; see --help for the options');
      const token = await tokenOf(options, input, command);
      return runner.run(command, async (operator) => {
        const accountId = await operator.phones.accountOf(id);
        const { phoneNumberId, wabaId } = options;
        if (phoneNumberId === undefined && wabaId === undefined) {
          await changeSettings(operator, accountId, id, options, token);
          return { waba_phone_id: id };
        }
        const ids = { phoneNumberId, wabaId, token };
        const { checks, phoneId } = await operator.atMeta(({ connection }) => connection.change(accountId, id, ids));
        const { throughput, primary } = options;
        const hasMore = throughput !== undefined || primary !== undefined;
        if (phoneId !== null && hasMore) await changeSettings(operator, accountId, id, options, undefined);
        showChecks(command, output, [{ waba_phone_id: phoneId, checks }], 'nothing was changed');
        return null;
      });
    });
  return phones;
}

const rowOf = ({ restriction, ...phone }: BusinessPhoneRecord): AnswerRow => ({
  ...phone,
  restriction: restriction && { ...restriction },
});

async function changeSettings(
  operator: Operator,
  accountId: RecordId,
  id: RecordId,
  { throughput, primary }: Settings,
  token: string | undefined,
): Promise<void> {
  await operator.unitOfWork.transaction(async (tx) => {
    await operator.phones.change(accountId, id, { token, throughput, primary }, tx);
    const changes = auditedSettings({ throughput, primary }, token);
    await AuditLog.write(accountId, { action: 'business_phone.changed', subjectId: id, changes }, tx);
  });
}

/** The given settings as the audit log records them: of the token only that it was set. */
const auditedSettings = ({ throughput, primary }: Settings, token: string | undefined): AuditChanges => ({
  ...(token !== undefined && { token: 'set' }),
  ...(throughput !== undefined && { throughput }),
  ...(primary !== undefined && { primary }),
});
