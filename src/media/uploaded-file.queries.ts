import type { Database, Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { UploadedFile } from './uploaded-file.entity.js';

/** How long a file is kept that no campaign uses, in days. */
export const UPLOADS_KEPT_DAYS = 30;

/** An uploaded file, and whether its time is over. */
export type KnownUpload = UploadedFile & { readonly isExpired: boolean };

/** The columns of a new file that are not the database's. */
export type NewUpload = Omit<UploadedFile, 'createdAt' | 'expiresAt'>;

/** Stores what is known of a file whose bytes are in the store. */
export async function insertUpload(accountId: string, upload: NewUpload, tx: Tx): Promise<UploadedFile> {
  const stored = await tx.row<UploadedFile>(
    `INSERT INTO uploaded_files (account_id, id, kind, mime_type, filename, size, sha256, is_animated, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 day')
     RETURNING *`,
    [
      accountId,
      upload.id,
      upload.kind,
      upload.mimeType,
      upload.filename,
      upload.size,
      upload.sha256,
      upload.isAnimated,
      UPLOADS_KEPT_DAYS,
    ],
  );
  if (stored === null) throw new Error(`upload ${upload.id} was not stored`);
  return stored;
}

/** An uploaded file, also after its time; null: the account has none of this id. */
export function findUpload(accountId: string, id: string, db: Database): Promise<KnownUpload | null> {
  return db.row<KnownUpload>(
    'SELECT *, expires_at <= now() AS is_expired FROM uploaded_files WHERE account_id = $1 AND id = $2',
    [accountId, id],
  );
}

/** The next files whose time has been over for so long that no request can still be using them, by their time. */
export async function findExpiredUploads(
  accountId: string,
  after: { readonly id: RecordId; readonly expiresAt: Date } | null,
  graceMs: number,
  limit: number,
  db: Database,
): Promise<Pick<UploadedFile, 'id' | 'expiresAt'>[]> {
  return db.rows(
    `SELECT id, expires_at FROM uploaded_files
     WHERE account_id = $1 AND expires_at < now() - $2 * interval '1 millisecond'
       AND ($3::timestamptz IS NULL OR (expires_at, id) > ($3, $4::uuid))
     ORDER BY expires_at, id LIMIT $5`,
    [accountId, graceMs, after?.expiresAt ?? null, after?.id ?? null, limit],
  );
}

/** Forgets files whose bytes have been deleted, and their copies at the network with them. */
export async function deleteUploads(accountId: string, ids: readonly RecordId[], db: Database): Promise<void> {
  await db.affected('DELETE FROM uploaded_files WHERE account_id = $1 AND id = ANY ($2::uuid[])', [accountId, ids]);
}
