import { columnsOf } from '../database/sql/columns.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import type { MediaFile } from './media-file.entity.js';

/** The columns of a file that is to be fetched. */
export type ExpectedFile = Pick<
  MediaFile,
  'messageId' | 'businessPhoneId' | 'networkMediaId' | 'mimeType' | 'filename' | 'sha256'
>;

const EXPECTED = ['messageId', 'businessPhoneId', 'networkMediaId', 'mimeType', 'filename', 'sha256'] as const;

/** Stores files as pending. A message has one file: the first that is stored for it stays. */
export async function insertExpected(accountId: string, files: readonly ExpectedFile[], db: Database): Promise<void> {
  await db.affected(
    `INSERT INTO media_files (account_id, message_id, business_phone_id, network_media_id, mime_type, filename, sha256)
     SELECT $1, f.*
     FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
            AS f (message_id, business_phone_id, network_media_id, mime_type, filename, sha256)
     ON CONFLICT ON CONSTRAINT media_files_pkey DO NOTHING`,
    [accountId, ...columnsOf(files, EXPECTED)],
  );
}

/** What records show of a file. */
export type ShownFile = Pick<MediaFile, 'messageId' | 'status' | 'mimeType' | 'filename' | 'size' | 'sha256'>;

/** The files of some messages, without those that were discarded. */
export function findShownFiles(accountId: string, messageIds: readonly RecordId[], db: Database): Promise<ShownFile[]> {
  return db.rows<ShownFile>(
    `SELECT message_id, status, mime_type, filename, size, sha256 FROM media_files
     WHERE account_id = $1 AND message_id = ANY ($2::uuid[]) AND status <> 'discarded'`,
    [accountId, messageIds],
  );
}

/**
 * Marks the files of some messages as to be deleted and forgets what is known of them. The sweep deletes the bytes and
 * then the rows, so a process that dies in between leaves nothing behind.
 */
export async function discardFiles(accountId: string, messageIds: readonly RecordId[], tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE media_files
     SET status = 'discarded', network_media_id = '', mime_type = NULL, filename = NULL, sha256 = NULL, reason = NULL
     WHERE account_id = $1 AND message_id = ANY ($2::uuid[]) AND status <> 'discarded'`,
    [accountId, messageIds],
  );
}
