import type { Tx } from '../database/unit-of-work.js';

/** The contact that the network means by a number of its own or by a business-scoped id. */
export interface KnownIdentity {
  readonly id: string;
  readonly phone_number: string;
}

/**
 * Finds a contact by the number that we send to, by the number the network has for it, or by its business-scoped id, in
 * that order (D69). Deleted ones are found too: a message revives them.
 */
export function findByIdentity(
  accountId: string,
  number: string | null,
  networkUserId: string | null,
  tx: Tx,
): Promise<KnownIdentity | null> {
  return tx.row<KnownIdentity>(
    `SELECT id, phone_number FROM (
       SELECT 1 AS choice, id, phone_number FROM contacts WHERE account_id = $1 AND phone_number = $2
       UNION ALL
       SELECT 2, id, phone_number FROM contacts WHERE account_id = $1 AND wa_id = $2
       UNION ALL
       SELECT 3, id, phone_number FROM contacts WHERE account_id = $1 AND network_user_id = $3
     ) AS found
     ORDER BY choice LIMIT 1`,
    [accountId, number, networkUserId],
  );
}

/** Keeps the business-scoped id that the network gave for a contact. */
export function rememberNetworkUserId(
  accountId: string,
  contactId: string,
  networkUserId: string,
  tx: Tx,
): Promise<number> {
  return tx.affected(
    `UPDATE contacts SET network_user_id = $3
     WHERE account_id = $1 AND id = $2 AND network_user_id IS DISTINCT FROM $3`,
    [accountId, contactId, networkUserId],
  );
}
