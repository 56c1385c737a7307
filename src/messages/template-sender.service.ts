import { Injectable } from '@nestjs/common';
import type { ContactRef } from '../contacts/contact-ref.js';
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { renderTemplateMessage, type SendingInput } from '../templates/template-message.js';
import { now } from '../values/clock.js';
import { SenderPhone } from './sender-phone.service.js';
import { SendingMedia } from './sending-media.service.js';
import type { SentMessage } from './sent-message.js';
import { SingleSender } from './single-sender.service.js';
import { templateBody } from './template-body.js';

/** A template message as the caller asks for it. */
export interface TemplateOrder {
  readonly templateName: string;
  readonly templateLanguage: string | null;
  readonly contact: ContactRef;
  readonly contactName: string | null;
  readonly wabaPhoneId: string | null;
  readonly input: SendingInput;
}

/** Sends template messages, which need no open window. */
@Injectable()
export class TemplateSender {
  constructor(
    private readonly senderPhone: SenderPhone,
    private readonly templates: TemplateCatalog,
    private readonly media: SendingMedia,
    private readonly sender: SingleSender,
  ) {}

  /**
   * @throws DomainError 404 for an unknown template, 403 for a foreign phone, 400 for missing variables or media, a
   * template that is not approved, or an opted-out contact; what {@link SingleSender.send} throws
   */
  async send(accountId: string, order: TemplateOrder): Promise<SentMessage> {
    const wanted = { name: order.templateName, language: order.templateLanguage };
    const phone = await this.senderPhone.choose(accountId, order.wabaPhoneId, wanted);
    const template = await this.templates.findForSending(accountId, { ...wanted, phone });
    const rendered = renderTemplateMessage(template, order.input, now());
    await this.media.check(template, order.input);
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
