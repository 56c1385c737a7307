// A webhook endpoint in one file: checks each delivery's signature and counts unique messages per event.
//
//   WEBHOOK_SECRET=… node examples/webhook-subscriber.mjs      receives POST / on SUBSCRIBER_PORT (4040)
//   curl http://127.0.0.1:4040/                                returns the counts
import { createServer } from 'node:http';
// In a project of your own: from 'parley-client'. docs/webhooks.md shows how to verify without the client.
import { verifyWebhook, WebhookVerificationError } from '../dist/clients/typescript/src/index.js';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) {
  console.error('WEBHOOK_SECRET is not set: set it to the secret with which the webhook was created');
  process.exit(1);
}
const port = Number(process.env.SUBSCRIBER_PORT ?? 4040);
/** Far more than Parley sends. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Milliseconds within which a request must be complete. Parley waits no longer than 30 seconds for the response. */
const MAX_REQUEST_MS = 10_000;

/** Event name -> message ids. A delivery may be repeated, so each message counts once per event. */
const messages = new Map();
let forged = 0;

const limits = { requestTimeout: MAX_REQUEST_MS, connectionsCheckingInterval: 1_000 };
const server = createServer(limits, (request, response) => {
  respond(request, response).catch((error) => {
    // The sender went away, or the code above has a fault. Neither may end the process.
    console.error(`a request failed: ${error.message}`);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  });
});
server.listen(port, '127.0.0.1', () => console.log(`Waiting for webhooks on http://127.0.0.1:${port}/`));

async function respond(request, response) {
  if (request.method === 'GET') {
    const counts = Object.fromEntries([...messages].map(([event, ids]) => [event, ids.size]));
    return response.setHeader('content-type', 'application/json').end(`${JSON.stringify({ ...counts, forged })}\n`);
  }
  const body = await readBody(request);
  if (body === null) return response.writeHead(413, { connection: 'close' }).end();
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
}

/** The raw bytes, which the signature covers: JSON that was parsed and serialized again may differ. Null: too large. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function count({ event, message }) {
  const ids = messages.get(event) ?? new Set();
  messages.set(event, ids.add(message?.message_id));
}
