import type { Command } from 'commander';
import { AuditLog } from '../audit/audit-log.js';
import type { RecordId } from '../values/record-id.js';
import { recordId, wholeNumber } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';

/** `wallet credit|balance`. */
export function addWalletCommands(cli: Command, runner: CommandRunner): void {
  const wallet = cli.command('wallet').description('Credits of an account');
  wallet
    .command('credit')
    .description('Add credits')
    .requiredOption('--account <id>', 'the account', recordId)
    .requiredOption('--amount <n>', 'credits to add', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(({ account, amount }: { account: RecordId; amount: number }, command: Command) =>
      runner.run(command, async (operator) => ({
        balance: await operator.unitOfWork.transaction(async (tx) => {
          const balance = await operator.wallets.credit(account, amount, tx);
          const entry = { action: 'account.credited', subjectId: account, changes: { amount } } as const;
          await AuditLog.write(account, entry, tx);
          return balance;
        }),
      })),
    );
  wallet
    .command('balance')
    .description('Show the credits')
    .requiredOption('--account <id>', 'the account', recordId)
    .action(({ account }: { account: RecordId }, command: Command) =>
      runner.run(command, async (operator) => ({ balance: await operator.wallets.balance(account) })),
    );
}
