import type { Command } from 'commander';
import { contactNotFound } from '../contacts/contacts.errors.js';
import { ContactsService } from '../contacts/contacts.service.js';
import { ContactRecord } from '../contacts/dto/contact.dto.js';
import { findAccountOfContact } from '../contacts/erasure/contact-erasure.queries.js';
import type { ContactErasureService } from '../contacts/erasure/contact-erasure.service.js';
import { fullName } from '../people/contact-name.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { RecordId } from '../values/record-id.js';
import { phoneNumber, recordId, textUpTo, wholeNumber } from './argument-values.js';
import { type CommandResult, type CommandRunner, MAX_LISTED } from './command-runner.js';

interface ConsentOptions {
  readonly account: RecordId;
  readonly phone: PhoneNumber;
}

interface ListOptions {
  readonly account: RecordId;
  readonly search?: string;
  readonly limit?: number;
}

interface EraseOptions {
  readonly all?: true;
  readonly account?: RecordId;
}

/** `contacts list|show|erase|consent`. */
export function addContactCommands(cli: Command, runner: CommandRunner): void {
  const contacts = cli.command('contacts').description('Contacts of any account');
  contacts
    .command('list')
    .description('List the newest contacts of an account')
    .requiredOption('--account <id>', 'the account', recordId)
    .option('--search <text>', 'only those whose name, number, e-mail address or user id contains it', textUpTo(256))
    .option('--limit <n>', 'at most so many (default: 100)', wholeNumber(1, MAX_LISTED))
    .action(({ account, search, limit = 100 }: ListOptions, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.accounts.requireExisting(account);
        const { rows } = await new ContactsService(operator.unitOfWork).list(account, { page: 1, limit }, search);
        return {
          contacts: rows.map((contact) => ({
            id: contact.id,
            name: fullName(contact),
            phone_number: contact.phoneNumber,
            opted_in: contact.optedIn,
            source: contact.source,
            created_at: contact.createdAt.toISOString(),
          })),
        };
      }),
    );
  contacts
    .command('show')
    .description('Show a contact, or the one that it was merged into')
    .argument('<id>', 'contact', recordId)
    .action((id: RecordId, _: unknown, command: Command) =>
      runner.run(command, async (operator) => {
        const accountId = await findAccountOfContact(id, operator.unitOfWork.autocommit);
        if (accountId === null) throw contactNotFound(id);
        const contact = await new ContactsService(operator.unitOfWork).get(accountId, id);
        return { ...ContactRecord.from(contact), account_id: accountId };
      }),
    );
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

  contacts
    .command('consent')
    .description('Whether a person may get marketing messages, why and since when; also if they are no contact')
    .requiredOption('--account <id>', 'the account', recordId)
    .requiredOption('--phone <number>', 'the number, with its country code', phoneNumber)
    .action(({ account, phone }: ConsentOptions, command: Command) =>
      runner.run(command, async (operator) => {
        await operator.accounts.requireExisting(account);
        const { contactId, optedIn, decision } = await (await operator.consent()).standing(account, phone);
        return {
          account_id: account,
          phone_number: phone,
          contact_id: contactId,
          opted_in: optedIn,
          decided_by: decision?.by ?? null,
          decided_at: decision?.at.toISOString() ?? null,
          evidence: decision?.evidence == null ? null : `${decision.evidence.kind} ${decision.evidence.id}`,
        };
      }),
    );
}

async function eraseAll(erasures: ContactErasureService, accountId: RecordId): Promise<CommandResult> {
  await erasures.eraseAll(accountId);
  return { account_id: accountId, status: 'erasing' };
}
