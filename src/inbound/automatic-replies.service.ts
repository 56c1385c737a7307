import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { BusinessPhone } from '../accounts/business-phones.service.js';
import { freeFormBody } from '../messages/free-form-rules.js';
import { SingleSender } from '../messages/single-sender.service.js';
import type { PhoneNumber } from '../values/phone-number.js';

/**
 * Sends the texts of the `auto_reply` rule (D35) beside the callback that set them off: the network is answered at once,
 * and what becomes of a text is on its message.
 */
@Injectable()
export class AutomaticReplies implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AutomaticReplies.name);
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly sender: SingleSender) {}

  /** Sends `text` in the contact's thread, whose window its message has just opened. */
  send(phone: BusinessPhone, contactPhone: PhoneNumber, text: string): void {
    const sending = this.trySending(phone, contactPhone, text).finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private async trySending(phone: BusinessPhone, contactPhone: PhoneNumber, text: string): Promise<void> {
    try {
      await this.sender.send({
        phone,
        contactPhone,
        contactName: null,
        messageType: 'text',
        content: text,
        template: null,
        body: freeFormBody({ type: 'text', text, buttons: null }),
      });
    } catch (error) {
      this.logger.warn(`an automatic reply was not sent: ${(error as Error).message}`);
    }
  }
}
