import { Injectable, type PipeTransform } from '@nestjs/common';
import { contactOfBody } from '../../contacts/contact-ref.js';
import { RequestValidationPipe } from '../../http/request-validation.pipe.js';
import { SendFreeFormRequest } from '../dto/send-free-form.dto.js';
import { readFreeForm } from './free-form-rules.js';
import type { FreeFormSend } from './free-form-sender.service.js';

/**
 * Reads the body of a free-form send. The rules that depend on the message type are part of validation, which runs
 * before the Idempotency-Key is claimed.
 */
@Injectable()
export class FreeFormPipe implements PipeTransform<unknown, Promise<FreeFormSend>> {
  private readonly shape = new RequestValidationPipe();

  async transform(value: unknown): Promise<FreeFormSend> {
    const metadata = { type: 'body', metatype: SendFreeFormRequest } as const;
    const body = (await this.shape.transform(value, metadata)) as SendFreeFormRequest;
    return {
      content: readFreeForm({
        messageType: body.message_type,
        message: body.message,
        mediaUrl: body.media_url,
        caption: body.caption,
        filename: body.filename,
        buttons: body.buttons,
      }),
      contact: contactOfBody(body),
      contactName: body.contact_name ?? null,
      wabaPhoneId: body.waba_phone_id ?? null,
    };
  }
}
