import { WebhookReceiver } from '../../src/cli/webhook-receiver.js';
import { newSigningSecret } from '../../src/webhooks/endpoints/endpoint-secrets.js';

/** The fields of an event that the demo uses. */
interface StatusEvent {
  readonly event: string;
  readonly message: { readonly message_id: string };
}

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
      take: ({ body, failure }) => {
        if (failure === null) subscriber.count(JSON.parse(body.toString('utf8')) as StatusEvent);
        else subscriber.forged++;
        return { status: failure === null ? 200 : 401 };
      },
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

  private count({ event, message }: StatusEvent): void {
    const seen = this.messages.get(event) ?? new Set();
    this.messages.set(event, seen.add(message.message_id));
  }
}
