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
      .description('Give an account a business phone; without a token it gets one that only the simulator takes')
      .requiredOption('--account <id>', 'the account that it belongs to', recordId)
      .requiredOption('--phone-number-id <id>', 'its id on the network', networkId)
      .requiredOption('--waba-id <id>', 'the id of its business account on the network', networkId)
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
    .description('Show the business phones of an account, the primary one first')
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
      .description('Change a business phone, within a second on every process; what is not named stays')
      .argument('<id>', 'the waba_phone_id', recordId),
  )
    .option('--throughput <n>', 'messages per second, 0 = no limit', parseThroughput)
    .option('--primary', 'make it the primary phone of the account')
    .action(async (id: RecordId, options: SetOptions, command: Command) => {
      if (Object.keys(options).length === 0) command.error('error: nothing to set; --help shows what there is');
      const token = await tokenOf(options, input, command);
      return runner.run(command, async (operator) => {
        await operator.phones.change(id, { token, throughput: options.throughput, primary: options.primary });
        return { waba_phone_id: id };
      });
    });
}
