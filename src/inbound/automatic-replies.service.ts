import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { BusinessPhone } from '../accounts/business-phones.service.js';
import type { Tx } from '../database/unit-of-work.js';
import type { ContactRef } from '../people/contact-ref.js';
import { freeFormBody } from '../sending/single/free-form-content.js';
import { NO_EXTRAS } from '../sending/single/send-extras.service.js';
import {
  type IntendedMessage,
  SingleIntentsService,
  type StoredIntent,
} from '../sending/single/single-intents.service.js';
import { SingleSenderService } from '../sending/single/single-sender.service.js';
import { MINUTE } from '../values/clock.js';
import { OncePer } from '../values/once-per.js';

/** An automatic reply that is stored but not sent yet. */
export interface AutomaticReply {
  readonly message: IntendedMessage;
  readonly intent: StoredIntent;
}

/**
 * Sends the texts of the `auto_reply` rule in the background, so that the network gets its response without waiting.
 * The message is stored together with its claim, and the outcome of the send is recorded on it.
 */
@Injectable()
export class AutomaticRepliesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AutomaticRepliesService.name);
  private readonly warnings = new OncePer(MINUTE);
  private readonly inFlight = new Set<Promise<void>>();

  constructor(
    private readonly intents: SingleIntentsService,
    private readonly sender: SingleSenderService,
  ) {}

  /** Stores `text` as a message to the contact, in the transaction that claims it. */
  async storeIntent(phone: BusinessPhone, contact: ContactRef, text: string, tx: Tx): Promise<AutomaticReply> {
    const message: IntendedMessage = {
      phone,
      contact,
      contactName: null,
      messageType: 'text',
      content: text,
      template: null,
      parts: {},
      extras: NO_EXTRAS,
      body: freeFormBody({ type: 'text', text, buttons: null }),
    };
    return { message, intent: await this.intents.storeWithin(message, tx) };
  }

  /** Sends a reply whose transaction has committed. */
  send(reply: AutomaticReply): void {
    const sending = this.trySending(reply).finally(() => this.inFlight.delete(sending));
    this.inFlight.add(sending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  private async trySending({ message, intent }: AutomaticReply): Promise<void> {
    try {
      await this.sender.sendStored(message, intent);
    } catch (error) {
      const line = `account ${message.phone.accountId}: an automatic reply was not sent: ${(error as Error).message}`;
      if (this.warnings.allows(line)) this.logger.warn(line);
    }
  }
}
