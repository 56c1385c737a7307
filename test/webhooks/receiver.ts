import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** How a receiver answers, after `afterMs` milliseconds or when `after` resolves; `hang` never does. */
export type Answer =
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Record<string, string>;
      readonly afterMs?: number;
      readonly after?: Promise<void>;
    }
  | 'hang';

/** A customer's server, on loopback. */
export class Receiver {
  readonly received: Received[] = [];
  /** Deliveries waiting for an answer. */
  waiting = 0;

  private constructor(
    private readonly server: Server,
    private answer: (delivery: Received) => Answer,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.take(request, response));
  }

  static async listen(answer: (delivery: Received) => Answer = () => ({ status: 200 })): Promise<Receiver> {
    const server = createServer({ keepAlive: true });
    const receiver = new Receiver(server, answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  answerWith(answer: (delivery: Received) => Answer): void {
    this.answer = answer;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const delivery = {
      method: request.method ?? '',
      path: request.url ?? '/',
      headers: request.headers,
      body: Buffer.concat(chunks),
      at: Date.now(),
    };
    this.received.push(delivery);
    this.waiting += 1;
    response.once('close', () => {
      this.waiting -= 1;
    });
    const answer = this.answer(delivery);
    if (answer === 'hang') return;
    const { status, headers, body, afterMs = 0, after } = answer;
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    await after;
    response.writeHead(status, headers).end(body);
  }
}

/** Makes the receiver refuse the next delivery with a 503 and take all others. */
export function failOnce(receiver: Receiver): void {
  let hasFailed = false;
  receiver.answerWith(() => {
    const status = hasFailed ? 200 : 503;
    hasFailed = true;
    return { status };
  });
}
