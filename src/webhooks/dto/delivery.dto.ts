import { ApiProperty } from '@nestjs/swagger';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import type { Page, Paged } from '../../values/page.js';
import type { Attempt, Delivery } from '../log/delivery-log.queries.js';
import { DELIVERY_KINDS, type DeliveryKind } from '../webhook-delivery.entity.js';

/** One attempt to deliver an event. */
export class AttemptRecord {
  @ApiProperty({ format: 'date-time' }) at: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when there was no response' }) status_code:
    | number
    | null;
  @ApiProperty({ type: 'integer' }) duration_ms: number;
  @ApiProperty({ type: String, nullable: true, description: 'Null if it succeeded' }) error: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'First 1 KiB of the response body' }) response:
    | string
    | null;

  static from(attempt: Attempt): AttemptRecord {
    return {
      at: attempt.at.toISOString(),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      response: attempt.response,
    };
  }
}

/** The delivery of one event to one endpoint. */
export class DeliveryRecord {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ enum: DELIVERY_KINDS }) event: DeliveryKind;
  @ApiProperty({ description: 'The `webhook-id` header, stable per event' }) webhook_id: string;
  @ApiProperty({ enum: ['pending', 'delivered', 'failed'] }) status: Delivery['status'];
  @ApiProperty({ type: [AttemptRecord], description: 'Oldest first' }) attempts: AttemptRecord[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) next_attempt_at: string | null;
  @ApiProperty({ format: 'date-time' }) created_at: string;

  static from(delivery: Delivery): DeliveryRecord {
    return {
      id: delivery.id,
      event: delivery.kind,
      webhook_id: delivery.eventId,
      status: delivery.status,
      attempts: delivery.attempts.map((attempt) => AttemptRecord.from(attempt)),
      next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
      created_at: delivery.createdAt.toISOString(),
    };
  }
}

/** One page of an endpoint's deliveries. */
export class DeliveriesResponse extends PagedResponse {
  @ApiProperty({ type: [DeliveryRecord] }) deliveries: DeliveryRecord[];

  static from({ rows, total }: Paged<Delivery>, { page, limit }: Page): DeliveriesResponse {
    return { status: 'success', deliveries: rows.map((delivery) => DeliveryRecord.from(delivery)), total, page, limit };
  }
}

/** Response of the test and redeliver routes. */
export class DeliveryActionResponse extends SuccessResponse {
  @ApiProperty() message: string;
  @ApiProperty({ type: DeliveryRecord }) delivery: DeliveryRecord;

  static from(message: string, delivery: Delivery): DeliveryActionResponse {
    return { status: 'success', message, delivery: DeliveryRecord.from(delivery) };
  }
}
