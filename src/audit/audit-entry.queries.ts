import { lowestIdAt } from '../database/schema/partitions.js';
import { NEWEST_ID_FIRST } from '../database/sql/list-order.js';
import { cappedTotal, countUpToMax, cutRows, type Positioned } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import type { AuditAction } from './audit-action.js';
import type { AuditEntry } from './audit-entry.entity.js';

/** Which entries to list. Absent filters match everything. */
export interface AuditFilter {
  readonly action?: AuditAction;
  readonly subjectId?: string;
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

/** An entry to insert; the names of its key and user are read from these. */
export type AuditInsert = Omit<AuditEntry, 'accountId' | 'apiKeyName' | 'userName'>;

/** Inserts an entry, unless the account is gone: its log is gone with it. */
export async function insertAuditEntry(accountId: string, entry: AuditInsert, tx: Tx): Promise<void> {
  const { id, actor, apiKeyId, userId, action, subjectType, subjectId, changes, requestId, address } = entry;
  await tx.affected(
    `INSERT INTO audit_entries (account_id, id, actor, api_key_id, api_key_name, action, subject_type, subject_id,
                                changes, request_id, address, user_id, user_name)
     SELECT a.id, $2::uuid, $3, $4::uuid, (SELECT k.name FROM api_keys k WHERE k.account_id = $1 AND k.id = $4::uuid),
            $5, $6, $7::uuid, $8::jsonb, $9, $10, $11::uuid, (SELECT u.full_name FROM users u WHERE u.id = $11::uuid)
     FROM accounts a WHERE a.id = $1`,
    [
      ...[accountId, id, actor, apiKeyId, action, subjectType, subjectId, JSON.stringify(changes), requestId, address],
      userId,
    ],
  );
}

/** Accounts of an organisation, in the order of their ids. */
export async function findAccountsOfOrganisation(organisationId: string, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>('SELECT id FROM accounts WHERE organisation_id = $1 ORDER BY id', [
    organisationId,
  ]);
  return rows.map(({ id }) => id);
}

/** Accounts without an organisation that a user owns, in the order of their ids. */
export async function findAccountsOfOwner(userId: string, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    'SELECT id FROM accounts WHERE owner_id = $1 AND organisation_id IS NULL ORDER BY id',
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** Newest first. Ids hold the time, so a range of times is a range of the primary key. */
export async function findAuditEntries(
  accountId: string,
  { action, subjectId, since, until }: AuditFilter,
  page: Page,
  db: Database,
): Promise<Paged<AuditEntry>> {
  const parameters: unknown[] = [accountId];
  const conditions = ['account_id = $1'];
  const add = (condition: (place: string) => string, value: string | undefined): void => {
    if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`));
  };
  add((place) => `action = ${place}`, action);
  add((place) => `subject_id = ${place}`, subjectId);
  add((place) => `id >= ${place}`, since && lowestIdAt(since));
  add((place) => `id < ${place}`, until && lowestIdAt(until));
  const matching = `FROM audit_entries WHERE ${conditions.join(' AND ')}`;
  const cut = NEWEST_ID_FIRST.pageOf(page, `$${parameters.length + 1}`, `$${parameters.length + 2}`);
  const count = await db.row<{ found: number }>(countUpToMax(matching), parameters);
  const rows = await db.rows<Positioned<AuditEntry>>(`SELECT *, ${NEWEST_ID_FIRST.position()} ${matching} ${cut}`, [
    ...parameters,
    ...NEWEST_ID_FIRST.parameters(page),
  ]);
  return { ...cutRows(rows, page), ...cappedTotal(count?.found ?? 0) };
}

/**
 * Deletes entries of these accounts with ids below `before`, the oldest of each account first.
 *
 * @returns how many were deleted, at most `limit`
 */
export function deleteAuditEntries(
  accountIds: readonly string[],
  before: string,
  limit: number,
  db: Database,
): Promise<number> {
  return db.affected(
    `DELETE FROM audit_entries WHERE (account_id, id) IN (
       SELECT expired.account_id, expired.id
       FROM unnest($1::uuid[]) AS a (account_id)
       CROSS JOIN LATERAL (
         SELECT e.account_id, e.id FROM audit_entries e
         WHERE e.account_id = a.account_id AND e.id < $2 ORDER BY e.id LIMIT $3
       ) expired
       LIMIT $3)`,
    [accountIds, before, limit],
  );
}
