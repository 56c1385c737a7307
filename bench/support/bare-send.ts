import type { Pool } from 'undici';

/** Sends one message with a plain HTTP request, for the floors of benches; returns the network's message id. */
export async function sendBare(
  network: Pool,
  phoneNumberId: string,
  id: string,
  to: string,
  template = 'bench',
): Promise<string> {
  const answer = await network.request({
    path: `/v23.0/${phoneNumberId}/messages`,
    method: 'POST',
    headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${to}`,
      type: 'template',
      template: { name: template, language: { code: 'en_US' }, components: [] },
      biz_opaque_callback_data: id,
    }),
  });
  const { messages } = (await answer.body.json()) as { messages: { id: string }[] };
  return messages[0]?.id ?? '';
}
