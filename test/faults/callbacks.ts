import { createHmac } from 'node:crypto';
import type { TestPhone } from '../support/test-account.js';
import { APP_SECRET } from './fault-stack.js';
import { measured, type Outcome } from './load.js';

/** The network's pauses between the tries of one callback, milliseconds: the first, and the longest that it doubles to. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2000;

/** The network's callbacks, made here so that each answer can be timed: repeated until they are taken, as the network does. */
export class Callbacks {
  /** Each try. */
  readonly outcomes: Outcome[] = [];
  /** Callbacks that were taken in the end. */
  taken = 0;

  constructor(
    private readonly baseUrl: string,
    private readonly phone: TestPhone,
    /** After this no callback is tried again. */
    private readonly giveUpAt: () => number,
  ) {}

  /** Reports that messages were read. */
  read(messages: readonly SentMessage[]): Promise<void> {
    return this.post(readReports(messages));
  }

  /** Brings a text that a contact wrote. */
  inbound(from: string, networkMessageId: string): Promise<void> {
    return this.post({
      contacts: [{ wa_id: from, profile: { name: 'Ada' } }],
      messages: [
        {
          id: networkMessageId,
          from,
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: 'text',
          text: { body: 'Is my parcel on its way?' },
        },
      ],
    });
  }

  private async post(content: Record<string, unknown>): Promise<void> {
    const { headers, body } = signedCallback(this.phone, content);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      const outcome = await measured(`${this.baseUrl}/network/callbacks`, { method: 'POST', headers, body });
      this.outcomes.push(outcome);
      if (outcome.status === 200) {
        this.taken += 1;
        return;
      }
      if (Date.now() > this.giveUpAt()) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** A message as the network knows it. */
export interface SentMessage {
  readonly id: string;
  readonly biz_opaque_callback_data: string;
}

/** What a callback says of messages that were read now. */
export const readReports = (messages: readonly SentMessage[]): Record<string, unknown> => ({
  statuses: messages.map(({ id, biz_opaque_callback_data }) => ({
    id,
    status: 'read',
    timestamp: String(Math.floor(Date.now() / 1000)),
    recipient_id: '4915100000000',
    biz_opaque_callback_data,
  })),
});

/** A callback about a phone as the network makes and signs it. */
export function signedCallback(
  phone: TestPhone,
  content: Record<string, unknown>,
): { headers: Record<string, string>; body: string } {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550000000', phone_number_id: phone.phoneNumberId },
    ...content,
  };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: phone.wabaId, changes: [{ field: 'messages', value }] }],
  });
  const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex');
  return { headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }, body };
}
