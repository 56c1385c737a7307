import type { Contact } from '../contacts/contact.entity.js';
import { CONTACT_COLUMNS, type ContactRow } from '../contacts/contacts.queries.js';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/sql/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';

// To avoid deadlocks, locks are taken in one order everywhere: contacts by phone number, groups by id, members.

/** Locks contacts, so that deleting one waits for the transaction. @returns the ids that are contacts of the account */
export async function lockContacts(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<RecordId[]> {
  const rows = await tx.rows<{ id: RecordId }>(
    `SELECT id FROM contacts
     WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
     ORDER BY phone_number, id
     FOR SHARE`,
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

/** Returns those of `groupIds` that are groups of the account. */
export async function knownGroups(accountId: string, groupIds: readonly RecordId[], tx: Tx): Promise<RecordId[]> {
  const rows = await tx.rows<{ id: RecordId }>(
    'SELECT id FROM contact_groups WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL',
    [accountId, groupIds],
  );
  return rows.map(({ id }) => id);
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

/** Returns one page of a group's contacts, last added first; null when the group is unknown or in another account. */
export async function listMembers(
  accountId: string,
  groupId: RecordId,
  page: Page,
  tx: Tx,
): Promise<Paged<ContactRow> | null> {
  const members = 'SELECT contact_id, added_at FROM group_members WHERE account_id = $1 AND group_id = $4';
  const rows = await tx.rows<Counted<ContactRow>>(
    `WITH counted AS (
       SELECT (
         SELECT coalesce(sum(amount), 0)::integer FROM counter_amounts
         WHERE account_id = $1 AND counter = 'group.members' AND subject_id = $4
       ) AS found
       FROM contact_groups WHERE account_id = $1 AND id = $4 AND deleted_at IS NULL
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd([members], ['added_at', 'contact_id'])}
     )
     SELECT counted.found, ${CONTACT_COLUMNS}
     FROM counted LEFT JOIN (
       contacts c JOIN page ON page.contact_id = c.id
     ) ON c.account_id = $1 AND c.id = ANY (ARRAY(SELECT contact_id FROM page))
     ORDER BY page.added_at DESC, page.contact_id DESC`,
    [accountId, page.limit, offsetOf(page), groupId],
  );
  return rows.length === 0 ? null : pagedRows(rows, 'id');
}

/** A contact as the recipient of a campaign. */
export type GroupContact = Readonly<Pick<Contact, 'id' | 'phoneNumber' | 'userId'>>;

/**
 * Returns the distinct contacts in any of the groups, up to `limit`. A group that is being deleted contributes all of
 * its members or none.
 */
export function membersOfGroups(
  accountId: string,
  groupIds: readonly RecordId[],
  limit: number,
  tx: Tx,
): Promise<GroupContact[]> {
  return tx.rows<GroupContact>(
    `SELECT id, phone_number, user_id FROM contacts
     WHERE account_id = $1 AND deleted_at IS NULL
       AND id = ANY (ARRAY(
         SELECT m.contact_id FROM group_members m
         JOIN contact_groups g ON g.account_id = m.account_id AND g.id = m.group_id AND g.deleted_at IS NULL
         WHERE m.account_id = $1 AND m.group_id = ANY($2::uuid[])
       ))
     ORDER BY id
     LIMIT $3`,
    [accountId, groupIds, limit],
  );
}
