import { CONTACT_COLUMNS } from '../contacts/contacts.queries.js';
import { ListOrder } from '../database/sql/list-order.js';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { Contact } from '../people/contact.entity.js';
import type { ContactRow } from '../people/contact-columns.js';
import { NUMBER_ORDER } from '../people/person-keys.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';

// To avoid deadlocks, locks are taken in one order everywhere: contacts by the key of their number, groups by id, members.

/** Locks contacts, so that deleting one waits for the transaction. @returns the ids that are contacts of the account */
export async function lockForMembership(
  accountId: string,
  contactIds: readonly RecordId[],
  tx: Tx,
): Promise<RecordId[]> {
  const rows = await tx.rows<{ id: RecordId }>(
    `SELECT id FROM contacts
     WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
     ORDER BY ${NUMBER_ORDER}
     FOR SHARE`,
    [accountId, contactIds],
  );
  return rows.map(({ id }) => id);
}

/** Those of `contactIds` that are deleted contacts of the account; deletion has taken them out of all groups. */
export async function deletedAmong(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<RecordId[]> {
  const rows = await tx.rows<{ id: RecordId }>(
    'SELECT id FROM contacts WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NOT NULL',
    [accountId, contactIds],
  );
  return rows.map(({ id }) => id);
}

/** Locks a group against deletion and changes to its members. @returns whether it exists */
export async function lockGroup(accountId: string, id: RecordId, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    'SELECT id FROM contact_groups WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE',
    [accountId, id],
  );
  return row !== null;
}

/** The names of those of `groupIds` that are groups of the account, by id. */
export async function namesOfGroups(
  accountId: string,
  groupIds: readonly RecordId[],
  db: Database,
): Promise<ReadonlyMap<RecordId, string>> {
  const rows = await db.rows<{ id: RecordId; name: string }>(
    'SELECT id, name FROM contact_groups WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL',
    [accountId, groupIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Adds locked contacts to a locked group; existing members stay unchanged. */
export function addMembers(
  accountId: string,
  groupId: RecordId,
  contactIds: readonly RecordId[],
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `INSERT INTO group_members (account_id, group_id, contact_id)
     SELECT $1, $2, id FROM unnest($3::uuid[]) AS member (id) ORDER BY id
     ON CONFLICT ON CONSTRAINT group_members_pkey DO NOTHING`,
    [accountId, groupId, contactIds],
  );
}

/** Removes contacts from a locked group and ignores those that are not in it. */
export function removeMembers(
  accountId: string,
  groupId: RecordId,
  contactIds: readonly RecordId[],
  tx: Tx,
): Promise<number> {
  return tx.affected(
    'DELETE FROM group_members WHERE account_id = $1 AND group_id = $2 AND contact_id = ANY($3::uuid[])',
    [accountId, groupId, contactIds],
  );
}

/** Last added first. */
const ORDER = new ListOrder({ added_at: 'time', contact_id: 'id' });

/** Returns one page of a group's contacts, last added first; null when the group is unknown or in another account. */
export async function listMembers(
  accountId: string,
  groupId: RecordId,
  page: Page,
  db: Database,
): Promise<Paged<ContactRow> | null> {
  const members = 'SELECT contact_id, added_at FROM group_members WHERE account_id = $1 AND group_id = $4';
  const rows = await db.rows<Counted<ContactRow>>(
    `WITH counted AS (
       SELECT (
         SELECT coalesce(sum(amount), 0)::integer FROM counter_amounts
         WHERE account_id = $1 AND counter = 'group.members' AND subject_id = $4
       ) AS found
       FROM contact_groups WHERE account_id = $1 AND id = $4 AND deleted_at IS NULL
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd([members], ORDER, page)}
     )
     SELECT counted.found, ${CONTACT_COLUMNS}, ${ORDER.position('page')}
     FROM counted LEFT JOIN (
       contacts c JOIN page ON page.contact_id = c.id
     ) ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT contact_id FROM page))
     ${ORDER.by('page')}`,
    [accountId, ...ORDER.parameters(page), groupId],
  );
  return rows.length === 0 ? null : pagedRows(rows, 'id', page);
}

/** A contact as the recipient of a campaign. */
export type GroupContact = Readonly<Pick<Contact, 'id' | 'phoneNumber' | 'userId'>>;

/** The members of some groups. */
export interface GroupRecipients {
  readonly members: readonly GroupContact[];
  /** The names of the groups, in the order in which they were given. */
  readonly names: readonly string[];
}

/**
 * Returns the distinct contacts in any of the groups, up to `limit`. A group that is being deleted contributes all of
 * its members or none. `OFFSET 0` makes the planner look up each member by its key: where its statistics are older than the
 * account, it would compare all contacts of the account with all members.
 */
export function membersOfGroups(
  accountId: string,
  groupIds: readonly RecordId[],
  limit: number,
  db: Database,
): Promise<GroupContact[]> {
  return db.rows<GroupContact>(
    `SELECT c.id, c.phone_number, c.user_id
     FROM (
       SELECT DISTINCT m.contact_id FROM group_members m
       JOIN contact_groups g ON g.account_id = m.account_id AND g.id = m.group_id AND g.deleted_at IS NULL
       WHERE m.account_id = $1 AND m.group_id = ANY($2::uuid[])
     ) member
     CROSS JOIN LATERAL (
       SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = member.contact_id AND r.deleted_at IS NULL OFFSET 0
     ) c
     ORDER BY member.contact_id
     LIMIT $3`,
    [accountId, groupIds, limit],
  );
}
