import { IsNull } from 'typeorm';
import { violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import { NEWEST_FIRST } from '../database/sql/list-order.js';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { survivorOfId } from '../people/merged-contact.queries.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { ContactGroup } from './contact-group.entity.js';
import { groupNameTaken } from './groups.errors.js';

/** A group with its number of contacts. */
export interface GroupRow extends Readonly<Omit<ContactGroup, 'accountId' | 'deletedAt'>> {
  readonly contactCount: number;
}

/** A group as a caller creates it. */
export interface NewGroup {
  readonly name: string;
  readonly description: string | null;
  readonly tags: string[];
}

/** The fields a caller may change; undefined fields stay as they are. */
export type GroupChanges = { readonly [Field in keyof NewGroup]: NewGroup[Field] | undefined };

const COLUMNS = 'g.id, g.name, g.description, g.tags, g.created_at';

/** The number of contacts in group `g`. */
const CONTACT_COUNT = `(
       SELECT coalesce(sum(amount), 0)::integer FROM counter_amounts
       WHERE account_id = $1 AND counter = 'group.members' AND subject_id = g.id
     ) AS contact_count`;

/** Columns that a PATCH may set, in a fixed order so that similar requests share one prepared statement. */
const CHANGEABLE = ['name', 'description', 'tags'] as const;

const NAME_KEY = 'contact_groups_name_key';

/** Returns null when the group is unknown, deleted or in another account. */
export function findGroup(accountId: string, id: RecordId, db: Database): Promise<GroupRow | null> {
  return db.row<GroupRow>(
    `SELECT ${COLUMNS}, ${CONTACT_COUNT} FROM contact_groups g
     WHERE g.account_id = $1 AND g.id = $2 AND g.deleted_at IS NULL`,
    [accountId, id],
  );
}

/** Selects the groups of the CTE `page`, newest first, each with the total from the CTE `counted`. */
const PAGE_OF_GROUPS = `members AS (
       SELECT subject_id, sum(amount)::integer AS contact_count FROM counter_amounts
       WHERE account_id = $1 AND counter = 'group.members' AND subject_id = ANY (ARRAY(SELECT id FROM page))
       GROUP BY subject_id
     )
     SELECT counted.found, ${COLUMNS}, coalesce(members.contact_count, 0) AS contact_count, ${NEWEST_FIRST.position('g')}
     FROM counted
     LEFT JOIN contact_groups g ON g.account_id = $1 AND g.id = ANY (ARRAY(SELECT id FROM page))
     LEFT JOIN members ON members.subject_id = g.id
     ${NEWEST_FIRST.by('g')}`;

const LIVE = 'SELECT id, created_at FROM contact_groups WHERE account_id = $1 AND deleted_at IS NULL';

/** Returns one page of groups, newest first. The total comes from a maintained counter. */
export async function listGroups(accountId: string, page: Page, db: Database): Promise<Paged<GroupRow>> {
  const rows = await db.rows<Counted<GroupRow>>(
    `WITH counted AS (
       SELECT coalesce(sum(amount), 0)::integer AS found FROM counter_amounts
       WHERE account_id = $1 AND counter = 'groups' AND subject_id = $1
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd([LIVE], NEWEST_FIRST, page)}
     ), ${PAGE_OF_GROUPS}`,
    [accountId, ...NEWEST_FIRST.parameters(page)],
  );
  return pagedRows(rows, 'id', page);
}

/**
 * Returns one page of the groups whose name contains `search`, if wanted those of one contact, newest first, with the
 * total. Case, accents and the number of blanks make no difference. An account has at most thousands of groups, so all
 * names are scanned; a trigram index would not pay off.
 */
export async function searchGroups(
  accountId: string,
  search: string,
  contactId: RecordId | null,
  page: Page,
  db: Database,
): Promise<Paged<GroupRow>> {
  const isMember = `EXISTS (
         SELECT FROM group_members m WHERE m.account_id = $1 AND m.group_id = g.id AND m.contact_id = ${survivorOfId('$5')}
       )`;
  const rows = await db.rows<Counted<GroupRow>>(
    `WITH matched AS MATERIALIZED (
       SELECT id, created_at FROM contact_groups g
       WHERE account_id = $1 AND deleted_at IS NULL AND search_text(name) LIKE (SELECT search_pattern($4))
         ${contactId === null ? '' : `AND ${isMember}`}
     ), counted AS (
       SELECT count(*)::integer AS found FROM matched
     ), page AS MATERIALIZED (
       SELECT id, created_at FROM matched WHERE true ${NEWEST_FIRST.pageOf(page, '$2', '$3')}
     ), ${PAGE_OF_GROUPS}`,
    [accountId, ...NEWEST_FIRST.parameters(page), search, ...(contactId === null ? [] : [contactId])],
  );
  return pagedRows(rows, 'id', page);
}

/** Inserts a group. @throws DomainError `conflict` when a group with this name exists */
export async function insertGroup(accountId: string, group: NewGroup, tx: Tx): Promise<RecordId> {
  const id = newRecordId();
  await mapTakenName(group.name, () => tx.manager.insert(ContactGroup, { accountId, id, ...group }));
  return id;
}

/**
 * Changes a group. A taken name is rejected before anything is written: otherwise two groups swapping names would
 * deadlock in the constraint.
 *
 * @returns null when the group is unknown or in another account
 * @throws DomainError `conflict` when another group has the new name
 */
export async function changeGroup(
  accountId: string,
  id: RecordId,
  changes: GroupChanges,
  autocommit: Database,
): Promise<GroupRow | null> {
  const { name } = changes;
  const set = CHANGEABLE.filter((field) => changes[field] !== undefined);
  if (set.length === 0) return findGroup(accountId, id, autocommit);
  const changed = await mapTakenName(name, () =>
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

/** The name is the first settable column, so its parameter is always $3. */
const NAME_IS_FREE =
  'AND NOT EXISTS (SELECT FROM contact_groups o WHERE o.account_id = $1 AND o.name = $3 AND o.id <> $2 AND o.deleted_at IS NULL)';

async function mapTakenName<T>(name: string | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (name !== undefined && violatedUniqueConstraint(error) === NAME_KEY) throw groupNameTaken(name);
    throw error;
  }
}

/**
 * Hides a group immediately and frees its name; its members are removed later.
 *
 * @returns whether there was such a group
 */
export async function hideGroup(accountId: string, id: RecordId, db: Database): Promise<boolean> {
  const live = { accountId, id, deletedAt: IsNull() };
  const { affected } = await db.manager.update(ContactGroup, live, { deletedAt: () => 'now()' });
  return affected === 1;
}
