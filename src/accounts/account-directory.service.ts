import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import type { Account, AccountStatus } from './account.entity.js';
import { noSuchAccount } from './account.errors.js';
import { findAccount, findAccountStatus, findAccounts, insertAccount, updateAccountStatus } from './account.queries.js';
import { findBusinessPhones, type ListedPhone } from './business-phone.queries.js';

export interface NewAccount {
  readonly name: string;
  /** An existing organisation; null for none. By default the account gets a new organisation with its own name. */
  readonly organisationId?: RecordId | null;
  /** By default named like the account, with an undeliverable address. */
  readonly owner?: { readonly fullName?: string | undefined; readonly email?: string | undefined };
}

export interface CreatedAccount {
  readonly accountId: RecordId;
  readonly organisationId: RecordId | null;
  /** The owner. API calls act as this user. */
  readonly userId: RecordId;
}

/** Creates, suspends and reactivates accounts, the tenants of the service. Accounts are never deleted. */
@Injectable()
export class AccountDirectoryService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Creates an account with its owner and an empty wallet.
   *
   * @param tx the transaction to join; by default a new one
   * @throws DomainError `not_found` when the organisation does not exist
   */
  create(account: NewAccount, tx?: Tx): Promise<CreatedAccount> {
    return tx === undefined
      ? this.unitOfWork.transaction((own) => this.createWithin(account, own))
      : this.createWithin(account, tx);
  }

  /** Makes the account read-only. Idempotent. */
  suspend(accountId: RecordId, tx: Tx = this.unitOfWork.autocommit): Promise<void> {
    return this.setStatus(accountId, 'suspended', tx);
  }

  activate(accountId: RecordId, tx: Tx = this.unitOfWork.autocommit): Promise<void> {
    return this.setStatus(accountId, 'active', tx);
  }

  /**
   * Lists the account's business phones, primary first.
   *
   * @throws DomainError `not_found` for an unknown account
   */
  async phonesOf(accountId: RecordId): Promise<ListedPhone[]> {
    const { autocommit } = this.unitOfWork;
    await this.requireExisting(accountId);
    return findBusinessPhones(accountId, autocommit);
  }

  /** The business phones of every account; for operators. */
  async phonesOfAll(): Promise<ListedPhone[]> {
    const found: ListedPhone[] = [];
    for (const { id } of await this.list()) found.push(...(await this.phonesOf(id)));
    return found;
  }

  /** @throws DomainError `not_found` for an unknown account */
  async requireExisting(accountId: RecordId): Promise<void> {
    if ((await findAccountStatus(accountId, this.unitOfWork.autocommit)) === null) throw noSuchAccount(accountId);
  }

  /** @throws DomainError `not_found` for an unknown account */
  async find(accountId: RecordId): Promise<Account> {
    const account = await findAccount(accountId, this.unitOfWork.autocommit);
    if (account === null) throw noSuchAccount(accountId);
    return account;
  }

  /** Every account, oldest first; for operators. */
  list(): Promise<Account[]> {
    return findAccounts(this.unitOfWork.autocommit);
  }

  private async createWithin(account: NewAccount, tx: Tx): Promise<CreatedAccount> {
    const [accountId, ownerId] = [newRecordId(), newRecordId()];
    const newOrganisation = account.organisationId === undefined;
    const organisationId = account.organisationId === undefined ? newRecordId() : account.organisationId;
    const { fullName = account.name, email = `owner-${accountId}@parley.invalid` } = account.owner ?? {};
    await insertAccount(
      {
        accountId,
        name: account.name,
        organisationId,
        newOrganisation,
        ownerId,
        ownerName: fullName,
        ownerEmail: email,
      },
      tx,
    );
    return { accountId, organisationId, userId: ownerId };
  }

  private async setStatus(accountId: RecordId, status: AccountStatus, tx: Tx): Promise<void> {
    const found = await updateAccountStatus(accountId, status, tx);
    if (!found) throw noSuchAccount(accountId);
  }
}
