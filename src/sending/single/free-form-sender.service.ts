import { Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { findLastInbound } from '../../conversations/conversation-key.queries.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { nameInUrl } from '../../egress/file-name.js';
import { badRequest, DomainError, freeFormForbidden } from '../../errors/domain-error.js';
import type { SentMessage } from '../../messages/history/sent-message.js';
import type { SentFile, SentParts } from '../../messages/sent-parts.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { now } from '../../values/clock.js';
import {
  type FreeFormContent,
  freeFormBody,
  type MediaContent,
  partsOfContent,
  readableText,
} from './free-form-content.js';
import { quoting, type SendExtras, SendExtrasService } from './send-extras.service.js';
import { nameOf, type SeenMedia, SendingMediaService } from './sending-media.service.js';
import { SingleSenderService } from './single-sender.service.js';
import { windowRefusal } from './window-refusal.js';

/** A free-form message that has passed the rules of `readFreeForm`. */
export interface FreeFormSend {
  readonly content: FreeFormContent;
  readonly contact: ContactRef;
  readonly contactName: string | null;
  readonly wabaPhoneId: string | null;
  readonly extras?: SendExtras;
}

/** The type of voice messages. */
const VOICE_TYPE = 'audio/ogg';

/** Sends free-form messages, which need an open service window. */
@Injectable()
export class FreeFormSenderService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly media: SendingMediaService,
    private readonly sender: SingleSenderService,
    private readonly extras: SendExtrasService,
  ) {}

  /**
   * @throws DomainError 403 `{detail}` for a foreign phone or a closed window, 400 for unusable media, what
   * {@link SendExtrasService.check} and {@link SingleSenderService.send} throw
   */
  async send(accountId: string, order: FreeFormSend): Promise<SentMessage> {
    const { content, contact } = order;
    const phone = await this.choosePhone(accountId, order.wabaPhoneId);
    const lastInboundAt = await findLastInbound(accountId, contact, phone.id, this.unitOfWork.writes(accountId));
    const refusal = windowRefusal(lastInboundAt, now());
    if (refusal !== null) throw refusal;
    const { extras, quoted } = await this.extras.check({ phone, contact }, order.extras);
    const target =
      content.type === 'reaction'
        ? await this.extras.nameable({ phone, contact }, content.messageId, 'reaction.message_id')
        : null;
    const { named, parts } = 'source' in content ? await this.look(phone, content) : withParts(content);
    return this.sender.send({
      phone,
      contact,
      contactName: order.contactName,
      messageType: content.type,
      content: readableText(content),
      template: null,
      parts,
      extras: target === null ? extras : { ...extras, contextMessageId: target.id },
      body: quoting(freeFormBody(named, target?.networkMessageId), quoted),
      fileIds: 'source' in content && 'fileId' in content.source ? [content.source.fileId] : [],
    });
  }

  /** Checks the file, and names a document that the caller has not named: otherwise the recipient sees "Untitled". */
  private async look(phone: BusinessPhone, content: MediaContent): Promise<Looked> {
    const { source, type, voice } = content;
    const field = 'url' in source ? 'media_url' : 'media_id';
    const own = content.filename ?? ('url' in source ? nameInUrl(source.url) : '');
    const needed = { field, ...source, kind: type, isNameless: type === 'document' && own === '' };
    const seen = await this.media.look(phone.accountId, needed);
    const { mimeType, size, isAnimated } = seen;
    if (voice === true && mimeType !== VOICE_TYPE) {
      throw badRequest(`${field} is ${mimeType}: a voice message must be ${VOICE_TYPE}, with Opus`);
    }
    await this.media.upload(phone, [needed]);
    const filename = type === 'document' ? (nameOf(needed, seen) ?? own) : content.filename;
    const media = {
      ...('url' in source ? { link: source.url } : uploadPart(seen)),
      ...{ mime_type: mimeType, size, filename },
      ...(voice === true && { voice }),
      ...(isAnimated && type === 'sticker' && { animated: isAnimated }),
    };
    return { named: { ...content, filename }, parts: { media } };
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

/** A message as it is sent, and what its record shows. */
interface Looked {
  readonly named: FreeFormContent;
  readonly parts: SentParts;
}

const uploadPart = (seen: SeenMedia): Pick<SentFile, 'media_id' | 'expires_at'> =>
  'id' in seen ? { media_id: seen.id, expires_at: seen.expiresAt.toISOString() } : {};

const withParts = (content: FreeFormContent): Looked => ({ named: content, parts: partsOfContent(content) });
