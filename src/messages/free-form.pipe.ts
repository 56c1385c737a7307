import { Injectable, type PipeTransform } from '@nestjs/common';
import { ShapePipe } from '../http/shape.pipe.js';
import { SendFreeFormRequest } from './dto/send-free-form.dto.js';
import { readFreeForm } from './free-form-rules.js';
import type { FreeFormOrder } from './free-form-sender.service.js';

/**
 * Reads the body of a free-form send, with all that depends on the message's type: it belongs to the shape, which is
 * checked before the Idempotency-Key is looked at (D7, D46).
 */
@Injectable()
export class FreeFormPipe implements PipeTransform<unknown, Promise<FreeFormOrder>> {
  private readonly shape = new ShapePipe();

  async transform(value: unknown): Promise<FreeFormOrder> {
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
      contactPhone: body.contact_phone,
      contactName: body.contact_name ?? null,
      wabaPhoneId: body.waba_phone_id ?? null,
    };
  }
}
