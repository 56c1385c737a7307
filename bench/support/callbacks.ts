import { createHmac } from 'node:crypto';
import { type LoadResult, load } from './load.js';
import { APP_SECRET, type BenchAccount, type Stack } from './stack.js';

/** What the network knows a message by, and what we do. */
export interface SentMessage {
  readonly id: string;
  readonly network_message_id: string;
}

/** Items of a callback body, such as reports. */
const PER_BODY = 100;
const CONNECTIONS = 8;

/** Three reports about each message, a hundred to a callback. */
export function report(stack: Stack, account: BenchAccount, messages: readonly SentMessage[]): Promise<LoadResult> {
  const statuses = ['sent', 'delivered', 'read'].flatMap((status) =>
    messages.map(({ id, network_message_id }) => ({
      id: network_message_id,
      status,
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id: '4915112345678',
      biz_opaque_callback_data: id,
    })),
  );
  return callBack(stack, account, 'statuses', statuses);
}

/** Posts callbacks of the network, signed, with a hundred items each. */
export function callBack(
  stack: Stack,
  account: BenchAccount,
  kind: 'statuses' | 'messages',
  items: readonly object[],
): Promise<LoadResult> {
  const bodies: string[] = [];
  for (let from = 0; from < items.length; from += PER_BODY) {
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550000001', phone_number_id: account.phoneNumberId },
      [kind]: items.slice(from, from + PER_BODY),
    };
    const change = { id: account.wabaId, changes: [{ field: 'messages', value }] };
    bodies.push(JSON.stringify({ object: 'whatsapp_business_account', entry: [change] }));
  }
  return load(stack.baseUrl, {
    connections: CONNECTIONS,
    requests: bodies.length,
    next: (index) => {
      const body = bodies[index] as string;
      const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;
      return {
        path: '/network/callbacks',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
        body,
      };
    },
  });
}
