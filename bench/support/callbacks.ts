import { createHmac } from 'node:crypto';
import { type LoadResult, load } from './load.js';
import { APP_SECRET, type BenchAccount, type Stack } from './stack.js';

/** The two ids of a sent message, ours and the network's, and whom it was sent to. */
export interface SentMessage {
  readonly id: string;
  readonly network_message_id: string;
  /** Absent for messages that the bench itself stored: they all have one contact. */
  readonly phone_number?: string;
}

/** The contact of messages that a bench stores. */
export const BENCH_CONTACT = '4915112345678';

/** Reports or messages in one callback. */
const MAX_ITEMS = 100;
const CONNECTIONS = 8;

export const sign = (body: string): string => `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;

export const signedHeaders = (body: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-hub-signature-256': sign(body),
});

/** A status report as the network sends it. */
export const statusReport = ({ id, network_message_id, phone_number }: SentMessage, status: string): object => ({
  id: network_message_id,
  status,
  timestamp: String(Math.floor(Date.now() / 1000)),
  recipient_id: phone_number ?? BENCH_CONTACT,
  biz_opaque_callback_data: id,
});

/** The body of a callback with these reports or messages. */
export function callbackBody(account: BenchAccount, kind: 'statuses' | 'messages', items: readonly object[]): string {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550000001', phone_number_id: account.phoneNumberId },
    [kind]: items,
  };
  const change = { id: account.wabaId, changes: [{ field: 'messages', value }] };
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [change] });
}

/** Reports each message as sent, delivered and read. */
export function report(stack: Stack, account: BenchAccount, messages: readonly SentMessage[]): Promise<LoadResult> {
  const statuses = ['sent', 'delivered', 'read'].flatMap((status) =>
    messages.map((message) => statusReport(message, status)),
  );
  return postCallbacks(stack, account, 'statuses', statuses);
}

/** Posts signed callbacks with 100 items each. */
export function postCallbacks(
  stack: Stack,
  account: BenchAccount,
  kind: 'statuses' | 'messages',
  items: readonly object[],
): Promise<LoadResult> {
  const bodies: string[] = [];
  for (let from = 0; from < items.length; from += MAX_ITEMS) {
    bodies.push(callbackBody(account, kind, items.slice(from, from + MAX_ITEMS)));
  }
  return load(stack.baseUrl, {
    connections: CONNECTIONS,
    requests: bodies.length,
    next: (index) => {
      const body = bodies[index] as string;
      return { path: '/network/callbacks', headers: signedHeaders(body), body };
    },
  });
}
