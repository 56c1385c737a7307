import type { Command } from 'commander';
import { contactNotFound } from '../contacts/contacts.errors.js';
import { findAccountOfContact } from '../contacts/erasure/contact-erasure.queries.js';
import type { ContactErasureService } from '../contacts/erasure/contact-erasure.service.js';
import type { RecordId } from '../values/record-id.js';
import { recordId } from './argument-values.js';
import type { Answer, CommandRunner } from './command-runner.js';

interface EraseOptions {
  readonly all?: true;
  readonly account?: RecordId;
}

/** `contacts erase`. */
export function addContactCommands(cli: Command, runner: CommandRunner): void {
  const contacts = cli.command('contacts').description('Contacts of any account');
  contacts
    .command('erase')
    .description('Hide a contact immediately and erase their data from every table; run it again to see the progress')
    .argument('[id]', 'contact, deleted or not', recordId)
    .option('--all', 'all contacts of an account; its API requests are refused until the contacts are hidden')
    .option('--account <id>', 'the account, with --all', recordId)
    .action((id: RecordId | undefined, { all, account }: EraseOptions, command: Command) => {
      if ((id === undefined) !== (all === true && account !== undefined)) {
        command.error('error: give either a contact id, or --all and --account');
      }
      return runner.run(command, async (operator) => {
        const erasures = await operator.erasures();
        if (id === undefined) return eraseAll(erasures, String(account));
        const accountId = await findAccountOfContact(id, operator.unitOfWork.autocommit);
        if (accountId === null) throw contactNotFound(id);
        const { requestedAt, clearedAt } = await erasures.erase(accountId, id);
        return {
          contact_id: id,
          requested_at: requestedAt.toISOString(),
          cleared_at: clearedAt?.toISOString() ?? null,
        };
      });
    });
}

async function eraseAll(erasures: ContactErasureService, accountId: RecordId): Promise<Answer> {
  await erasures.eraseAll(accountId);
  return { account_id: accountId, status: 'erasing' };
}
