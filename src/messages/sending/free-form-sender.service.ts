import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import type { ContactRef } from '../../contacts/contact-ref.js';
import { findLastInbound } from '../../conversations/conversation-key.queries.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { MediaProbe } from '../../egress/media-probe.js';
import { DomainError, freeFormForbidden } from '../../errors/domain-error.js';
import { now } from '../../values/clock.js';
import { type FreeFormContent, freeFormBody } from './free-form-rules.js';
import type { SentMessage } from './sent-message.js';
import { SingleSenderService } from './single-sender.service.js';
import { windowRefusal } from './window-refusal.js';

/** A free-form message that has passed the rules of `readFreeForm`. */
export interface FreeFormSend {
  readonly content: FreeFormContent;
  readonly contact: ContactRef;
  readonly contactName: string | null;
  readonly wabaPhoneId: string | null;
}

/** Sends free-form messages, which need an open service window. */
@Injectable()
export class FreeFormSenderService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly media: MediaProbe,
    private readonly sender: SingleSenderService,
  ) {}

  /**
   * @throws DomainError 403 `{detail}` for a foreign phone or a closed window, 400 for unusable media, and what
   * {@link SingleSenderService.send} throws
   */
  async send(accountId: string, order: FreeFormSend): Promise<SentMessage> {
    const { content } = order;
    const phone = await this.choosePhone(accountId, order.wabaPhoneId);
    const lastInboundAt = await findLastInbound(accountId, order.contact, phone.id, this.unitOfWork.writes(accountId));
    const refusal = windowRefusal(lastInboundAt, now());
    if (refusal !== null) throw refusal;
    if (content.type !== 'text') await this.media.probe(content.mediaUrl, content.type);
    return this.sender.send({
      phone,
      contact: order.contact,
      contactName: order.contactName,
      messageType: content.type,
      content: content.type === 'text' ? content.text : (content.caption ?? ''),
      template: null,
      body: freeFormBody(content),
    });
  }

  /** Only this endpoint reports a foreign phone in the `{detail}` format. */
  private async choosePhone(accountId: string, phoneId: string | null): Promise<BusinessPhone> {
    try {
      return await this.phones.choose(accountId, phoneId);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'forbidden') throw freeFormForbidden(error.message);
      throw error;
    }
  }
}
