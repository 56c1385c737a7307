import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { notFound } from '../../errors/domain-error.js';
import type { Page, Paged } from '../../values/page.js';
import { type SentMessage, sentMessageOf } from '../sending/sent-message.js';
import { findMessage, listMessages, type MessageFilter, type MessageRow } from './message-history.queries.js';

/** Reads sent and received messages. */
@Injectable()
export class MessageHistoryService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  list(accountId: string, filter: MessageFilter, page: Page): Promise<Paged<MessageRow>> {
    return listMessages(accountId, filter, page, this.unitOfWork.reads(accountId));
  }

  /** @throws DomainError 404 */
  async get(accountId: string, messageId: string): Promise<MessageRow> {
    const message = await findMessage(accountId, messageId, this.unitOfWork.reads(accountId));
    if (message === null) throw notFound(`message ${messageId} not found`);
    return message;
  }

  /** The outcome of a send whose process died. @throws DomainError 404, or as {@link sentMessageOf} */
  async sent(accountId: string, messageId: string): Promise<SentMessage> {
    return sentMessageOf(await this.get(accountId, messageId));
  }
}
