import type { Readable } from 'node:stream';

/** Names a file in the store: parts of letters, digits and `-`, separated by `/`. */
export type MediaKey = string;

/** A file in a store. */
export interface ListedMedia {
  readonly key: MediaKey;
  /** When it was last written, by the clock of the store. */
  readonly writtenAt: Date;
}

/** A stored file. Read it once, or close it. */
export interface OpenMedia {
  /** Bytes. */
  readonly size: number;
  /** The bytes from `start` to `end`, both inclusive, produced as fast as they are read. */
  read(start: number, end: number): Readable;
  close(): Promise<void>;
}

/**
 * Keeps the bytes of files, for all processes. A file is there completely or not at all, and survives a crash of the
 * machine once {@link put} has resolved.
 */
export abstract class MediaStore {
  /**
   * Stores what `bytes` yields, in place of what may be there under the key. When `bytes` throws, nothing is stored.
   *
   * @throws StoreUnavailable when it cannot be written; whatever `bytes` throws
   */
  abstract put(key: MediaKey, bytes: AsyncIterable<Buffer>): Promise<void>;

  /** @returns null when there is no such file @throws StoreUnavailable */
  abstract open(key: MediaKey): Promise<OpenMedia | null>;

  /** @throws StoreUnavailable */
  abstract has(key: MediaKey): Promise<boolean>;

  /** Deletes a file; nothing happens when there is none. @throws StoreUnavailable */
  abstract delete(key: MediaKey): Promise<void>;

  /** All files, in any order. Files that come or go meanwhile may be missing. @throws StoreUnavailable */
  abstract list(): AsyncIterable<ListedMedia>;

  /** Deletes what interrupted calls of {@link put} have left, if it was not written to since `before`. */
  abstract tidy(before: Date): Promise<void>;
}

/** The store cannot be read or written now: its disk is full, or not mounted. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the media store failed: ${(cause as Error).message}`, { cause });
    this.name = 'StoreUnavailable';
  }
}
