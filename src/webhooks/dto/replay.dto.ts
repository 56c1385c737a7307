import { ApiProperty } from '@nestjs/swagger';
import { Iso8601, Optional } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { EVENT_KINDS, type EventKind } from '../../outbox/event.js';
import { instantOf } from '../../values/local-time.js';
import type { WebhookReplay } from '../webhook-replay.entity.js';
import { EventNames } from './webhook-fields.js';

/** Body of `POST /api/v1/webhooks/{webhook_id}/replay`. */
export class ReplayRequest {
  @ApiProperty({
    description:
      'Replays events from this time on. UTC unless it has an offset. It must be within the retention period of events',
    example: '2026-01-31T09:30:00Z',
  })
  @Iso8601()
  since: string;

  @ApiProperty({ description: 'Default: the events that the endpoint is subscribed to' })
  @Optional()
  @EventNames()
  events?: EventKind[] | null;

  sinceTime(): Date {
    return instantOf(this.since);
  }
}

/** The progress of a replay. */
export class ReplayRecord {
  @ApiProperty({ enum: ['running', 'finished'] }) status: 'running' | 'finished';
  @ApiProperty({ format: 'date-time' }) since: string;
  @ApiProperty({ enum: EVENT_KINDS, isArray: true }) events: EventKind[];
  @ApiProperty({ type: 'integer', description: 'Number of deliveries created so far' }) replayed: number;
  @ApiProperty({ format: 'date-time' }) started_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) finished_at: string | null;

  static from(replay: WebhookReplay): ReplayRecord {
    return {
      status: replay.finishedAt === null ? 'running' : 'finished',
      since: replay.since.toISOString(),
      events: replay.kinds,
      replayed: replay.replayed,
      started_at: replay.startedAt.toISOString(),
      finished_at: replay.finishedAt?.toISOString() ?? null,
    };
  }
}

/** Response of `POST /api/v1/webhooks/{webhook_id}/replay`. */
export class ReplayResponse extends SuccessResponse {
  @ApiProperty() message: string;
  @ApiProperty({ type: ReplayRecord }) replay: ReplayRecord;

  static from(replay: WebhookReplay): ReplayResponse {
    return { status: 'success', message: 'Replay started', replay: ReplayRecord.from(replay) };
  }
}
