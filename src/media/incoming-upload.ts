import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { plainFileName } from '../egress/file-name.js';
import {
  HEAD_BYTES,
  isAnimated,
  MEDIA_KINDS,
  MEDIA_LIMITS,
  type MediaKind,
  maxBytesOf,
  wrongSize,
} from '../egress/media-limits.js';
import { mediaTypeOf } from '../egress/media-type.js';
import { badRequest, DomainError } from '../errors/domain-error.js';
import type { FormFile } from '../http/uploaded-form.js';
import { mediaKey } from './media-key.js';
import type { MediaStore } from './media-store.js';
import type { NewUpload } from './uploaded-file.queries.js';

/** The form's field that has the file. */
export const FILE_FIELD = 'file';

const KIND_OF_TYPE: ReadonlyMap<string, MediaKind> = new Map(
  MEDIA_KINDS.flatMap((kind) => Object.keys(MEDIA_LIMITS[kind].formats).map((type) => [type, kind] as const)),
);
export const UPLOAD_TYPES = [...KIND_OF_TYPE.keys()];

/**
 * Passes the bytes of a file that a customer uploads on to the store, and fails unless they are of the declared type and
 * within its limit. Whoever stores them keeps nothing then.
 */
export class CheckedUpload implements AsyncIterable<Buffer> {
  private readonly hash = createHash('sha256');
  private size = 0;
  private kind: MediaKind | null = null;
  private isAnimated = false;

  constructor(
    private readonly file: FormFile,
    private readonly owner: Pick<NewUpload, 'accountId' | 'id'>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer> {
    const kind = declaredKind(this.file);
    const incoming = this.file.bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    const head = await headOf(incoming);
    if (head.length === 0) throw badRequest(`${FILE_FIELD} is empty`);
    await this.checkType(head.subarray(0, HEAD_BYTES), kind);
    const maxBytes = maxBytesOf(kind, head);
    this.isAnimated = kind === 'sticker' && isAnimated(head);
    for (let chunk: Buffer | undefined = head; chunk !== undefined; chunk = (await incoming.next()).value) {
      this.size += chunk.length;
      if (this.size > maxBytes) {
        throw new DomainError('payload_too_large', `${FILE_FIELD} ${wrongSize(kind, null, maxBytes)}`);
      }
      this.hash.update(chunk);
      yield chunk;
    }
    this.kind = kind;
  }

  /** What is known of the file, once all of its bytes have been passed on. */
  facts(): NewUpload {
    if (this.kind === null) throw new Error('the file has not been read');
    const { mimeType, filename } = this.file;
    return {
      ...this.owner,
      kind: this.kind,
      mimeType,
      filename: plainFileName(filename) || null,
      size: this.size,
      sha256: this.hash.digest('hex'),
      isAnimated: this.isAnimated,
    };
  }

  private async checkType(head: Buffer, kind: MediaKind): Promise<void> {
    const { mimeType: servedAs, filename: fileName } = this.file;
    const found = await mediaTypeOf(head, kind, { servedAs, fileName });
    if (found !== servedAs) throw badRequest(`${FILE_FIELD} is ${found} by its content, but was sent as ${servedAs}`);
  }
}

/** A file in the store of which the database does not know yet. */
export class IncomingUpload {
  private isKept = false;

  constructor(
    readonly facts: NewUpload,
    private readonly store: MediaStore,
  ) {}

  /** From now on the database may know of it. */
  keep(): void {
    this.isKept = true;
  }

  /** The database does not know of it after all. */
  forsake(): void {
    this.isKept = false;
  }

  /** Deletes what nobody keeps. Never throws: what is left is found when store and tables are compared. */
  async end(): Promise<void> {
    if (!this.isKept) await removeBytes(this.facts, this.store);
  }
}

/** Deletes the bytes of an upload that failed. Never throws. */
export async function removeBytes(
  { accountId, id }: Pick<NewUpload, 'accountId' | 'id'>,
  store: MediaStore,
): Promise<void> {
  await store
    .delete(mediaKey({ accountId, messageId: id }))
    .catch((error: Error) => new Logger(IncomingUpload.name).warn(`an upload was not deleted: ${error.message}`));
}

/** @throws DomainError 400 */
function declaredKind({ field, mimeType }: FormFile): MediaKind {
  if (field !== FILE_FIELD) throw badRequest(`the file must be in the form’s field ${FILE_FIELD} (got ${field})`);
  const kind = KIND_OF_TYPE.get(mimeType);
  if (kind !== undefined) return kind;
  throw badRequest(`${FILE_FIELD} must be sent as one of ${UPLOAD_TYPES.join(', ')} (got ${mimeType})`);
}

/** At least {@link HEAD_BYTES}, or all if the file is shorter. */
async function headOf(incoming: AsyncIterator<Buffer, undefined>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const { value } = await incoming.next();
    if (value === undefined) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}
