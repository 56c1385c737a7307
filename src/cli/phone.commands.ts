import type { Command } from 'commander';
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
        const id = await operator.phones.add({
          accountId: options.account,
          phoneNumberId: options.phoneNumberId,
          wabaId: options.wabaId,
          phone: options.display,
          token,
          throughput: options.throughput,
          primary: options.primary,
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
        await operator.phones.change(id, { token, throughput: options.throughput, primary: options.primary });
        return { waba_phone_id: id };
      });
    });
}
