import { ApiProperty } from '@nestjs/swagger';
import type { PageQuery } from '../../http/page.dto.js';
import { LogPageResponse, SuccessResponse } from '../../http/responses.dto.js';
import { declaredValues } from '../../manifest/declared-values.js';
import type { Paged } from '../../values/page.js';
import type { Delivery, LoggedAttempt } from '../log/delivery-log.queries.js';
import { DELIVERY_STATUSES } from '../webhook-delivery.entity.js';

/** One attempt to deliver an event. */
export class AttemptRecord {
  @ApiProperty({ format: 'date-time' }) at: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when there was no response' }) status_code:
    | number
    | null;
  @ApiProperty({ type: 'integer' }) duration_ms: number;
  @ApiProperty({ type: String, nullable: true, description: 'Null if it succeeded' }) error: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'First 1 KiB of the response body, decoded by its `Content-Encoding` and charset; null also for a key that may not read ' +
      'what the event carries',
  })
  response: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What was odd about a response whose status was understood, such as two lengths; null if nothing was',
  })
  note: string | null;

  static from(attempt: LoggedAttempt): AttemptRecord {
    return {
      at: attempt.at.toISOString(),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      response: attempt.response,
      note: attempt.note,
    };
  }
}

/** The delivery of one event to one endpoint. */
export class DeliveryRecord {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ type: 'string', ...declaredValues('events') }) event: string;
  @ApiProperty({ description: 'The `webhook-id` header, stable per event' }) webhook_id: string;
  @ApiProperty({ enum: DELIVERY_STATUSES }) status: Delivery['status'];
  @ApiProperty({ type: [AttemptRecord], description: 'Oldest first' }) attempts: AttemptRecord[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) next_attempt_at: string | null;
  @ApiProperty({ format: 'date-time' }) created_at: string;

  static from(delivery: Delivery): DeliveryRecord {
    return {
      id: delivery.id,
      event: delivery.kind,
      webhook_id: delivery.eventId,
      status: delivery.status,
      attempts: delivery.attempts.map(AttemptRecord.from),
      next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
      created_at: delivery.createdAt.toISOString(),
    };
  }
}

/** One page of an endpoint's deliveries. */
export class DeliveriesResponse extends LogPageResponse {
  @ApiProperty({ type: [DeliveryRecord] }) deliveries: DeliveryRecord[];

  static from(paged: Paged<Delivery>, query: PageQuery): DeliveriesResponse {
    return {
      status: 'success',
      deliveries: paged.rows.map(DeliveryRecord.from),
      ...LogPageResponse.paging(paged, query),
    };
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
