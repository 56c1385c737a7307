import { Injectable } from '@nestjs/common';
import type { ContactRef } from '../../contacts/contact-ref.js';
import type { SendingInput } from '../../templates/rendering/sending-input.js';
import { TemplateCatalogService } from '../../templates/rendering/template-catalog.service.js';
import { renderTemplateMessage } from '../../templates/rendering/template-message.js';
import { now } from '../../values/clock.js';
import { SenderPhoneService } from './sender-phone.service.js';
import { SendingMediaService } from './sending-media.service.js';
import type { SentMessage } from './sent-message.js';
import { SingleSenderService } from './single-sender.service.js';
import { templateBody } from './template-body.js';

/** A template message as requested. */
export interface TemplateSend {
  readonly templateName: string;
  readonly templateLanguage: string | null;
  readonly contact: ContactRef;
  readonly contactName: string | null;
  readonly wabaPhoneId: string | null;
  readonly input: SendingInput;
}

/** Sends template messages, which need no open service window. */
@Injectable()
export class TemplateSenderService {
  constructor(
    private readonly senderPhone: SenderPhoneService,
    private readonly templates: TemplateCatalogService,
    private readonly media: SendingMediaService,
    private readonly sender: SingleSenderService,
  ) {}

  /**
   * @throws DomainError 404 for an unknown template, 403 for a foreign phone, 400 for missing variables or media, a
   * template that is not approved, or an opted-out contact, and what {@link SingleSenderService.send} throws
   */
  async send(accountId: string, order: TemplateSend): Promise<SentMessage> {
    const ref = { name: order.templateName, language: order.templateLanguage };
    const phone = await this.senderPhone.choose(accountId, order.wabaPhoneId, ref);
    const template = await this.templates.findForSending(accountId, { ...ref, phone });
    const rendered = renderTemplateMessage(template, order.input, now());
    await this.media.check(rendered.media);
    return this.sender.send({
      phone,
      contact: order.contact,
      contactName: order.contactName,
      messageType: 'template',
      content: rendered.content,
      template: { id: template.id, name: template.name, marketing: template.category === 'MARKETING' },
      body: templateBody(template, rendered),
    });
  }
}
