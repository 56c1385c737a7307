import { Injectable } from '@nestjs/common';
import { type Database, UnitOfWork } from '../../database/unit-of-work.js';
import type { Page, Paged } from '../../values/page.js';
import { messageNotFound } from '../messages.errors.js';
import { CampaignLooks } from './campaign-looks.js';
import { findMessage, listMessages, type MessageFilter } from './message-history.queries.js';
import { type SentMessage, sentMessageOf } from './sent-message.js';
import { type ShownMessage, shownMessages } from './shown-message.js';

/** Reads sent and received messages. */
@Injectable()
export class MessageHistoryService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly looks: CampaignLooks,
  ) {}

  async list(accountId: string, filter: MessageFilter, page: Page): Promise<Paged<ShownMessage>> {
    const reads = this.unitOfWork.reads(accountId);
    const paged = await listMessages(accountId, filter, page, reads);
    return { ...paged, rows: await shownMessages(accountId, paged.rows, this.looks, reads) };
  }

  /** @throws DomainError 404 */
  async get(accountId: string, messageId: string): Promise<ShownMessage> {
    const message = await this.find(accountId, messageId, this.unitOfWork.reads(accountId));
    if (message === null) throw messageNotFound(messageId);
    return message;
  }

  /** A message as a transaction sees it; null when there is none. */
  async find(accountId: string, messageId: string, db: Database): Promise<ShownMessage | null> {
    const message = await findMessage(accountId, messageId, db);
    if (message === null) return null;
    const [shown] = await shownMessages(accountId, [message], this.looks, db);
    return shown ?? null;
  }

  /** The outcome of a send whose process died. @throws DomainError 404, or as {@link sentMessageOf} */
  async sent(accountId: string, messageId: string): Promise<SentMessage> {
    return sentMessageOf(await this.get(accountId, messageId));
  }
}
