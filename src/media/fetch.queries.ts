import type { Database, Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import type { MediaFile } from './media-file.entity.js';

// Fetching files. A process takes a file with a lease, which it renews; `attempts` identifies the attempt. The outcome is
// written only if the file is still wanted, so that one which was discarded meanwhile stays discarded.

/** A file that this process is to fetch. */
export type TakenFile = Pick<
  MediaFile,
  | 'accountId'
  | 'messageId'
  | 'businessPhoneId'
  | 'networkMediaId'
  | 'mimeType'
  | 'filename'
  | 'sha256'
  | 'attempts'
  | 'mismatches'
>;

const TAKEN = `account_id, message_id, business_phone_id, network_media_id, mime_type, filename, sha256, attempts, mismatches`;

/**
 * Takes the file of the account that has been due longest. It is looked up by a value: as a join, PostgreSQL may run the
 * subquery again for each row, and each time it locks, and so takes, another file.
 */
export function takeDue(accountId: string, leaseMs: number, tx: Tx): Promise<TakenFile | null> {
  return tx.row<TakenFile>(
    `UPDATE media_files f
     SET attempts = f.attempts + 1, tried_at = now(), leased_until = now() + $2 * interval '1 millisecond',
         due_at = now() + $2 * interval '1 millisecond'
     WHERE f.account_id = $1 AND f.message_id = (
       SELECT message_id FROM media_files
       WHERE account_id = $1 AND status = 'pending' AND due_at <= now()
       ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${TAKEN.replaceAll(/(\w+)/g, 'f.$1')}`,
    [accountId, leaseMs],
  );
}

/**
 * Takes one pending file before it is due, unless a process is fetching it or did so less than `restMs` ago.
 */
export function takeNow(
  accountId: string,
  messageId: RecordId,
  leaseMs: number,
  restMs: number,
  tx: Tx,
): Promise<TakenFile | null> {
  return tx.row<TakenFile>(
    `UPDATE media_files
     SET attempts = attempts + 1, tried_at = now(), leased_until = now() + $3 * interval '1 millisecond',
         due_at = now() + $3 * interval '1 millisecond'
     WHERE account_id = $1 AND message_id = $2 AND status = 'pending'
       AND (leased_until IS NULL OR leased_until <= now())
       AND (tried_at IS NULL OR tried_at <= now() - $4 * interval '1 millisecond')
     RETURNING ${TAKEN}`,
    [accountId, messageId, leaseMs, restMs],
  );
}

/** Which attempt at which file. */
export type AttemptKey = Pick<TakenFile, 'accountId' | 'messageId' | 'attempts'>;

/** @returns false when the file is not this attempt's any more */
export async function renewLease(key: AttemptKey, leaseMs: number, db: Database): Promise<boolean> {
  const renewed = await db.affected(
    `UPDATE media_files
     SET leased_until = now() + $4 * interval '1 millisecond', due_at = now() + $4 * interval '1 millisecond'
     WHERE account_id = $1 AND message_id = $2 AND status = 'pending' AND attempts = $3`,
    [key.accountId, key.messageId, key.attempts, leaseMs],
  );
  return renewed === 1;
}

/** Gives a file back as if it had not been taken. */
export async function releaseFile(key: AttemptKey, db: Database): Promise<void> {
  await db.affected(
    `UPDATE media_files SET leased_until = NULL, tried_at = NULL, due_at = now()
     WHERE account_id = $1 AND message_id = $2 AND status = 'pending' AND attempts = $3`,
    [key.accountId, key.messageId, key.attempts],
  );
}

/** Notes that nobody is fetching a discarded file any more, so that it can be deleted at once. */
export async function endLease({ accountId, messageId, attempts }: AttemptKey, db: Database): Promise<void> {
  await db.affected(
    `UPDATE media_files SET leased_until = NULL
     WHERE account_id = $1 AND message_id = $2 AND status = 'discarded' AND attempts = $3`,
    [accountId, messageId, attempts],
  );
}

/** What is known of a file by its bytes. */
export type FileFacts = Readonly<Record<'mimeType' | 'sha256', string>> & { readonly size: number };

/**
 * Notes that a file is in the store. Its bytes were checked, so this holds even if the lease has expired meanwhile.
 *
 * @returns false when the file is not wanted any more, and what is in the store must go
 */
export async function recordStored(
  accountId: string,
  messageId: RecordId,
  { mimeType, sha256, size }: FileFacts,
  db: Database,
): Promise<boolean> {
  const row = await db.row<{ isWanted: boolean }>(
    `WITH stored AS (
       UPDATE media_files
       SET status = 'stored', mime_type = $3, sha256 = $4, size = $5, reason = NULL, leased_until = NULL
       WHERE account_id = $1 AND message_id = $2 AND status = 'pending'
       RETURNING true AS is_wanted
     )
     SELECT true AS is_wanted FROM stored
     UNION ALL
     SELECT status = 'stored' FROM media_files WHERE account_id = $1 AND message_id = $2
     LIMIT 1`,
    [accountId, messageId, mimeType, sha256, size],
  );
  return row?.isWanted === true;
}

/** Notes that there will be no file, and why. */
export async function recordLost(
  key: AttemptKey,
  status: 'gone' | 'too_large' | 'refused',
  reason: string,
  db: Database,
): Promise<void> {
  await db.affected(
    `UPDATE media_files SET status = $4, reason = $5, leased_until = NULL
     WHERE account_id = $1 AND message_id = $2 AND status = 'pending' AND attempts = $3`,
    [key.accountId, key.messageId, key.attempts, status, reason],
  );
}

/** An attempt that failed, and may succeed later. */
export interface FailedAttempt {
  readonly reason: string;
  readonly isMismatch: boolean;
  readonly retryMs: number;
}

/** Plans the next attempt at a file; after `giveUpMs` since its arrival it is gone. */
export async function recordFailed(
  key: AttemptKey,
  { reason, isMismatch, retryMs }: FailedAttempt,
  giveUpMs: number,
  db: Database,
): Promise<void> {
  await db.affected(
    `UPDATE media_files
     SET status = CASE WHEN received_at <= now() - $7 * interval '1 millisecond' THEN 'gone' ELSE 'pending' END,
         reason = $4, mismatches = mismatches + $5, due_at = now() + $6 * interval '1 millisecond', leased_until = NULL
     WHERE account_id = $1 AND message_id = $2 AND status = 'pending' AND attempts = $3`,
    [key.accountId, key.messageId, key.attempts, reason, isMismatch ? 1 : 0, retryMs, giveUpMs],
  );
}

/**
 * The accounts with due files. It skips from account to account along the index, so it costs one lookup for each account
 * with pending files, however many those are.
 */
const WITH_PENDING = `pending_files AS (
       (SELECT account_id FROM media_files WHERE status = 'pending' ORDER BY account_id, due_at LIMIT 1)
       UNION ALL
       SELECT next.account_id
       FROM pending_files p, LATERAL (
         SELECT account_id FROM media_files f
         WHERE f.status = 'pending' AND f.account_id > p.account_id
         ORDER BY account_id, due_at LIMIT 1) next
     )`;

const DUE_ACCOUNTS = `pending_files p
     WHERE EXISTS (SELECT FROM media_files f
                   WHERE f.account_id = p.account_id AND f.status = 'pending' AND f.due_at <= now())`;

/** A look: whether any account has a due file. */
export const DUE_FILE = `SELECT true FROM (
       WITH RECURSIVE ${WITH_PENDING} SELECT p.account_id FROM ${DUE_ACCOUNTS}) due LIMIT 1`;

/** All accounts with due files. */
export async function findDueAccounts(db: Database): Promise<string[]> {
  const rows = await db.rows<{ accountId: string }>(
    `WITH RECURSIVE ${WITH_PENDING}
     SELECT p.account_id FROM ${DUE_ACCOUNTS}`,
  );
  return rows.map(({ accountId }) => accountId);
}
