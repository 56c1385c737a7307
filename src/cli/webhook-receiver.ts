import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { now } from '../values/clock.js';
import { verificationFailure } from './webhook-verification.js';

/** Bytes of a body; events are far smaller. */
const MAX_BODY = 1024 * 1024;

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  readonly at: Date;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Why it cannot be trusted; null when its signatures are right. */
  readonly failure: string | null;
}

/** What a webhook is answered with. */
export interface WebhookAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** How to receive webhooks. */
export interface WebhookReceiverOptions {
  readonly secret: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where it is on this machine, such as `/webhooks`. */
  readonly path: string;
  /** Says what to answer to a webhook, genuine or not. */
  readonly take: (webhook: ReceivedWebhook) => WebhookAnswer | Promise<WebhookAnswer>;
}

/** A webhook endpoint on loopback, which verifies what it gets. */
export class WebhookReceiver {
  private constructor(
    private readonly server: Server,
    private readonly options: WebhookReceiverOptions,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // A sender that breaks off, or sends too much, gets no answer.
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async listen(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(createServer(), options);
    const { server } = receiver;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.options.path}`;
  }

  /** Breaks off what is still being received. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { secret, path, take } = this.options;
    if (request.method !== 'POST' || request.url !== path) {
      request.resume();
      response.writeHead(404).end();
      return;
    }
    const body = await bytesOf(request);
    const at = now();
    const failure = verificationFailure(request.headers, body, secret, at);
    const { status, headers, body: said } = await take({ at, headers: request.headers, body, failure });
    response.writeHead(status, headers).end(said);
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) throw new Error(`the body has more than ${MAX_BODY} bytes`);
  }
  return Buffer.concat(chunks);
}
