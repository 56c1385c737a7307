import { createHmac } from 'node:crypto';
import type { TestPhone } from '../support/test-account.js';
import { APP_SECRET } from './fault-stack.js';
import { measured, type Outcome } from './load.js';

/** The network's backoff between attempts of one callback, milliseconds: it doubles up to the maximum. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2000;

/** Sends callbacks in the network's place, so that each answer can be timed, and retries until they are accepted. */
export class Callbacks {
  /** One entry per attempt. */
  readonly outcomes: Outcome[] = [];

  constructor(
    private readonly baseUrl: string,
    private readonly phone: TestPhone,
    /** Time in milliseconds since 1970 after which no callback is retried: long ago if nobody waits for them any more. */
    private readonly giveUpAt: () => number,
  ) {}

  /** Reports messages as read. */
  read(messages: readonly SentMessage[]): Promise<void> {
    return this.post(readReports(messages));
  }

  /** Delivers a text message from a contact. */
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
      if (outcome.status === 200 || Date.now() > this.giveUpAt()) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** A message in the network's ledger. */
export interface SentMessage {
  readonly id: string;
  readonly biz_opaque_callback_data: string;
}

/** The content of a callback that reports messages as read. */
export const readReports = (messages: readonly SentMessage[]): Record<string, unknown> => ({
  statuses: messages.map(({ id, biz_opaque_callback_data }) => ({
    id,
    status: 'read',
    timestamp: String(Math.floor(Date.now() / 1000)),
    biz_opaque_callback_data,
  })),
});

/** A callback about a phone, built and signed as the network does. */
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
