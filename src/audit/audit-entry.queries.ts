import { And, type FindOperator, LessThan, MoreThanOrEqual } from 'typeorm';
import { lowestIdAt } from '../database/schema/partitions.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { AuditAction } from './audit-action.js';
import { AuditEntry } from './audit-entry.entity.js';

/** Which entries to list. Absent filters match everything. */
export interface AuditFilter {
  readonly action?: AuditAction;
  readonly subjectId?: string;
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

/** An entry to insert; the name of its key is read from the key. */
export type AuditInsert = Omit<AuditEntry, 'accountId' | 'apiKeyName'>;

/** Inserts an entry, unless the account is gone: its log is gone with it. */
export async function insertAuditEntry(accountId: string, entry: AuditInsert, tx: Tx): Promise<void> {
  const { id, actor, apiKeyId, action, subjectType, subjectId, changes, requestId, address } = entry;
  await tx.affected(
    `INSERT INTO audit_entries (account_id, id, actor, api_key_id, api_key_name, action, subject_type, subject_id,
                                changes, request_id, address)
     SELECT a.id, $2::uuid, $3, $4::uuid, (SELECT k.name FROM api_keys k WHERE k.account_id = $1 AND k.id = $4::uuid),
            $5, $6, $7::uuid, $8::jsonb, $9, $10
     FROM accounts a WHERE a.id = $1`,
    [accountId, id, actor, apiKeyId, action, subjectType, subjectId, JSON.stringify(changes), requestId, address],
  );
}

/** Accounts of an organisation, in the order of their ids. */
export async function findAccountsOfOrganisation(organisationId: string, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>('SELECT id FROM accounts WHERE organisation_id = $1 ORDER BY id', [
    organisationId,
  ]);
  return rows.map(({ id }) => id);
}

/** Newest first. Ids hold the time, so a range of times is a range of the primary key. */
export async function findAuditEntries(
  accountId: string,
  { action, subjectId, since, until }: AuditFilter,
  page: Page,
  tx: Tx,
): Promise<Paged<AuditEntry>> {
  const bounds: FindOperator<string>[] = [];
  if (since !== undefined) bounds.push(MoreThanOrEqual(lowestIdAt(since)));
  if (until !== undefined) bounds.push(LessThan(lowestIdAt(until)));
  const [rows, total] = await tx.manager.findAndCount(AuditEntry, {
    where: {
      accountId,
      ...(action !== undefined && { action }),
      ...(subjectId !== undefined && { subjectId }),
      ...(bounds.length > 0 && { id: And(...bounds) }),
    },
    order: { id: 'DESC' },
    skip: offsetOf(page),
    take: page.limit,
  });
  return { rows, total };
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
  tx: Tx,
): Promise<number> {
  return tx.affected(
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
