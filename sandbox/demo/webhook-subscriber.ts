import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '../../clients/typescript/src/index.js';
import { type ReceivedWebhook, WebhookReceiver } from '../../src/cli/webhook-receiver.js';
import { newSigningSecret } from '../../src/webhooks/endpoints/endpoint-secrets.js';

/** A customer's webhook endpoint: receives events, checks their signatures, and counts unique messages per event. */
export class WebhookSubscriber {
  readonly secret = newSigningSecret();
  /** Deliveries with a missing or invalid signature. */
  forged = 0;
  private readonly messages = new Map<string, Set<string>>();
  private receiver: WebhookReceiver;

  private constructor() {}

  static async listen(): Promise<WebhookSubscriber> {
    const subscriber = new WebhookSubscriber();
    subscriber.receiver = await WebhookReceiver.listen({
      secret: subscriber.secret,
      port: 0,
      path: '/webhooks',
      take: (webhook) => ({ status: subscriber.isGenuine(webhook) ? 200 : 401 }),
    });
    return subscriber;
  }

  get url(): string {
    return this.receiver.url;
  }

  /** Number of unique messages with a correctly signed `event`. */
  received(event: string): number {
    return this.messages.get(event)?.size ?? 0;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /** Verifies a webhook as a customer would, with the client, and counts it. */
  private isGenuine({ headers, body }: ReceivedWebhook): boolean {
    try {
      this.count(verifyWebhook({ body, headers, secret: this.secret }).event);
      return true;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      this.forged++;
      return false;
    }
  }

  private count(event: WebhookEvent): void {
    if (!('message' in event)) return;
    const seen = this.messages.get(event.event) ?? new Set();
    this.messages.set(event.event, seen.add(event.message.message_id));
  }
}
