import { Injectable, Logger } from '@nestjs/common';
import { textOf } from '../../egress/body-text.js';
import { EgressError } from '../../egress/egress-error.js';
import { type SpanStart, traced } from '../../tracing/spans.js';
import { now } from '../../values/clock.js';
import { retryAfterMs } from '../../values/retry-after.js';
import type { DeliveryAttempt } from './delivery.queries.js';
import { DeliveryClient } from './delivery-client.js';
import { judgeResponse, nextStep, responseError } from './delivery-verdict.js';
import type { Credentials, LeasedDelivery, UnreadableCredentials } from './due-deliveries.service.js';
import { deliveryHeaders } from './webhook-signature.js';

/** How much of a response is stored, bytes. */
const MAX_STORED_BYTES = 1024;

interface AttemptResponse {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** What was odd about the response; null if nothing was. */
  readonly note: string | null;
  /** The endpoint's `Retry-After`, milliseconds; null when it sent none. */
  readonly requestedMs: number | null;
  readonly isOurFault: boolean;
}

/** The result when no response came. */
const noResponse = (error: string): AttemptResponse => ({
  statusCode: null,
  error,
  response: null,
  note: null,
  requestedMs: null,
  isOurFault: false,
});
/** The result when nothing was sent, for a reason that the endpoint has no part in. */
const notSent = (error: string): AttemptResponse => ({ ...noResponse(error), isOurFault: true });

/** Makes one delivery attempt: signs, posts and judges the response. It never throws: every failure is a result. */
@Injectable()
export class DeliverySender {
  private readonly logger = new Logger(DeliverySender.name);

  constructor(private readonly client: DeliveryClient) {}

  attempt(delivery: LeasedDelivery): Promise<DeliveryAttempt> {
    return traced(
      () => spanOf(delivery),
      async (span) => {
        const result = await this.attemptOnce(delivery);
        span.set({ 'http.response.status_code': result.statusCode ?? undefined, 'parley.verdict': result.verdict });
        if (result.verdict !== 'delivered') span.fail(result.verdict);
        return result;
      },
    );
  }

  private async attemptOnce(delivery: LeasedDelivery): Promise<DeliveryAttempt> {
    const at = now();
    const started = performance.now();
    const { body } = delivery;
    const { requestedMs, ...response } = body === null ? EVENT_EXPIRED : await this.send(delivery, body, at);
    const verdict = body === null ? 'refused' : judgeResponse(response.statusCode);
    return {
      accountId: delivery.accountId,
      endpointId: delivery.endpointId,
      url: delivery.url,
      deliveryId: delivery.deliveryId,
      leaseUntil: delivery.leaseUntil,
      verdict,
      next: nextStep(verdict, delivery.attempt, delivery.retriesLeft, requestedMs, Math.random()),
      at,
      durationMs: Math.round(performance.now() - started),
      ...response,
    };
  }

  private async send(delivery: LeasedDelivery, body: Buffer, at: Date): Promise<AttemptResponse> {
    const { credentials } = delivery;
    return 'unreadable' in credentials ? notReadable(credentials) : this.post(delivery, credentials, body, at);
  }

  private async post(
    delivery: LeasedDelivery,
    { secrets, headers }: Credentials,
    body: Buffer,
    at: Date,
  ): Promise<AttemptResponse> {
    try {
      const response = await this.client.request({
        url: delivery.url,
        method: 'POST',
        headers: { ...headers, ...deliveryHeaders(delivery.eventId, at, body, secrets) },
        body,
        timeoutMs: delivery.timeoutMs,
        redirects: 0,
        httpsOnly: true,
        maxResponseBytes: MAX_STORED_BYTES,
      });
      return {
        statusCode: response.status,
        error: responseError(response.status),
        // PostgreSQL cannot store NUL.
        response: textOf(response.body, response.headers['content-type']).replaceAll('\u0000', '\ufffd'),
        note: noteOn(response.oddities),
        requestedMs: retryAfterMs(response.headers['retry-after'], now()),
        isOurFault: false,
      };
    } catch (error) {
      if (error instanceof EgressError) return noResponse(`the endpoint ${error.message}`);
      this.logger.error(
        `delivery ${delivery.deliveryId} failed unexpectedly`,
        (error as Error).stack,
        'DeliverySender',
      );
      return notSent('the request failed');
    }
  }
}

/**
 * Without the URL, which may hold a customer's secret. The request carries no `traceparent`: how we are built inside is
 * not the receiver's business.
 */
const spanOf = ({ accountId, endpointId, deliveryId, attempt }: LeasedDelivery): SpanStart => ({
  name: 'webhook delivery',
  kind: 'client',
  isRoot: true,
  attributes: {
    'parley.account_id': accountId,
    'parley.endpoint_id': endpointId,
    'parley.delivery_id': deliveryId,
    'parley.attempt': attempt,
  },
});

const EVENT_EXPIRED = notSent('the event is past its retention period, so it was not sent');
/** Uses up a retry like a timeout would: an operator may restore the key. */
const notReadable = ({ unreadable }: UnreadableCredentials): AttemptResponse => {
  const again = unreadable === 'headers' ? 'them' : 'it';
  return notSent(
    `the webhook’s ${unreadable} cannot be decrypted, so nothing was sent. Set ${again} again with PATCH ` +
      '/api/v1/webhooks/{id}',
  );
};

const noteOn = (oddities: readonly string[]): string | null =>
  oddities.length === 0 ? null : `the response is odd: it has ${oddities.join('; ')}`;
