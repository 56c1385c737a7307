import { Injectable, Logger } from '@nestjs/common';
import { EgressError } from '../../egress/egress-error.js';
import { now } from '../../values/clock.js';
import { retryAfterMs } from '../../values/retry-after.js';
import { answerError, judge, nextStep } from './attempt-rules.js';
import type { AttemptResult } from './delivery.queries.js';
import { DeliveryClient } from './delivery-client.js';
import type { ClaimedDelivery } from './due-deliveries.service.js';
import { deliveryHeaders, type SigningSecrets } from './webhook-signature.js';

/** How much of an answer is kept, bytes. */
const KEPT_BYTES = 1024;

interface Answer {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** How long the endpoint asked to be left alone, milliseconds; null when it did not. */
  readonly requestedMs: number | null;
}

/** Why nothing was answered, or nothing sent. */
const noAnswer = (error: string): Answer => ({ statusCode: null, error, response: null, requestedMs: null });

/** Makes one attempt: signs, posts, judges. Whatever happens is a result; it never throws. */
@Injectable()
export class DeliverySender {
  private readonly logger = new Logger(DeliverySender.name);

  constructor(private readonly client: DeliveryClient) {}

  async attempt(delivery: ClaimedDelivery): Promise<AttemptResult> {
    const at = now();
    const started = performance.now();
    const { body } = delivery;
    const { requestedMs, ...answer } = body === null ? EVENT_EXPIRED : await this.answerTo(delivery, body, at);
    const verdict = body === null ? 'refused' : judge(answer.statusCode);
    return {
      accountId: delivery.accountId,
      endpointId: delivery.endpointId,
      deliveryId: delivery.deliveryId,
      leaseUntil: delivery.leaseUntil,
      wasFailing: delivery.isFailing,
      verdict,
      next: nextStep(verdict, delivery.attempt, delivery.retriesLeft, requestedMs, Math.random()),
      at,
      durationMs: Math.round(performance.now() - started),
      ...answer,
    };
  }

  private async answerTo(delivery: ClaimedDelivery, body: Buffer, at: Date): Promise<Answer> {
    const { secrets } = delivery;
    return secrets === 'unreadable' ? UNREADABLE_SECRET : this.post(delivery, secrets, body, at);
  }

  private async post(
    delivery: ClaimedDelivery,
    secrets: SigningSecrets | null,
    body: Buffer,
    at: Date,
  ): Promise<Answer> {
    try {
      const answer = await this.client.request({
        url: delivery.url,
        method: 'POST',
        headers: deliveryHeaders(delivery.eventId, at, body, secrets),
        body,
        timeoutMs: delivery.timeoutMs,
        redirects: 0,
        httpsOnly: true,
        maxResponseBytes: KEPT_BYTES,
      });
      return {
        statusCode: answer.status,
        error: answerError(answer.status),
        response: storableText(answer.body.subarray(0, KEPT_BYTES)),
        requestedMs: retryAfterMs(answer.headers['retry-after'], now()),
      };
    } catch (error) {
      if (error instanceof EgressError) return noAnswer(`the endpoint ${error.message}`);
      this.logger.error(`delivery ${delivery.deliveryId} failed unforeseen`, (error as Error).stack, 'DeliverySender');
      return noAnswer('the request failed');
    }
  }
}

const EVENT_EXPIRED = noAnswer('the event is older than events are kept');
/** It uses up a retry like an endpoint that does not answer: somebody may bring the key back. */
const UNREADABLE_SECRET = noAnswer(
  'the secret of the webhook cannot be decrypted, so nothing was sent. Set it again with PATCH /api/v1/webhooks/{id}',
);

/** Bytes of any kind as text that can be stored; a character that was cut at the end is dropped. */
function storableText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\u0000', '\ufffd');
}
