import { Injectable } from '@nestjs/common';
import { isContention, isTransient } from '../database/connections/transient-errors.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { acceptsType, type MediaKind, wrongFormat } from '../egress/media-limits.js';
import { badRequest, notFound } from '../errors/domain-error.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { RecordId } from '../values/record-id.js';
import type { IncomingUpload } from './incoming-upload.js';
import { storeUnavailable, uploadNotFound } from './media.errors.js';
import { mediaKey } from './media-key.js';
import type { ReadableMedia } from './media-reader.service.js';
import { MediaStore, type OpenMedia, StoreUnavailable } from './media-store.js';
import type { UploadedFile } from './uploaded-file.entity.js';
import { findUpload, insertUpload } from './uploaded-file.queries.js';

/** A file as a request names it. */
export interface NamedUpload {
  /** The request's field that has its id. */
  readonly field: string;
  readonly fileId: RecordId;
  /** As what it is sent. */
  readonly kind: MediaKind;
}

/** Files that customers upload to send them by id. */
@Injectable()
export class UploadedFilesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: MediaStore,
  ) {}

  /** Records a file that has arrived. If that fails, or if the process dies before, nothing is left of it. */
  async add(accountId: string, upload: IncomingUpload): Promise<UploadedFile> {
    upload.keep();
    try {
      return await this.unitOfWork.writes(accountId).transaction(async (tx) => {
        const stored = await insertUpload(accountId, upload.facts, tx);
        await noteRecordOfKey(stored.id, tx);
        return stored;
      });
    } catch (error) {
      // It may be stored after all when the answer was lost.
      if (!isTransient(error) || isContention(error)) upload.forsake();
      throw error;
    }
  }

  /** What {@link add} returned, for a request that is repeated. @throws DomainError 404 */
  async get(accountId: string, id: RecordId): Promise<UploadedFile> {
    const found = await findUpload(accountId, id, this.unitOfWork.reads(accountId));
    if (found === null) throw uploadNotFound(id);
    return found;
  }

  /**
   * The file that a request names.
   *
   * @param isInUse whether what names it is a campaign, which keeps the file beyond its time
   * @throws DomainError 404 for an unknown, foreign or expired file; 400 for one that cannot be sent as that
   */
  async require(accountId: string, named: NamedUpload, isInUse = false): Promise<UploadedFile> {
    const { field, fileId, kind } = named;
    const found = await findUpload(accountId, fileId, this.unitOfWork.reads(accountId));
    if (found === null || (found.isExpired && !isInUse)) throw uploadNotFound(fileId, field);
    if (!acceptsType(kind, found.mimeType)) throw badRequest(`${field} ${wrongFormat(kind, found.mimeType)}`);
    return found;
  }

  /** A file, open for one reader; null when it is not kept any more. @throws DomainError 503 when the store is away */
  async readable(accountId: string, id: RecordId): Promise<ReadableMedia | null> {
    const file = await findUpload(accountId, id, this.unitOfWork.reads(accountId));
    if (file === null) return null;
    const opened = await this.open(accountId, file, 'media_id');
    const { mimeType, filename, size, sha256 } = file;
    return {
      ...{ mimeType, filename, size, sha256 },
      read: (start, end) => opened.read(start, end),
      close: () => opened.close(),
    };
  }

  /** The bytes of a file. The caller closes it. @throws DomainError 404 when they are lost, 503 when the store is away */
  async open(accountId: string, { id, size }: UploadedFile, field: string): Promise<OpenMedia> {
    let opened: OpenMedia | null;
    try {
      opened = await this.store.open(mediaKey({ accountId, messageId: id }));
    } catch (error) {
      throw error instanceof StoreUnavailable ? storeUnavailable('read', error) : error;
    }
    if (opened?.size === size) return opened;
    await opened?.close();
    throw notFound(`the file of ${field} ${id} is missing in the media store: upload it again`);
  }
}
