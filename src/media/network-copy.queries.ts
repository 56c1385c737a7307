import type { Database } from '../database/unit-of-work.js';
import type { NetworkCopy } from './network-copy.entity.js';

// Copies of uploaded files at the network. A process makes one under a lease, which it renews; its outcome is written only
// while it holds it.

/** Which copy. */
export type CopyKey = Pick<NetworkCopy, 'accountId' | 'fileId' | 'businessPhoneId'>;

const KEY = 'account_id = $1 AND file_id = $2 AND business_phone_id = $3';
const keyed = ({ accountId, fileId, businessPhoneId }: CopyKey, ...others: unknown[]): unknown[] => [
  accountId,
  fileId,
  businessPhoneId,
  ...others,
];

/** What there is to send a file by. */
export interface FoundCopy {
  readonly networkMediaId: string | null;
  /** Milliseconds since its upload began. */
  readonly ageMs: number | null;
}

/** The copy of a file, which may not be there yet; null: there is no such file. */
export function findCopy(key: CopyKey, db: Database): Promise<FoundCopy | null> {
  return db.row<FoundCopy>(
    `SELECT c.network_media_id, extract(epoch FROM now() - c.uploaded_at)::float8 * 1000 AS age_ms
     FROM uploaded_files f
       LEFT JOIN network_copies c ON c.account_id = $1 AND c.file_id = f.id AND c.business_phone_id = $3
     WHERE f.account_id = $1 AND f.id = $2`,
    keyed(key),
  );
}

/**
 * Takes the making of a copy, unless a process is making it, or there is one that was uploaded less than `renewAfterMs`
 * ago.
 *
 * @returns whether it is ours
 */
export async function takeCopy(
  key: CopyKey,
  leaseId: string,
  { leaseMs, renewAfterMs }: { readonly leaseMs: number; readonly renewAfterMs: number },
  db: Database,
): Promise<boolean> {
  const taken = await db.affected(
    `INSERT INTO network_copies AS c (account_id, file_id, business_phone_id, lease_id, leased_until)
     SELECT f.account_id, f.id, $3, $4, now() + $5 * interval '1 millisecond'
     FROM uploaded_files f WHERE f.account_id = $1 AND f.id = $2
     ON CONFLICT ON CONSTRAINT network_copies_pkey DO UPDATE
     SET lease_id = EXCLUDED.lease_id, leased_until = EXCLUDED.leased_until
     WHERE (c.leased_until IS NULL OR c.leased_until <= now())
       AND (c.network_media_id IS NULL OR c.uploaded_at <= now() - $6 * interval '1 millisecond')`,
    keyed(key, leaseId, leaseMs, renewAfterMs),
  );
  return taken === 1;
}

/** Keeps the making of a copy ours. */
export async function renewCopyLease(key: CopyKey, leaseId: string, leaseMs: number, db: Database): Promise<void> {
  await db.affected(
    `UPDATE network_copies SET leased_until = now() + $5 * interval '1 millisecond' WHERE ${KEY} AND lease_id = $4`,
    keyed(key, leaseId, leaseMs),
  );
}

/** Gives the making of a copy back: it failed, or this process stops. */
export async function releaseCopy(key: CopyKey, leaseId: string, db: Database): Promise<void> {
  await db.affected(
    `UPDATE network_copies SET lease_id = NULL, leased_until = NULL WHERE ${KEY} AND lease_id = $4`,
    keyed(key, leaseId),
  );
}

/** Notes the network's id of a copy, unless another process has taken over. @param elapsedMs since its upload began */
export async function recordCopy(
  key: CopyKey,
  leaseId: string,
  networkMediaId: string,
  elapsedMs: number,
  db: Database,
): Promise<void> {
  await db.affected(
    `UPDATE network_copies
     SET network_media_id = $5, uploaded_at = now() - $6 * interval '1 millisecond', lease_id = NULL, leased_until = NULL
     WHERE ${KEY} AND lease_id = $4`,
    keyed(key, leaseId, networkMediaId, elapsedMs),
  );
}

/**
 * Forgets an id that the network does not know, unless it has refused another one less than `restMs` ago: then the id is
 * not what is wrong.
 *
 * @returns whether the message may be tried again: the id is forgotten, or was replaced meanwhile
 */
export async function forgetCopy(key: CopyKey, networkMediaId: string, restMs: number, db: Database): Promise<boolean> {
  const forgotten = await db.affected(
    `UPDATE network_copies SET network_media_id = NULL, uploaded_at = NULL, refused_at = now()
     WHERE ${KEY} AND network_media_id = $4
       AND (refused_at IS NULL OR refused_at <= now() - $5 * interval '1 millisecond')`,
    keyed(key, networkMediaId, restMs),
  );
  if (forgotten > 0) return true;
  const left = await db.row<{ networkMediaId: string | null }>(
    `SELECT network_media_id FROM network_copies WHERE ${KEY}`,
    keyed(key),
  );
  return left !== null && left.networkMediaId !== networkMediaId;
}
