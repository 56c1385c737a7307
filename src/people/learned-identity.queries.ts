import { identityHashesOf } from '../consent/identity-hashes.service.js';
import type { Database } from '../database/unit-of-work.js';
import type { LearnedIdentity } from './learned-identity.js';

/**
 * Stores the common case: another spelling of the contact's number, and the user id of a contact that has none, unless
 * another contact has it or its person opted out before they were a contact. Locked contacts are skipped, because
 * answers and reports of all accounts share a batch and must not wait for one account's import. Pipeline statement: each
 * row names its tenant.
 *
 * @param learned one entry a contact
 * @returns the contacts that need nothing more; a skipped one does if a number was learned, since only the next report
 * repeats a user id
 */
export function saveUsualIdentities(
  learned: readonly LearnedIdentity[],
  db: Database,
): Promise<Pick<LearnedIdentity, 'accountId' | 'contactId'>[]> {
  const hashes = identityHashesOf(db);
  return db.rows(
    `WITH usual AS MATERIALIZED (
       SELECT c.account_id, c.id, l.number, l.user_id, l.username
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
              AS l (account_id, contact_id, number, user_id, username, user_hash)
       JOIN contacts c ON c.account_id = l.account_id AND c.id = l.contact_id
       WHERE c.phone_number IS NOT NULL AND c.merged_into IS NULL AND c.erased_at IS NULL
         AND (l.number IS NULL OR number_key(l.number) = number_key(c.phone_number))
         AND (l.user_id IS NULL OR c.user_id = l.user_id
              OR c.user_id IS NULL
                 AND NOT EXISTS (SELECT FROM contacts o WHERE o.account_id = l.account_id AND o.user_id = l.user_id)
                 AND NOT EXISTS (SELECT FROM suppressions s
                                 WHERE s.account_id = l.account_id AND s.identity_hash = l.user_hash))
     ), held AS MATERIALIZED (
       SELECT c.account_id, c.id, u.number, u.user_id, u.username
       FROM usual u JOIN contacts c ON c.account_id = u.account_id AND c.id = u.id
       WHERE c.merged_into IS NULL AND c.erased_at IS NULL AND (u.user_id IS NULL OR coalesce(c.user_id = u.user_id, true))
         AND (u.number IS NULL OR number_key(u.number) = number_key(c.phone_number))
       ORDER BY c.account_id, number_key(c.phone_number)
       FOR NO KEY UPDATE OF c SKIP LOCKED
     ), saved AS (
       UPDATE contacts c
       SET wa_id = CASE WHEN h.number IS NULL THEN c.wa_id ELSE nullif(h.number, c.phone_number) END,
           user_id = coalesce(h.user_id, c.user_id), username = coalesce(h.username, c.username), updated_at = now()
       FROM held h WHERE c.account_id = h.account_id AND c.id = h.id
     )
     SELECT account_id, id AS contact_id FROM usual u
     WHERE u.number IS NULL OR EXISTS (SELECT FROM held h WHERE h.account_id = u.account_id AND h.id = u.id)`,
    [
      learned.map(({ accountId }) => accountId),
      learned.map(({ contactId }) => contactId),
      learned.map(({ number }) => number),
      learned.map(({ user }) => user?.userId ?? null),
      learned.map(({ user }) => user?.username ?? null),
      learned.map(({ accountId, user }) => (user === null ? null : hashes.of(accountId, user.userId))),
    ],
  );
}
