import type { Command } from 'commander';
import type { AuditChanges } from '../audit/audit-entry.entity.js';
import { AuditLog } from '../audit/audit-log.js';
import { BusinessPhoneRecord } from '../business-phones/dto/business-phone-list.response.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import { displayedPhone, networkId, recordId, wholeNumber } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';
import { addTokenOptions, type Input, type TokenOptions, tokenOf } from './secret-options.js';

interface SetOptions extends TokenOptions {
  readonly throughput?: number;
  readonly primary?: true;
}

interface AddOptions extends SetOptions {
  readonly account: RecordId;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly display: PhoneNumber;
}

const parseThroughput = wholeNumber(0, 1_000_000);

/** `phones add|list|set`. */
export function addPhoneCommands(cli: Command, runner: CommandRunner, input: Input): void {
  const phones = cli.command('phones').description('Business phones');
  addTokenOptions(
    phones
      .command('add')
      .description('Add a business phone to an account; without a token it works only with the simulator')
      .requiredOption('--account <id>', 'account of the phone', recordId)
      .requiredOption('--phone-number-id <id>', 'its network id', networkId)
      .requiredOption('--waba-id <id>', 'the network id of its business account', networkId)
      .requiredOption('--display <number>', 'the number, country code first', displayedPhone),
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
        return { business_phones: listed.map((phone) => ({ ...BusinessPhoneRecord.from(phone) })) };
      }),
    );
  addTokenOptions(
    phones
      .command('set')
      .description('Change a business phone, within a second in every process; other settings stay unchanged')
      .argument('<id>', 'the waba_phone_id', recordId),
  )
    .option('--throughput <n>', 'messages per second, 0 = no limit', parseThroughput)
    .option('--primary', 'make it the primary phone of the account')
    .action(async (id: RecordId, options: SetOptions, command: Command) => {
      if (Object.keys(options).length === 0) command.error('error: nothing to set; see --help for the options');
      const token = await tokenOf(options, input, command);
      return runner.run(command, async (operator) => {
        const accountId = await operator.phones.accountOf(id);
        const { throughput, primary } = options;
        await operator.unitOfWork.transaction(async (tx) => {
          await operator.phones.change(accountId, id, { token, throughput, primary }, tx);
          const changes = auditedSettings(options, token);
          await AuditLog.write(accountId, { action: 'business_phone.changed', subjectId: id, changes }, tx);
        });
        return { waba_phone_id: id };
      });
    });
}

/** The given settings as the audit log records them: of the token only that it was set. */
const auditedSettings = ({ throughput, primary }: SetOptions, token: string | undefined): AuditChanges => ({
  ...(token !== undefined && { token: 'set' }),
  ...(throughput !== undefined && { throughput }),
  ...(primary !== undefined && { primary }),
});
