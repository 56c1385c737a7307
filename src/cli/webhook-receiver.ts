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

/** Maximum size of a body, bytes. Events are far smaller. */
const MAX_BODY = 1024 * 1024;

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  readonly at: Date;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Why verification failed; null when it succeeded. */
  readonly failure: string | null;
}

/** The answer to a webhook. */
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
  /** The URL path, such as `/webhooks`. */
  readonly path: string;
  /** Answers a webhook, verified or not. */
  readonly take: (webhook: ReceivedWebhook) => WebhookAnswer | Promise<WebhookAnswer>;
}

/** A webhook endpoint on the loopback interface that verifies what it receives. */
export class WebhookReceiver {
  private constructor(
    private readonly server: Server,
    private readonly options: WebhookReceiverOptions,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // A sender that disconnects or sends too much gets no answer.
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

  /** Stops listening and aborts open requests. */
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
    const { status, headers, body: answerBody } = await take({ at, headers: request.headers, body, failure });
    response.writeHead(status, headers).end(answerBody);
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
