import type { Command } from 'commander';
import { AuditLog } from '../audit/audit-log.js';
import type { RecordId } from '../values/record-id.js';
import { email, recordId, textUpTo } from './argument-values.js';
import type { CommandRunner } from './command-runner.js';
import type { Operator } from './operator.js';

interface CreateOptions {
  readonly name: string;
  /** false: `--no-organisation`. */
  readonly organisation?: RecordId | false;
  readonly ownerName?: string;
  readonly ownerEmail?: string;
}

/** `accounts create|list|show|suspend|activate`. */
export function addAccountCommands(cli: Command, runner: CommandRunner): void {
  const accounts = cli.command('accounts').description('Accounts, the tenants of the service');
  const given = new Set<string>();
  accounts
    .command('create')
    .description('Create an account with its owner, an empty wallet and, by default, a new organisation')
    .requiredOption('--name <name>', 'name of the account', textUpTo(256))
    .option('--organisation <id>', 'join this organisation', recordId)
    .option('--no-organisation', 'create the account without an organisation')
    .option('--owner-name <name>', 'full name of the owner; by default the name of the account', textUpTo(256))
    .option('--owner-email <address>', 'e-mail address with which the owner signs in to the console', email)
    .on('option:organisation', () => given.add('--organisation'))
    .on('option:no-organisation', () => given.add('--no-organisation'))
    .action(({ name, organisation, ownerName, ownerEmail }: CreateOptions, command: Command) => {
      if (given.size === 2) command.error('error: --organisation and --no-organisation cannot be combined');
      const work = async (operator: Operator) => {
        const organisationId = organisation === false ? null : organisation;
        const created = await operator.unitOfWork.transaction(async (tx) => {
          const account = await operator.accounts.create(
            { name, organisationId, owner: { fullName: ownerName, email: ownerEmail } },
            tx,
          );
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
      };
      return runner.run(command, work, ({ account_id, user_id }) => nextSteps(account_id, user_id));
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
    .command('show')
    .description('Show an account and its credits')
    .argument('<id>', 'account', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const account = await operator.accounts.find(id);
        return {
          account_id: account.id,
          name: account.name,
          organisation_id: account.organisationId,
          user_id: account.ownerId,
          status: account.status,
          balance: await operator.wallets.balance(id),
          created_at: account.createdAt.toISOString(),
        };
      }),
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

/** What a new account still needs before it can send. */
const nextSteps = (accountId: RecordId, ownerId: RecordId): string => `Next:
  parley agents sign-in-link ${ownerId}
      leads the owner to the console, where they choose a password
  parley wallet credit --account ${accountId} --amount 1000
      campaigns need a credit for each recipient, and a new account has none
  parley phones connect --account ${accountId} --phone-number-id … --waba-id … --token-file token.txt --pin …
      docs/connect.md leads to these values, and from here to a delivered message
  parley keys create --account ${accountId} --name first
      the API key is shown only once
`;
