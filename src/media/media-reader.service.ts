import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SECOND } from '../values/clock.js';
import { endsWithin } from '../values/ends-within.js';
import type { RecordId } from '../values/record-id.js';
import { FetchPool } from './fetch-pool.js';
import { FETCHED_FOR_MS } from './file-fetch.service.js';
import { findServedFile, recordMissing, type ServedFile } from './kept-file.queries.js';
import { mediaGone, mediaPending, storeUnavailable } from './media.errors.js';
import { mediaKey } from './media-key.js';
import { MediaStore, type OpenMedia, StoreUnavailable } from './media-store.js';

/** How long a request waits for a file that is still to be fetched. */
const PATIENCE_MS = 10 * SECOND;
/** Milliseconds between looks at a file that another process is fetching. */
const LOOK_MS = 250;

/** A stored file, open for one reader. */
export interface ReadableMedia {
  readonly mimeType: string;
  readonly filename: string | null;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** The bytes from `start` to `end`, both inclusive. */
  read(start: number, end: number): Readable;
  /** If it is not read after all. */
  close(): Promise<void>;
}

/** Opens files for readers; one that was not fetched yet is fetched first. */
@Injectable()
export class MediaReaderService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: MediaStore,
    private readonly pool: FetchPool,
  ) {}

  /**
   * @param signal ends the wait for a file, because its reader is gone
   * @returns null when the message has no file
   * @throws DomainError 404 `media_gone`, or 503 while it may still be fetched
   */
  async open(accountId: string, messageId: RecordId, signal: AbortSignal): Promise<ReadableMedia | null> {
    const deadline = performance.now() + PATIENCE_MS;
    for (let looks = 1; ; looks += 1) {
      const file = await findServedFile(accountId, messageId, this.unitOfWork.reads(accountId));
      if (file === null) return null;
      if (file.status === 'stored') {
        const opened = await this.openStored(accountId, messageId, file);
        if (opened !== null) return opened;
      } else if (file.status !== 'pending') {
        throw mediaGone(messageId, file.reason);
      }
      const left = deadline - performance.now();
      // Nobody is fetching it, although we have just tried to.
      const isIdle = looks > 1 && !file.isLeased;
      if (isIdle || left <= 0 || signal.aborted) throw mediaPending(messageId, file);
      await this.fetch(accountId, messageId, left);
    }
  }

  /** Fetches the file, or waits a little for the process that does. */
  private async fetch(accountId: string, messageId: RecordId, patienceMs: number): Promise<void> {
    const begun = performance.now();
    await endsWithin(this.pool.fetchNow(accountId, messageId), patienceMs);
    const pause = LOOK_MS - (performance.now() - begun);
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(pause, patienceMs)));
  }

  private async openStored(accountId: string, messageId: RecordId, file: ServedFile): Promise<ReadableMedia | null> {
    const opened = await this.openInStore(accountId, messageId);
    if (opened !== null && opened.size === file.size) return readable(opened, file);
    await opened?.close();
    await recordMissing(accountId, [messageId], FETCHED_FOR_MS, this.unitOfWork.writes(accountId));
    return null;
  }

  private async openInStore(accountId: string, messageId: RecordId): Promise<OpenMedia | null> {
    try {
      return await this.store.open(mediaKey({ accountId, messageId }));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw storeUnavailable('read', error);
    }
  }
}

const readable = (opened: OpenMedia, { mimeType, filename, size, sha256 }: ServedFile): ReadableMedia => ({
  mimeType: mimeType ?? '',
  filename,
  size: size ?? 0,
  sha256: sha256 ?? '',
  read: (start, end) => opened.read(start, end),
  close: () => opened.close(),
});
