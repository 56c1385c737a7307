// A webhook endpoint in one file: checks each delivery's signature and counts unique messages per event.
//
//   WEBHOOK_SECRET=… node examples/webhook-subscriber.mjs      receives POST / on SUBSCRIBER_PORT (4040)
//   curl http://127.0.0.1:4040/                                returns the counts
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
// In a project of your own: from 'parley-client'. docs/webhooks.md shows how to verify without the client.
import { verifyWebhook, WebhookVerificationError } from '../dist/clients/typescript/src/index.js';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) {
  console.error('WEBHOOK_SECRET is not set: set it to the secret with which the webhook was created');
  process.exit(1);
}
const port = Number(process.env.SUBSCRIBER_PORT ?? 4040);

/** Event name -> message ids. A delivery may be repeated, so each message counts once per event. */
const messages = new Map();
let forged = 0;

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    const counts = Object.fromEntries([...messages].map(([event, ids]) => [event, ids.size]));
    return response.setHeader('content-type', 'application/json').end(`${JSON.stringify({ ...counts, forged })}\n`);
  }
  // The signature covers the raw bytes: JSON that was parsed and serialized again may differ.
  const body = await buffer(request);
  try {
    const { event } = verifyWebhook({ body, headers: request.headers, secret });
    // Respond first, then do the work: a delivery without a timely response is repeated.
    response.writeHead(204).end();
    count(event);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    forged += 1;
    response.writeHead(401).end();
  }
});
server.listen(port, '127.0.0.1', () => console.log(`Waiting for webhooks on http://127.0.0.1:${port}/`));

function count({ event, message }) {
  const ids = messages.get(event) ?? new Set();
  messages.set(event, ids.add(message?.message_id));
}
