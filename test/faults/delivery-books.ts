import { createHmac } from 'node:crypto';
import type { ListedDelivery } from '../webhooks/events.js';
import type { Received } from '../webhooks/receiver.js';
import { count, list } from './books.js';
import type { FaultAccount, FaultStack } from './fault-stack.js';
import { say } from './figures.js';

/** How long the last retries may take, milliseconds. */
const SETTLE_MS = 180_000;
const POLL_MS = 250;
const PAGE = 100;

/** An endpoint subscribed to every event of its account. */
export interface WatchedEndpoint {
  readonly account: FaultAccount;
  readonly id: string;
  readonly secret: string;
  readonly retries: number;
}

interface EventRow {
  readonly id: string;
  readonly body: string;
}

/**
 * Compares the event log with the arrivals and the delivery log: each event must have arrived at least once with the
 * same id and bytes, or the log must show its exhausted retries. Each finding is a sentence.
 */
export class DeliveryBooks {
  constructor(
    private readonly stack: FaultStack,
    private readonly endpoint: WatchedEndpoint,
  ) {}

  /** Waits until nothing is pending, then compares. */
  async findings(arrivals: readonly Received[]): Promise<string[]> {
    const unsettled = await this.settle();
    const { accountId } = this.endpoint.account;
    const events = await this.stack.query<EventRow>('SELECT id, body FROM events WHERE account_id = $1', [accountId]);
    const deliveries = await this.deliveries();
    const exhausted = deliveries.filter((delivery) => this.isExhausted(delivery));
    say(
      `  deliveries: ${events.length} events, ${arrivals.length} arrivals of ${new Set(arrivals.map(idOf)).size}; ` +
        `${count(deliveries.map(({ status }) => status))}; ${exhausted.length} exhausted`,
    );
    return [...unsettled, ...this.arrivalFindings(events, arrivals), ...this.logFindings(events, deliveries, arrivals)];
  }

  /** The delivery log as the API shows it. */
  async deliveries(): Promise<ListedDelivery[]> {
    const { account, id } = this.endpoint;
    const all: ListedDelivery[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await account.api.get<{ deliveries: ListedDelivery[] }>(
        `/api/v1/webhooks/${id}/deliveries?limit=${PAGE}&page=${page}`,
      );
      all.push(...body.deliveries);
      if (body.deliveries.length < PAGE) return all;
    }
  }

  /** @returns what is still open after {@link SETTLE_MS} */
  private async settle(): Promise<string[]> {
    const { account, id } = this.endpoint;
    const giveUpAt = Date.now() + SETTLE_MS;
    for (;;) {
      const [open] = await this.stack.query<{ outbox: string; pending: string }>(
        `SELECT (SELECT count(*) FROM outbox WHERE account_id = $1) AS outbox,
                (SELECT count(*) FROM webhook_deliveries
                 WHERE account_id = $1 AND endpoint_id = $2 AND status = 'pending') AS pending`,
        [account.accountId, id],
      );
      if (open?.outbox === '0' && open.pending === '0') return [];
      if (Date.now() > giveUpAt) {
        return [`${open?.outbox} events and ${open?.pending} deliveries still wait after ${SETTLE_MS / 1000} s`];
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Compares the arrivals with the stored bytes of each event. */
  private arrivalFindings(events: readonly EventRow[], arrivals: readonly Received[]): string[] {
    const bodies = new Map(events.map(({ id, body }) => [id, body]));
    const signed = ({ body, headers }: Received) =>
      headers['x-webhook-signature'] ===
      `sha256=${createHmac('sha256', this.endpoint.secret).update(body).digest('hex')}`;
    return [
      ...list(
        'arrivals belong to no event',
        arrivals.map(idOf).filter((id) => !bodies.has(id)),
      ),
      ...list(
        'arrivals differ from the bytes of their events',
        arrivals.filter(({ body, ...arrival }) => !sameBytes(body, bodies.get(idOf(arrival)))).map(idOf),
      ),
      ...list('arrivals are not signed correctly', arrivals.filter((arrival) => !signed(arrival)).map(idOf)),
    ];
  }

  /** Compares the delivery log with the events and the arrivals. */
  private logFindings(
    events: readonly EventRow[],
    deliveries: readonly ListedDelivery[],
    arrivals: readonly Received[],
  ): string[] {
    const arrived = new Set(arrivals.map(idOf));
    const exhausted = new Set(deliveries.filter((each) => this.isExhausted(each)).map(({ webhook_id }) => webhook_id));
    const logged = new Set(deliveries.map(({ webhook_id }) => webhook_id));
    return [
      ...list(
        'events have neither arrived nor exhausted their retries',
        events.map(({ id }) => id).filter((id) => !arrived.has(id) && !exhausted.has(id)),
      ),
      ...list(
        'events have no delivery',
        events.map(({ id }) => id).filter((id) => !logged.has(id)),
      ),
      ...list(
        'deliveries are logged as delivered but have not arrived',
        deliveries
          .filter(({ status, webhook_id }) => status === 'delivered' && !arrived.has(webhook_id))
          .map(({ id }) => id),
      ),
      ...list(
        'deliveries failed before their retries were exhausted',
        deliveries
          .filter((delivery) => delivery.status === 'failed' && !this.isExhausted(delivery))
          .map(({ id }) => id),
      ),
    ];
  }

  private isExhausted({ status, attempts }: ListedDelivery): boolean {
    return status === 'failed' && attempts.length > this.endpoint.retries;
  }
}

const idOf = ({ headers }: Pick<Received, 'headers'>): string => String(headers['webhook-id']);

const sameBytes = (arrived: Buffer, body: string | undefined): boolean =>
  body !== undefined && arrived.equals(Buffer.from(body, 'utf8'));
