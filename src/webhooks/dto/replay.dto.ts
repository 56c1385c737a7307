import { ApiProperty } from '@nestjs/swagger';
import { Iso8601, Optional } from '../../http/field-rules.js';
import { EVENT_KINDS, type EventKind } from '../../outbox/event.js';
import { instantOf } from '../../values/local-time.js';
import type { WebhookReplay } from '../webhook-replay.entity.js';
import { EventNames } from './webhook-fields.js';

/** Body of `POST /api/v1/webhooks/{webhook_id}/replay`. */
export class ReplayRequest {
  @ApiProperty({
    description: 'Events from this time on; UTC unless it has an offset. At most as old as events are kept.',
    example: '2026-01-31T09:30:00Z',
  })
  @Iso8601()
  since: string;

  @ApiProperty({ description: 'Default: those that the endpoint has subscribed to' })
  @Optional()
  @EventNames()
  events?: EventKind[] | null;

  sinceTime(): Date {
    return instantOf(this.since);
  }
}

/** How far a replay has come. */
export class ReplayRecord {
  @ApiProperty({ enum: ['running', 'finished'] }) status: 'running' | 'finished';
  @ApiProperty({ format: 'date-time' }) since: string;
  @ApiProperty({ enum: EVENT_KINDS, isArray: true }) events: EventKind[];
  @ApiProperty({ type: 'integer', description: 'Deliveries that it has made' }) replayed: number;
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

/** Answer to a request to deliver past events once more. */
export class ReplayResponse {
  @ApiProperty({ enum: ['success'] }) status: 'success';
  @ApiProperty() message: string;
  @ApiProperty({ type: ReplayRecord }) replay: ReplayRecord;

  static from(replay: WebhookReplay): ReplayResponse {
    return { status: 'success', message: 'Replay started', replay: ReplayRecord.from(replay) };
  }
}
