import type { Command } from 'commander';
import { AuditLog } from '../audit/audit-log.js';
import type { RecordId } from '../values/record-id.js';
import { recordId, text } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';

interface CreateOptions {
  readonly name: string;
  /** false: `--no-organisation`. */
  readonly organisation?: RecordId | false;
}

/** `accounts create|list|suspend|activate`. */
export function addAccountCommands(cli: Command, runner: CommandRunner): void {
  const accounts = cli.command('accounts').description('Accounts, the tenants of the service');
  const given = new Set<string>();
  accounts
    .command('create')
    .description('Create an account with its owner, an empty wallet and, by default, a new organisation')
    .requiredOption('--name <name>', 'name of the account', text(256))
    .option('--organisation <id>', 'join this organisation', recordId)
    .option('--no-organisation', 'create the account without an organisation')
    .on('option:organisation', () => given.add('--organisation'))
    .on('option:no-organisation', () => given.add('--no-organisation'))
    .action(({ name, organisation }: CreateOptions, command: Command) => {
      if (given.size === 2) command.error('error: --organisation and --no-organisation cannot be combined');
      return runner.run(command, async (operator) => {
        const organisationId = organisation === false ? null : organisation;
        const created = await operator.unitOfWork.transaction(async (tx) => {
          const account = await operator.accounts.create({ name, organisationId }, tx);
          const changes = { organisation_id: account.organisationId, owner_id: account.userId };
          const entry = { action: 'account.created', subjectId: account.accountId, changes } as const;
          await AuditLog.write(account.accountId, entry, tx);
          return account;
        });
        return {
          account_id: created.accountId,
          organisation_id: created.organisationId,
          user_id: created.userId,
        };
      });
    });
  accounts
    .command('list')
    .description('List all accounts, oldest first')
    .action((_: unknown, command: Command) =>
      runner.run(command, async (operator) => ({
        accounts: (await operator.accounts.list()).map((account) => ({
          account_id: account.id,
          name: account.name,
          organisation_id: account.organisationId,
          status: account.status,
          created_at: account.createdAt.toISOString(),
        })),
      })),
    );
  accounts
    .command('suspend')
    .description('Make the account read-only')
    .argument('<id>', 'account', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.unitOfWork.transaction(async (tx) => {
          await operator.accounts.suspend(id, tx);
          await AuditLog.write(id, { action: 'account.suspended', subjectId: id }, tx);
        });
        return { account_id: id, status: 'suspended' };
      }),
    );
  accounts
    .command('activate')
    .description('Lift the suspension')
    .argument('<id>', 'account', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.unitOfWork.transaction(async (tx) => {
          await operator.accounts.activate(id, tx);
          await AuditLog.write(id, { action: 'account.activated', subjectId: id }, tx);
        });
        return { account_id: id, status: 'active' };
      }),
    );
}
