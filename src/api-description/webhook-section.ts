import { EVENT_SAMPLES } from './event-samples.js';
import { DELIVERED_KINDS, eventSchemaName } from './event-schemas.js';

const WHEN: Readonly<Record<(typeof DELIVERED_KINDS)[number], string>> = {
  'message.sent': 'The network accepted a message',
  'message.delivered': 'A message reached the phone',
  'message.read': 'The contact read a message',
  'message.failed': 'A message failed',
  'button.clicked': 'The contact tapped a button of a message',
  'message.received': 'The contact wrote',
  'message.reply': 'The contact answered one of your messages',
  'conversation.assigned': 'An agent was given a conversation',
  'conversation.unassigned': 'A conversation has no agent any more',
  'conversation.resolved': 'A conversation was resolved',
  'conversation.reopened': 'A resolved conversation was opened again',
  'webhook.test': 'A test event was asked for',
};

const header = (name: string, required: boolean, description: string, example: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of every delivery, as the request of docs/webhooks.md has them. */
const DELIVERY_HEADERS = [
  header(
    'webhook-id',
    true,
    'The event; the same on every attempt and in every repetition. Skip those that you have processed',
    '019c1363-49c0-7642-9fe5-1e78f53e031a',
  ),
  header('webhook-timestamp', true, 'When this attempt was made, Unix seconds', '1769851800'),
  header(
    'webhook-signature',
    false,
    'One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, ' +
      '`.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it ' +
      'stands. Absent when the endpoint has no secret',
    'v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=',
  ),
  header(
    'X-Webhook-Signature',
    false,
    '`sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint ' +
      'has no secret',
    'sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135',
  ),
  header('User-Agent', true, 'Who sends', 'Parley-Webhook/1.0'),
];

const RESPONSES = {
  '2XX': { description: 'Delivered' },
  '410': { description: 'The delivery has failed, and the endpoint is disabled' },
  '429': { description: 'Tried again, after `Retry-After` if you send it' },
  '4XX': { description: 'The delivery has failed' },
  default: { description: 'Tried again, up to `retry_count` times' },
};

/** The `webhooks` of the description: what Parley sends to endpoints. */
export function describeWebhooks(): Record<string, { post: object }> {
  return Object.fromEntries(
    DELIVERED_KINDS.map((kind) => [
      kind,
      {
        post: {
          operationId: `events.${eventSchemaName(kind).replace(/^\w/, (letter) => letter.toLowerCase())}`,
          summary: WHEN[kind],
          tags: ['events'],
          security: [],
          parameters: DELIVERY_HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/${eventSchemaName(kind)}` },
                example: EVENT_SAMPLES[kind],
              },
            },
          },
          responses: RESPONSES,
        },
      },
    ]),
  );
}
