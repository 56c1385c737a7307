import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { noSuchAccount } from './account.errors.js';
import { type AccountStatus, insertAccount, updateAccountStatus } from './account.queries.js';

export interface NewAccount {
  readonly name: string;
  /** Of an existing organisation, null for none; when absent the account gets a new organisation of its own name. */
  readonly organisationId?: RecordId | null;
  /** Default: named like the account, with an address that nobody can have. */
  readonly owner?: { readonly fullName: string; readonly email: string };
}

export interface CreatedAccount {
  readonly accountId: RecordId;
  readonly organisationId: RecordId | null;
  /** The owner, who acts when the API is called (D76, D84). */
  readonly userId: RecordId;
}

/** Opens, suspends and reactivates accounts, the tenants of the service. Nothing here deletes one. */
@Injectable()
export class AccountDirectory {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Makes an account with its owner and an empty wallet, in one statement.
   *
   * @throws DomainError `not_found` when the organisation does not exist
   */
  async create(account: NewAccount, tx: Tx = this.unitOfWork.autocommit): Promise<CreatedAccount> {
    const [accountId, ownerId] = [newRecordId(), newRecordId()];
    const newOrganisation = account.organisationId === undefined;
    const organisationId = account.organisationId === undefined ? newRecordId() : account.organisationId;
    const owner = account.owner ?? { fullName: account.name, email: `owner-${accountId}@parley.invalid` };
    await insertAccount(
      {
        accountId,
        name: account.name,
        organisationId,
        newOrganisation,
        ownerId,
        ownerName: owner.fullName,
        ownerEmail: owner.email,
      },
      tx,
    );
    return { accountId, organisationId, userId: ownerId };
  }

  /** The account can only read from now on (D48); suspending it again changes nothing. */
  suspend(accountId: RecordId): Promise<void> {
    return this.become(accountId, 'suspended');
  }

  activate(accountId: RecordId): Promise<void> {
    return this.become(accountId, 'active');
  }

  private async become(accountId: RecordId, status: AccountStatus): Promise<void> {
    const found = await updateAccountStatus(accountId, status, this.unitOfWork.autocommit);
    if (found === 0) throw noSuchAccount(accountId);
  }
}
