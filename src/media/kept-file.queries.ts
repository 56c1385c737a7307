import type { Database } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import type { MediaFile } from './media-file.entity.js';

// Files that are in the store, or should be.

/** What serving a file needs to know of it. */
export type ServedFile = Pick<MediaFile, 'status' | 'mimeType' | 'filename' | 'size' | 'sha256' | 'reason'> & {
  /** Milliseconds until the next attempt, or until the lease of this one ends. */
  readonly dueInMs: number;
  /** Whether a process is fetching it. */
  readonly isLeased: boolean;
};

/** The file of a message, unless it has none or that was discarded. */
export function findServedFile(accountId: string, messageId: RecordId, db: Database): Promise<ServedFile | null> {
  return db.row<ServedFile>(
    `SELECT status, mime_type, filename, size, sha256, reason,
            extract(epoch FROM due_at - now())::float8 * 1000 AS due_in_ms,
            coalesce(leased_until > now(), false) AS is_leased
     FROM media_files WHERE account_id = $1 AND message_id = $2 AND status <> 'discarded'`,
    [accountId, messageId],
  );
}

const MISSING = 'it is missing in the media store';

/**
 * Notes that files which should be in the store are not. Those that the network may still have are fetched again.
 *
 * @param fetchableMs how long after its arrival the network has a file
 */
export async function recordMissing(
  accountId: string,
  messageIds: readonly RecordId[],
  fetchableMs: number,
  db: Database,
): Promise<void> {
  await db.affected(
    `UPDATE media_files
     SET status = CASE WHEN received_at > now() - $3 * interval '1 millisecond' THEN 'pending' ELSE 'gone' END,
         reason = $4, attempts = attempts + 1, due_at = now(), tried_at = NULL
     WHERE account_id = $1 AND message_id = ANY ($2::uuid[]) AND status = 'stored'`,
    [accountId, messageIds, fetchableMs, MISSING],
  );
}

/** Notes that files are in the store after all: its directory was not mounted, or has been restored. */
export async function recordFound(accountId: string, messageIds: readonly RecordId[], db: Database): Promise<void> {
  await db.affected(
    `UPDATE media_files SET status = 'stored', reason = NULL
     WHERE account_id = $1 AND message_id = ANY ($2::uuid[]) AND status = 'gone' AND reason = $3`,
    [accountId, messageIds, MISSING],
  );
}

/** The next files of an account that should be in the store, by message. */
export async function findStored(
  accountId: string,
  after: RecordId,
  before: RecordId | null,
  limit: number,
  db: Database,
): Promise<RecordId[]> {
  const rows = await db.rows<{ messageId: RecordId }>(
    `SELECT message_id FROM media_files
     WHERE account_id = $1 AND status = 'stored' AND message_id > $2 AND ($3::uuid IS NULL OR message_id < $3)
     ORDER BY message_id LIMIT $4`,
    [accountId, after, before, limit],
  );
  return rows.map(({ messageId }) => messageId);
}

/** Notes that files which were deleted after their time are gone. */
export async function recordExpired(
  accountId: string,
  messageIds: readonly RecordId[],
  days: number,
  db: Database,
): Promise<void> {
  await db.affected(
    `UPDATE media_files SET status = 'gone', reason = 'files are kept for ' || $3::int || ' days'
     WHERE account_id = $1 AND message_id = ANY ($2::uuid[]) AND status = 'stored'`,
    [accountId, messageIds, days],
  );
}

/** Discards the next files of messages that have expired. @returns how many */
export function discardBefore(accountId: string, before: RecordId, limit: number, db: Database): Promise<number> {
  return db.affected(
    `UPDATE media_files f
     SET status = 'discarded', network_media_id = '', mime_type = NULL, filename = NULL, sha256 = NULL, reason = NULL
     WHERE f.account_id = $1 AND f.message_id = ANY (ARRAY(
       SELECT message_id FROM media_files
       WHERE account_id = $1 AND message_id < $2 AND status <> 'discarded'
       ORDER BY message_id LIMIT $3 FOR UPDATE SKIP LOCKED))`,
    [accountId, before, limit],
  );
}

/** A look: whether any file is to be deleted that no process may be fetching. */
export const DISCARDED_FILE = `SELECT true FROM media_files
     WHERE status = 'discarded' AND (leased_until IS NULL OR leased_until <= now()) LIMIT 1`;

/** The next files of all accounts that are to be deleted and that no process may be fetching. */
export function findDiscarded(
  limit: number,
  db: Database,
): Promise<Readonly<Record<'accountId' | 'messageId', RecordId>>[]> {
  return db.rows(
    `SELECT account_id, message_id FROM media_files
     WHERE status = 'discarded' AND (leased_until IS NULL OR leased_until <= now())
     ORDER BY account_id, message_id LIMIT $1`,
    [limit],
  );
}

/** Forgets files whose bytes have been deleted. */
export async function deleteDiscarded(accountId: string, messageIds: readonly RecordId[], db: Database): Promise<void> {
  await db.affected(
    `DELETE FROM media_files WHERE account_id = $1 AND message_id = ANY ($2::uuid[]) AND status = 'discarded'`,
    [accountId, messageIds],
  );
}

/** Which of some messages have a file that is, or may become, one of the store; and which of these are uploads. */
export async function findWanted(
  accountId: string,
  messageIds: readonly RecordId[],
  db: Database,
): Promise<ReadonlySet<RecordId>> {
  const rows = await db.rows<{ messageId: RecordId }>(
    `SELECT message_id FROM media_files
     WHERE account_id = $1 AND message_id = ANY ($2::uuid[]) AND status IN ('stored', 'pending', 'discarded')
     UNION ALL
     SELECT id FROM uploaded_files WHERE account_id = $1 AND id = ANY ($2::uuid[])`,
    [accountId, messageIds],
  );
  return new Set(rows.map(({ messageId }) => messageId));
}

/** How many files there are in the store, and their bytes, of all accounts. For operators. */
export async function sumStoredFiles(db: Database): Promise<{ readonly files: number; readonly bytes: number }> {
  const row = await db.row<{ files: number; bytes: number }>(
    `SELECT count(*)::float8 AS files, coalesce(sum(size), 0)::float8 AS bytes
     FROM (SELECT size FROM media_files WHERE status = 'stored' UNION ALL SELECT size FROM uploaded_files) f`,
  );
  return row ?? { files: 0, bytes: 0 };
}
