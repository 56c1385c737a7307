import type { Command } from 'commander';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import { displayedPhone, networkId, recordId, text, wholeNumber } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';

interface AddOptions {
  readonly account: RecordId;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly display: PhoneNumber;
  readonly token?: string;
  readonly throughput?: number;
  readonly primary?: true;
}

/** `phones add`. */
export function addPhoneCommands(cli: Command, runner: CommandRunner): void {
  const phones = cli.command('phones').description('Business phones');
  phones
    .command('add')
    .description('Give an account a business phone')
    .requiredOption('--account <id>', 'the account that it belongs to', recordId)
    .requiredOption('--phone-number-id <id>', 'its id on the network', networkId)
    .requiredOption('--waba-id <id>', 'the id of its business account on the network', networkId)
    .requiredOption('--display <number>', 'the number, country code first', displayedPhone)
    .option(
      '--token <token>',
      'access token for the network; stored encrypted (default: one for the simulator)',
      text(4096),
    )
    .option('--throughput <n>', 'messages per second, 0 = no limit (default: 80)', wholeNumber(0, 1_000_000))
    .option('--primary', 'make it the primary phone of the account')
    .action((options: AddOptions, command: Command) =>
      runner.run(command, async (operator) => {
        const id = await operator.phones.add({
          accountId: options.account,
          phoneNumberId: options.phoneNumberId,
          wabaId: options.wabaId,
          phone: options.display,
          token: options.token,
          throughput: options.throughput,
          primary: options.primary,
        });
        return { waba_phone_id: id };
      }),
    );
}
