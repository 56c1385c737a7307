import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { notFound } from '../../errors/domain-error.js';
import { mediaGone } from '../../media/media.errors.js';
import { MediaReaderService, type ReadableMedia } from '../../media/media-reader.service.js';
import { MessageMedia } from '../../media/message-media.js';
import { UploadedFilesService } from '../../media/uploaded-files.service.js';
import { isObject } from '../../values/network-json.js';
import type { RecordId } from '../../values/record-id.js';
import { type MediaFacts, readMessage } from '../inbound-kinds.js';
import { FROM_PHONE_APP } from '../message-status.js';
import { messageNotFound } from '../messages.errors.js';
import { storedParts } from '../sent-parts.js';
import { findMessage, type MessageRow } from './message-history.queries.js';

/** The types of messages that were sent with a file. */
const SENT_WITH_FILE = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/** Opens the files of messages. */
@Injectable()
export class MessageFileService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reader: MediaReaderService,
    private readonly media: MessageMedia,
    private readonly uploads: UploadedFilesService,
  ) {}

  /**
   * @param signal ends the wait for a file that is still to be fetched
   * @throws DomainError 404 `not_found` for a message that does not exist or has no file, 404 `media_gone`, or 503
   */
  async open(accountId: string, messageId: RecordId, signal: AbortSignal): Promise<ReadableMedia> {
    // Before the file, because the message is hidden at once when its contact is erased.
    const message = await findMessage(accountId, messageId, this.unitOfWork.reads(accountId));
    if (message === null) throw messageNotFound(messageId);
    if (message.direction === 'out' && (message.seen & FROM_PHONE_APP) === 0) return this.openSent(accountId, message);
    const facts = isObject(message.payload) ? readMessage(message.payload).contents.media : undefined;
    if (facts === undefined) throw withoutFile(message);
    const file = await this.reader.open(accountId, messageId, signal);
    if (file !== null) return file;
    await this.expect(accountId, message, facts);
    const fetched = await this.reader.open(accountId, messageId, signal);
    if (fetched === null) throw mediaGone(messageId, 'the message names none');
    return fetched;
  }

  /** The upload that a message was sent by, as long as it is kept. */
  private async openSent(accountId: string, message: MessageRow): Promise<ReadableMedia> {
    const fileId = storedParts(message.payload)?.media?.media_id;
    if (fileId === undefined) throw withoutFile(message);
    const file = await this.uploads.readable(accountId, fileId);
    if (file === null) throw mediaGone(message.id, 'it was sent by media_id, and the time of that upload is over');
    return file;
  }

  /** Has the file of a message fetched that a release stored which fetched none. */
  private async expect(
    accountId: string,
    { id, businessPhoneId }: MessageRow,
    { networkMediaId, mimeType, filename, sha256 }: MediaFacts,
  ): Promise<void> {
    if (networkMediaId === null) return;
    const expected = { messageId: id, businessPhoneId, networkMediaId, mimeType, filename, sha256 };
    await this.media.expect(accountId, [expected], this.unitOfWork.writes(accountId));
  }
}

function withoutFile({ id, direction, messageType }: MessageRow): Error {
  if (!SENT_WITH_FILE.has(messageType)) return notFound(`message ${id} has no file`);
  return mediaGone(id, direction === 'out' ? 'it was sent by media_url, and is not kept' : 'it was deleted');
}
