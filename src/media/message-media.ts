import { Injectable } from '@nestjs/common';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { FetchQueue } from './fetch-queue.js';
import type { MediaStatus } from './media-file.entity.js';
import {
  discardFiles,
  type ExpectedFile,
  findShownFiles,
  insertExpected,
  type ShownFile,
} from './media-file.queries.js';

/** A file that an inbound message refers to, as the network describes it. */
export type ExpectedMedia = Omit<ExpectedFile, 'sha256'> & {
  /** In base64 or hex. */
  readonly sha256: string | null;
};

/** What a record of a message shows of its file. */
export interface MediaState {
  readonly status: MediaStatus;
  readonly mimeType: string | null;
  readonly filename: string | null;
  /** Bytes; null until the file is stored. */
  readonly size: number | null;
  /** In lower-case hex. */
  readonly sha256: string | null;
  /** The path of the API that serves it. */
  readonly url: string;
}

/** The files of inbound messages as other rooms see them. */
@Injectable()
export class MessageMedia {
  constructor(private readonly queue: FetchQueue) {}

  /**
   * Has files fetched from the network. Call {@link announce} after the commit.
   *
   * @param tx the transaction that stores the messages
   */
  async expect(accountId: string, media: readonly ExpectedMedia[], db: Database): Promise<void> {
    if (media.length === 0) return;
    await insertExpected(
      accountId,
      media.map((each) => ({ ...each, sha256: hexOf(each.sha256) })),
      db,
    );
  }

  /** Wakes the workers that fetch the account's files. */
  announce(accountId: string): void {
    this.queue.add(accountId);
  }

  /** Deletes the files of messages, for good: their rows say so when `tx` commits, and their bytes follow soon. */
  async discard(accountId: string, messageIds: readonly RecordId[], tx: Tx): Promise<void> {
    if (messageIds.length > 0) await discardFiles(accountId, messageIds, tx);
  }
}

/** The files of messages, by message id; a message without a file, or whose file was discarded, is not among them. */
export async function mediaStatesOf(
  accountId: string,
  messageIds: readonly RecordId[],
  db: Database,
): Promise<Map<RecordId, MediaState>> {
  if (messageIds.length === 0) return new Map();
  const files = await findShownFiles(accountId, messageIds, db);
  return new Map(files.map((file) => [file.messageId, stateOf(file)]));
}

/** The path of the API that serves the file of a message. */
export const mediaPath = (messageId: RecordId): string => `/api/v1/messages/${messageId}/media`;

const stateOf = ({ messageId, status, mimeType, filename, size, sha256 }: ShownFile): MediaState => ({
  status: status as MediaStatus,
  mimeType,
  filename,
  size,
  sha256,
  url: mediaPath(messageId),
});

/** A SHA-256 hash in lower-case hex; null unless it is one. The network writes base64 in callbacks and hex elsewhere. */
export function hexOf(hash: unknown): string | null {
  if (typeof hash !== 'string') return null;
  if (/^[0-9a-f]{64}$/i.test(hash)) return hash.toLowerCase();
  const bytes = Buffer.from(hash, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : null;
}
