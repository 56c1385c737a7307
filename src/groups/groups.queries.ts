import { violatedUniqueConstraint } from '../database/constraint-violation.js';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { groupNameTaken } from './groups.errors.js';

/** A named set of contacts. */
export interface GroupRow {
  readonly id: RecordId;
  readonly name: string;
  readonly description: string | null;
  readonly tags: string[];
  /** Kept by triggers of `group_members`, whoever adds or removes members. */
  readonly contact_count: number;
  readonly created_at: Date;
}

/** What a caller says about a group when creating it. */
export interface NewGroup {
  readonly name: string;
  readonly description: string | null;
  readonly tags: string[];
}

/** What a caller may change of a group; what is undefined stays. */
export type GroupChanges = { readonly [Field in keyof NewGroup]: NewGroup[Field] | undefined };

const COLUMNS = 'g.id, g.name, g.description, g.tags, g.contact_count, g.created_at';

/** Columns that a PATCH may set, in a fixed order so that like requests share one prepared statement. */
const CHANGEABLE = ['name', 'description', 'tags'] as const;

const NAME_KEY = 'contact_groups_name_key';

/** The group, or null when it is unknown or foreign. */
export function findGroup(accountId: string, id: RecordId, tx: Tx): Promise<GroupRow | null> {
  return tx.row<GroupRow>(`SELECT ${COLUMNS} FROM contact_groups g WHERE g.account_id = $1 AND g.id = $2`, [
    accountId,
    id,
  ]);
}

/** OFFSET 0: as in lists of contacts. */
const PAGE_OF_GROUPS = `SELECT counted.found, ${COLUMNS}
     FROM counted LEFT JOIN (
       page CROSS JOIN LATERAL (SELECT * FROM contact_groups r WHERE r.account_id = $1 AND r.id = page.id OFFSET 0) g
     ) ON true
     ORDER BY page.created_at DESC, page.id DESC`;

/** One page of all groups, newest first; the total is the sum of maintained counts. */
export async function listGroups(accountId: string, page: Page, tx: Tx): Promise<Paged<GroupRow>> {
  const rows = await tx.rows<Counted<GroupRow>>(
    `WITH counted AS (
       SELECT coalesce(sum(n.amount), 0)::integer AS found FROM contact_group_counts n WHERE n.account_id = $1
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd(['SELECT id, created_at FROM contact_groups WHERE account_id = $1'], ['created_at', 'id'])}
     )
     ${PAGE_OF_GROUPS}`,
    [accountId, page.limit, offsetOf(page)],
  );
  return pagedRows(rows, 'id');
}

/**
 * One page of the groups whose name contains `search`, newest first, with the number of all of them. An account has
 * thousands of groups at most, so its names are read rather than indexed by trigram.
 */
export async function searchGroups(accountId: string, search: string, page: Page, tx: Tx): Promise<Paged<GroupRow>> {
  const rows = await tx.rows<Counted<GroupRow>>(
    `WITH term AS MATERIALIZED (
       SELECT substring_pattern(lower($4)) AS folded
     ), matched AS MATERIALIZED (
       SELECT id, created_at FROM contact_groups
       WHERE account_id = $1 AND lower(name) LIKE (SELECT folded FROM term)
     ), counted AS (
       SELECT count(*)::integer AS found FROM matched
     ), page AS MATERIALIZED (
       SELECT id, created_at FROM matched ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
     )
     ${PAGE_OF_GROUPS}`,
    [accountId, page.limit, offsetOf(page), search],
  );
  return pagedRows(rows, 'id');
}

/** @throws DomainError `conflict` when a group of this name exists */
export async function insertGroup(accountId: string, group: NewGroup, tx: Tx): Promise<RecordId> {
  const id = newRecordId();
  await refusingTakenName(group.name, () =>
    tx.affected('INSERT INTO contact_groups (account_id, id, name, description, tags) VALUES ($1, $2, $3, $4, $5)', [
      accountId,
      id,
      group.name,
      group.description,
      group.tags,
    ]),
  );
  return id;
}

/**
 * Changes a group. A name that another group has is refused before anything is written: two groups that change names would
 * wait for one another in the constraint.
 *
 * @returns null when it is unknown or foreign
 * @throws DomainError `conflict` when another group has the new name
 */
export async function changeGroup(
  accountId: string,
  id: RecordId,
  changes: GroupChanges,
  autocommit: Tx,
): Promise<GroupRow | null> {
  const { name } = changes;
  const set = CHANGEABLE.filter((field) => changes[field] !== undefined);
  if (set.length === 0) return findGroup(accountId, id, autocommit);
  const changed = await refusingTakenName(name, () =>
    autocommit.row<GroupRow>(
      `UPDATE contact_groups g SET ${set.map((column, index) => `${column} = $${index + 3}`).join(', ')}
       WHERE g.account_id = $1 AND g.id = $2 ${name === undefined ? '' : NAME_IS_FREE}
       RETURNING ${COLUMNS}`,
      [accountId, id, ...set.map((field) => changes[field])],
    ),
  );
  if (changed !== null || name === undefined) return changed;
  if ((await findGroup(accountId, id, autocommit)) === null) return null;
  throw groupNameTaken(name);
}

/** The name is the first of the columns that can be set. */
const NAME_IS_FREE =
  'AND NOT EXISTS (SELECT FROM contact_groups o WHERE o.account_id = $1 AND o.name = $3 AND o.id <> $2)';

async function refusingTakenName<T>(name: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (name !== undefined && violatedUniqueConstraint(error) === NAME_KEY) throw groupNameTaken(name);
    throw error;
  }
}

/** Deletes a group and its memberships, never the contacts; whether there was one (SPEC §17). */
export async function deleteGroup(accountId: string, id: RecordId, tx: Tx): Promise<boolean> {
  return (await tx.affected('DELETE FROM contact_groups WHERE account_id = $1 AND id = $2', [accountId, id])) === 1;
}
