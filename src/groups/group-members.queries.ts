import type { ContactRow } from '../contacts/contacts.queries.js';
import { type Counted, pagedRows, pageFromNearerEnd } from '../database/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';

// Locks are taken contacts first (by phone number), then groups (by id), then members: by everyone, so that nobody
// waits in a circle.

/**
 * Of `contactIds`, those that are contacts of the account now; they stay so until the transaction ends, since deleting
 * one waits for this lock.
 */
export async function holdContacts(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<RecordId[]> {
  const rows = await tx.rows<{ id: RecordId }>(
    `SELECT id FROM contacts
     WHERE account_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
     ORDER BY phone_number
     FOR SHARE`,
    [accountId, contactIds],
  );
  return rows.map(({ id }) => id);
}

/** Holds a group until the transaction ends; whether there is one. */
export async function holdGroup(accountId: string, id: RecordId, tx: Tx): Promise<boolean> {
  const row = await tx.row('SELECT id FROM contact_groups WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE', [
    accountId,
    id,
  ]);
  return row !== null;
}

/** Of `groupIds`, those that are groups of the account. */
export async function knownGroups(accountId: string, groupIds: readonly RecordId[], tx: Tx): Promise<RecordId[]> {
  const rows = await tx.rows<{ id: RecordId }>(
    'SELECT id FROM contact_groups WHERE account_id = $1 AND id = ANY($2::uuid[])',
    [accountId, groupIds],
  );
  return rows.map(({ id }) => id);
}

/** Puts held contacts into a held group; those that are in it stay as they are (SPEC §18). */
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

/** Takes contacts out of a held group; those that are not in it are passed over (SPEC §19). */
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

/**
 * One page of a group's contacts, those added last first, or null when the group is unknown or foreign. OFFSET 0: as in
 * lists of contacts.
 */
export async function listMembers(
  accountId: string,
  groupId: RecordId,
  page: Page,
  tx: Tx,
): Promise<Paged<ContactRow> | null> {
  const members = 'SELECT contact_id, added_at FROM group_members WHERE account_id = $1 AND group_id = $4';
  const rows = await tx.rows<Counted<ContactRow>>(
    `WITH counted AS (
       SELECT contact_count AS found FROM contact_groups WHERE account_id = $1 AND id = $4
     ), page AS MATERIALIZED (
       ${pageFromNearerEnd([members], ['added_at', 'contact_id'])}
     )
     SELECT counted.found, c.id, c.first_name, c.last_name, c.phone_number, c.email, c.company, c.tags, c.opted_in,
            c.source, c.created_at
     FROM counted LEFT JOIN (
       page CROSS JOIN LATERAL (
         SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = page.contact_id OFFSET 0
       ) c
     ) ON true
     ORDER BY page.added_at DESC, page.contact_id DESC`,
    [accountId, page.limit, offsetOf(page), groupId],
  );
  return rows.length === 0 ? null : pagedRows(rows, 'id');
}

/** A contact as the recipient of a campaign. */
export type GroupMember = Pick<ContactRow, 'id' | 'phone_number' | 'first_name' | 'last_name' | 'opted_in'>;

/**
 * Everybody who is in any of the groups, once each (D31). At most `most` of them: more than that is for refusing. Each is
 * looked up by itself, or the planner, which does not know how large the groups are, might read the whole account.
 */
export function membersOfGroups(
  accountId: string,
  groupIds: readonly RecordId[],
  most: number,
  tx: Tx,
): Promise<GroupMember[]> {
  return tx.rows<GroupMember>(
    `WITH member AS MATERIALIZED (
       SELECT DISTINCT contact_id FROM group_members WHERE account_id = $1 AND group_id = ANY($2::uuid[])
     )
     SELECT c.id, c.phone_number, c.first_name, c.last_name, c.opted_in
     FROM member CROSS JOIN LATERAL (
       SELECT * FROM contacts r WHERE r.account_id = $1 AND r.id = member.contact_id AND r.deleted_at IS NULL OFFSET 0
     ) c
     ORDER BY member.contact_id
     LIMIT $3`,
    [accountId, groupIds, most],
  );
}
