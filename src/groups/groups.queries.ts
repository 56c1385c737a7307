import { IsNull } from 'typeorm';
import { violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/sql/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { ContactGroup } from './contact-group.entity.js';
import { groupNameTaken } from './groups.errors.js';

/** A group with the number of its contacts. */
export interface GroupRow extends Readonly<Omit<ContactGroup, 'accountId' | 'deletedAt'>> {
  readonly contactCount: number;
}

/** A group as a caller creates it. */
export interface NewGroup {
  readonly name: string;
  readonly description: string | null;
  readonly tags: string[];
}

/** What a caller may change of a group; what is undefined stays. */
export type GroupChanges = { readonly [Field in keyof NewGroup]: NewGroup[Field] | undefined };

const COLUMNS = 'g.id, g.name, g.description, g.tags, g.created_at';

/** How many contacts are in group `g`. */
const CONTACT_COUNT = `(
       SELECT coalesce(sum(amount), 0)::integer FROM counter_amounts
       WHERE account_id = $1 AND counter = 'group.members' AND subject_id = g.id
     ) AS contact_count`;

/** Columns that a PATCH may set, in a fixed order so that like requests share one prepared statement. */
const CHANGEABLE = ['name', 'description', 'tags'] as const;

const NAME_KEY = 'contact_groups_name_key';

/** The group, or null when it is unknown, foreign or deleted. */
export function findGroup(accountId: string, id: RecordId, tx: Tx): Promise<GroupRow | null> {
  return tx.row<GroupRow>(
    `SELECT ${COLUMNS}, ${CONTACT_COUNT} FROM contact_groups g
     WHERE g.account_id = $1 AND g.id = $2 AND g.deleted_at IS NULL`,
    [accountId, id],
  );
}

/** The groups of the common table expression `page`, newest first, each beside the number of all in `counted`. */
const PAGE_OF_GROUPS = `members AS (
       SELECT subject_id, sum(amount)::integer AS contact_count FROM counter_amounts
       WHERE account_id = $1 AND counter = 'group.members' AND subject_id = ANY (ARRAY(SELECT id FROM page))
       GROUP BY subject_id
     )
     SELECT counted.found, ${COLUMNS}, coalesce(members.contact_count, 0) AS contact_count
     FROM counted
     LEFT JOIN contact_groups g ON g.account_id = $1 AND g.id = ANY (ARRAY(SELECT id FROM page))
     LEFT JOIN members ON members.subject_id = g.id
     ORDER BY g.created_at DESC, g.id DESC`;

const LIVE = 'SELECT id, created_at FROM contact_groups WHERE account_id = $1 AND deleted_at IS NULL';

/** One page of all groups, newest first; the total comes from the maintained counter. */
export async function listGroups(accountId: string, page: Page, tx: Tx): Promise<Paged<GroupRow>> {
  const rows = await tx.rows<Counted<GroupRow>>(
    `WITH counted AS (
       SELECT coalesce(sum(amount), 0)::integer AS found FROM counter_amounts
       WHERE account_id = $1 AND counter = 'groups' AND subject_id = $1
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd([LIVE], ['created_at', 'id'])}
     ), ${PAGE_OF_GROUPS}`,
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
       WHERE account_id = $1 AND deleted_at IS NULL AND lower(name) LIKE (SELECT folded FROM term)
     ), counted AS (
       SELECT count(*)::integer AS found FROM matched
     ), page AS MATERIALIZED (
       SELECT id, created_at FROM matched ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
     ), ${PAGE_OF_GROUPS}`,
    [accountId, page.limit, offsetOf(page), search],
  );
  return pagedRows(rows, 'id');
}

/** @throws DomainError `conflict` when a group of this name exists */
export async function insertGroup(accountId: string, group: NewGroup, tx: Tx): Promise<RecordId> {
  const id = newRecordId();
  await refusingTakenName(group.name, () => tx.manager.insert(ContactGroup, { accountId, id, ...group }));
  return id;
}

/**
 * Changes a group. A name that another group has is refused before anything is written: two groups that swap names would
 * deadlock in the constraint.
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
       WHERE g.account_id = $1 AND g.id = $2 AND g.deleted_at IS NULL ${name === undefined ? '' : NAME_IS_FREE}
       RETURNING ${COLUMNS}, ${CONTACT_COUNT}`,
      [accountId, id, ...set.map((field) => changes[field])],
    ),
  );
  if (changed !== null || name === undefined) return changed;
  if ((await findGroup(accountId, id, autocommit)) === null) return null;
  throw groupNameTaken(name);
}

/** The name is the first of the columns that can be set. */
const NAME_IS_FREE =
  'AND NOT EXISTS (SELECT FROM contact_groups o WHERE o.account_id = $1 AND o.name = $3 AND o.id <> $2 AND o.deleted_at IS NULL)';

async function refusingTakenName<T>(name: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (name !== undefined && violatedUniqueConstraint(error) === NAME_KEY) throw groupNameTaken(name);
    throw error;
  }
}

/** Hides a group at once, and frees its name; its members leave later. Whether there was one. */
export async function hideGroup(accountId: string, id: RecordId, tx: Tx): Promise<boolean> {
  const live = { accountId, id, deletedAt: IsNull() };
  const { affected } = await tx.manager.update(ContactGroup, live, { deletedAt: () => 'now()' });
  return affected === 1;
}
