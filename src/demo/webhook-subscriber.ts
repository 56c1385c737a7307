import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of an event that the demo counts by. */
interface StatusEvent {
  readonly event: string;
  readonly message: { readonly message_id: string };
}

/** A customer's webhook endpoint: takes events, checks each signature, and counts different messages per event. */
export class WebhookSubscriber {
  readonly secret = `whsec_${randomBytes(24).toString('base64')}`;
  /** Deliveries whose signature was missing or wrong. */
  forged = 0;
  private readonly messages = new Map<string, Set<string>>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer(async (request, response) => {
      const body = await bytesOf(request);
      const genuine = this.isGenuine(body, request.headers['x-webhook-signature']);
      if (genuine) this.count(JSON.parse(body.toString('utf8')) as StatusEvent);
      else this.forged++;
      response.writeHead(genuine ? 200 : 401).end();
    });
  }

  static async listen(): Promise<WebhookSubscriber> {
    const subscriber = new WebhookSubscriber();
    await new Promise<void>((resolve, reject) => {
      subscriber.server.once('error', reject);
      subscriber.server.listen(0, '127.0.0.1', resolve);
    });
    return subscriber;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  /** Different messages of which `event` has arrived, with a valid signature. */
  received(event: string): number {
    return this.messages.get(event)?.size ?? 0;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private isGenuine(body: Buffer, signature: string | string[] | undefined): boolean {
    const expected = Buffer.from(`sha256=${createHmac('sha256', this.secret).update(body).digest('hex')}`);
    const given = Buffer.from(typeof signature === 'string' ? signature : '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private count({ event, message }: StatusEvent): void {
    const seen = this.messages.get(event) ?? new Set();
    this.messages.set(event, seen.add(message.message_id));
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
