import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { SentMessage } from '../../messages/history/sent-message.js';
import { storedLook } from '../../messages/sent-parts.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { TemplateUsesService } from '../../templates/looks/template-uses.service.js';
import type { SendingInput } from '../../templates/rendering/sending-input.js';
import { type RenderedTemplate, renderTemplateMessage } from '../../templates/rendering/template-message.js';
import type { Template } from '../../templates/template.entity.js';
import { now } from '../../values/clock.js';
import { quoting, type SendExtras, SendExtrasService } from './send-extras.service.js';
import { SenderPhoneService } from './sender-phone.service.js';
import { SendingMediaService, uploadsIn } from './sending-media.service.js';
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
  readonly extras?: SendExtras;
}

/** Sends template messages, which need no open service window. */
@Injectable()
export class TemplateSenderService {
  constructor(
    private readonly senderPhone: SenderPhoneService,
    private readonly media: SendingMediaService,
    private readonly sender: SingleSenderService,
    private readonly uses: TemplateUsesService,
    private readonly extras: SendExtrasService,
  ) {}

  /**
   * @throws DomainError 404 for an unknown template, 403 for a foreign phone, 400 for missing variables or media, a
   * template that is not approved, or an opted-out contact, what {@link SendExtrasService.check} and
   * {@link SingleSenderService.send} throw
   */
  async send(accountId: string, order: TemplateSend): Promise<SentMessage> {
    const ref = { name: order.templateName, language: order.templateLanguage };
    const { phone, template } = await this.senderPhone.source(accountId, order.wabaPhoneId, ref);
    const { extras, quoted } = await this.extras.check({ phone, contact: order.contact }, order.extras);
    const rendered = await this.render(phone, template, order.input);
    this.uses.note(template);
    return this.sender.send({
      phone,
      contact: order.contact,
      contactName: order.contactName,
      messageType: 'template',
      content: rendered.content,
      template: {
        id: template.id,
        name: template.name,
        category: template.category,
        code: rendered.code,
      },
      parts: { rendered: storedLook(rendered.look) },
      extras,
      body: quoting(templateBody(template, rendered), quoted),
      fileIds: uploadsIn(rendered.media),
    });
  }

  /** Fills in the template and checks its media. */
  private async render(phone: BusinessPhone, template: Template, input: SendingInput): Promise<RenderedTemplate> {
    const at = now();
    const rendered = renderTemplateMessage(template, input, at);
    if (rendered.media.length === 0) return rendered;
    const filename = await this.media.check(phone.accountId, rendered.media);
    await this.media.upload(phone, rendered.media);
    return filename === null ? rendered : renderTemplateMessage(template, { ...input, filename }, at);
  }
}
