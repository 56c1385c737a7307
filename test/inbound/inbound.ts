import { createHmac } from 'node:crypto';
import type { TestAccount, TestPhone, World } from '../support/world.js';

/** A message that a contact sent, as `/messages/` lists it. */
export interface InboundRecord {
  readonly message_id: string;
  readonly contact_id: string;
  readonly contact_phone: string | null;
  readonly contact_user_id?: string;
  readonly contact_name: string;
  readonly content: string;
  readonly message_type: string;
  readonly network_message_id: string;
  readonly created_at: string;
}

/** The messages the account received, oldest first. */
export async function receivedBy({ api }: TestAccount): Promise<InboundRecord[]> {
  const { body } = await api.get<{ messages: InboundRecord[] }>('/api/v1/messages/?direction=in&limit=100');
  return body.messages.toReversed();
}

/** The value of a `messages` change from one phone. */
export const changeOf = ({ phoneNumberId }: TestPhone, content: Record<string, unknown>): Record<string, unknown> => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '15550000000', phone_number_id: phoneNumberId },
  ...content,
});

/** Delivers messages in a signed callback and returns its status. */
export async function deliver(world: World, phone: TestPhone, content: Record<string, unknown>): Promise<number> {
  return (await world.simulator.callback('messages', changeOf(phone, content))).callback_status;
}

/** How long the network repeats a callback here before its refusal is the answer, milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Posts bytes to the callback route as the network does, which repeats them when they are refused for now (503);
 * `signature` replaces the right one, null omits it.
 */
export async function postCallback(world: World, bytes: string | Buffer, signature?: string | null): Promise<Response> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await postOnce(world, bytes, signature);
    const retryAfterMs = Number(answer.headers.get('retry-after')) * 1000;
    const isRefusal = answer.status === 503 && retryAfterMs > 0;
    if (!isRefusal || performance.now() - startedAt >= PATIENCE_MS) return answer;
    await answer.arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
  }
}

/** The same, once. For tests about refusals. */
export function postOnce(world: World, bytes: string | Buffer, signature?: string | null): Promise<Response> {
  const hmac = createHmac('sha256', world.environment.network.appSecret).update(bytes).digest('hex');
  const header = signature === undefined ? `sha256=${hmac}` : signature;
  return fetch(`${world.baseUrl}/network/callbacks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(header === null ? {} : { 'x-hub-signature-256': header }),
    },
    body: bytes,
  });
}

/** An envelope with one change. */
export const envelope = (wabaId: string, field: unknown, value: unknown): string =>
  JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: wabaId, changes: [{ field, value }] }] });

/**
 * Callbacks that were acknowledged and stored unhandled, oldest first. Without approvals that arrived before the template
 * was stored, because which of the two comes first is chance.
 */
export const unhandledOf = (
  world: World,
  accountId: string | null,
): Promise<{ field: string | null; reason: string; body: unknown }[]> =>
  world.unitOfWork.autocommit.rows(
    `SELECT field, reason, body FROM unhandled_callbacks u
     WHERE account_id IS NOT DISTINCT FROM $1::uuid
       AND NOT (field = 'message_template_status_update' AND reason = 'no such template' AND EXISTS
         (SELECT FROM templates t
          WHERE t.account_id = u.account_id AND strpos(u.body::text, t.meta_template_id) > 0))
     ORDER BY id`,
    [accountId],
  );
