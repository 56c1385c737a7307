import { type Output, printable } from './command-runner.js';
import type { Forwarded } from './webhook-forwarder.js';
import type { ReceivedWebhook } from './webhook-receiver.js';

/** The webhook endpoint of this listener. */
export interface ListeningEndpoint {
  readonly id: string;
  readonly url: string;
  readonly subscribed_events: readonly string[];
}

/** Prints webhooks as they arrive: as readable text, or one JSON line each. */
export class WebhookPrinter {
  constructor(
    private readonly output: Pick<Output, 'out'>,
    private readonly json: boolean,
  ) {}

  /** @param secret signs the webhooks */
  ready({ id, url, subscribed_events }: ListeningEndpoint, secret: string, forward: string | null): void {
    if (this.json) {
      this.jsonLine({ endpoint_id: id, url, secret, subscribed_events });
      return;
    }
    this.lines(
      `Ready: webhook ${id} sends ${subscribed_events.join(', ')}`,
      `  to      ${url}`,
      ...(forward === null ? [] : [`  then    ${forward}`]),
      `  secret  ${secret}`,
      'Press Ctrl-C to stop and remove the webhook.',
    );
  }

  arrived(webhook: ReceivedWebhook): void {
    if (this.json) return;
    const { at, headers, body, failure } = webhook;
    const what = `${eventOf(webhook)}  ${String(headers['webhook-id'] ?? 'without webhook-id')}`;
    this.lines(
      `${timeOf(at)}  ${what}  ${failure === null ? 'verified' : `NOT VERIFIED: ${failure}`}`,
      `  ${body.toString('utf8')}`,
    );
  }

  /** @param forwarded the application's answer; null when nothing was forwarded */
  answered(webhook: ReceivedWebhook, forwarded: Forwarded | null): void {
    const { at, headers, failure } = webhook;
    if (this.json) {
      this.jsonLine({
        at: at.toISOString(),
        event: eventOf(webhook),
        webhook_id: headers['webhook-id'] ?? null,
        verified: failure === null,
        failure,
        forwarded:
          forwarded === null
            ? null
            : { status: forwarded.status, error: forwarded.error, duration_ms: forwarded.durationMs },
        payload: payloadOf(webhook),
      });
    } else if (forwarded !== null) {
      const { status, error, durationMs } = forwarded;
      const what = status === null ? `could not be forwarded: ${error}` : `answered ${status} after ${durationMs} ms`;
      this.lines(`${timeOf(new Date(at.getTime() + durationMs))}  ${String(headers['webhook-id'])}  ${what}`);
      if (status === 410) this.lines('  410 disables the webhook: no more events will arrive. Restart to continue.');
    }
  }

  private lines(...lines: string[]): void {
    this.output.out(lines.map((line) => `${printable(line)}\n`).join(''));
  }

  private jsonLine(value: unknown): void {
    this.output.out(`${JSON.stringify(value)}\n`);
  }
}

const timeOf = (at: Date): string => at.toISOString().slice(11);

/** The body as JSON if it parses, otherwise as text. */
function payloadOf({ body }: ReceivedWebhook): unknown {
  const text = body.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The event name in a webhook's body. */
export function eventOf(webhook: ReceivedWebhook): string {
  const payload = payloadOf(webhook);
  const event = typeof payload === 'object' && payload !== null ? (payload as { event?: unknown }).event : undefined;
  return typeof event === 'string' ? event : 'unknown event';
}
