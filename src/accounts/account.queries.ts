import { violatedForeignKey, violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { Account, type AccountStatus } from './account.entity.js';
import { emailTaken, noSuchOrganisation } from './account.errors.js';
import { Organisation } from './organisation.entity.js';
import { User } from './user.entity.js';

/** A new account with its owner and, if new, its organisation. */
export interface AccountInsert {
  readonly accountId: string;
  readonly name: string;
  readonly organisationId: string | null;
  readonly newOrganisation: boolean;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly ownerEmail: string;
}

/** Inserts an account and its owner. Needs a transaction, so that no account exists without its owner. */
export async function insertAccount(account: AccountInsert, tx: Tx): Promise<void> {
  const { accountId, name, organisationId, newOrganisation, ownerId, ownerName, ownerEmail } = account;
  try {
    if (newOrganisation && organisationId !== null) await tx.manager.insert(Organisation, { id: organisationId, name });
    await tx.manager.insert(User, {
      id: ownerId,
      organisationId,
      fullName: ownerName,
      email: ownerEmail,
      role: 'owner',
    });
    await tx.manager.insert(Account, { id: accountId, organisationId, ownerId, name });
  } catch (error) {
    if (violatedForeignKey(error) === 'users_organisation_fkey') throw noSuchOrganisation(String(organisationId));
    if (violatedUniqueConstraint(error) === 'users_organisation_email_key') throw emailTaken(ownerEmail);
    throw error;
  }
}

/** Every account, oldest first. Only for operators, who look across tenants. */
export function findAccounts(db: Database): Promise<Account[]> {
  return db.manager.find(Account, { order: { id: 'ASC' } });
}

export function findAccount(accountId: string, db: Database): Promise<Account | null> {
  return db.manager.findOneBy(Account, { id: accountId });
}

/** Returns whether the account exists, whatever its previous status. */
export async function updateAccountStatus(accountId: string, status: AccountStatus, tx: Tx): Promise<boolean> {
  const { affected } = await tx.manager.update(Account, { id: accountId }, { status });
  return affected === 1;
}

/** The account's status, or null when there is no such account. */
export async function findAccountStatus(accountId: string, db: Database): Promise<AccountStatus | null> {
  const account = await db.manager.findOne(Account, { select: { status: true }, where: { id: accountId } });
  return account?.status ?? null;
}

/** Up to `limit` account ids after `last`, in order. For operators' commands, which cover all accounts. */
export async function findAccountIds(last: string | null, limit: number, db: Database): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    'SELECT id FROM accounts WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2',
    [last, limit],
  );
  return rows.map(({ id }) => id);
}

/** Locks the account, so that one transaction at a time changes its phones or wallet. False when it does not exist. */
export async function lockAccount(accountId: string, tx: Tx): Promise<boolean> {
  return (await tx.row('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId])) !== null;
}
