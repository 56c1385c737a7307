import { violatedForeignKey, violatedUniqueConstraint } from '../database/constraint-violation.js';
import type { Tx } from '../database/unit-of-work.js';
import { emailTaken, noSuchOrganisation } from './account.errors.js';

export type AccountStatus = 'active' | 'suspended';

/** An account to be inserted, with its owner and, where it is new, its organisation. */
export interface AccountInsert {
  readonly accountId: string;
  readonly name: string;
  readonly organisationId: string | null;
  readonly newOrganisation: boolean;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly ownerEmail: string;
}

/** One statement, so that no account is ever without owner or wallet. Foreign keys are checked at its end. */
export async function insertAccount(account: AccountInsert, tx: Tx): Promise<void> {
  const { accountId, name, organisationId, newOrganisation, ownerId, ownerName, ownerEmail } = account;
  try {
    await tx.affected(
      `WITH organisation AS (
         INSERT INTO organisations (id, name) SELECT $3::uuid, $2::text WHERE $4::boolean
       ), owner AS (
         INSERT INTO users (id, organisation_id, full_name, email, role) VALUES ($5, $3::uuid, $6, $7, 'owner')
       ), account AS (
         INSERT INTO accounts (id, organisation_id, owner_id, name) VALUES ($1::uuid, $3::uuid, $5, $2::text)
       )
       INSERT INTO wallets (account_id) VALUES ($1::uuid)`,
      [accountId, name, organisationId, newOrganisation, ownerId, ownerName, ownerEmail],
    );
  } catch (error) {
    const reference = violatedForeignKey(error);
    if (reference === 'users_organisation_fkey' || reference === 'accounts_organisation_fkey') {
      throw noSuchOrganisation(String(organisationId));
    }
    if (violatedUniqueConstraint(error) === 'users_organisation_email_key') throw emailTaken(ownerEmail);
    throw error;
  }
}

/** Answers how many accounts were found, whatever their status was. */
export function updateAccountStatus(accountId: string, status: AccountStatus, tx: Tx): Promise<number> {
  return tx.affected('UPDATE accounts SET status = $2 WHERE id = $1', [accountId, status]);
}

/** Locks the account's row, so that changes to its phones come one after the other; answers whether it exists. */
export async function lockAccount(accountId: string, tx: Tx): Promise<boolean> {
  return (await tx.row('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId])) !== null;
}
