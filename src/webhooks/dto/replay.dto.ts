import { ApiProperty } from '@nestjs/swagger';
import { AbsenceMeansMore, Iso8601, Optional } from '../../http/field-rules.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { declaredValues } from '../../manifest/declared-values.js';
import type { Manifest } from '../../manifest/manifest.js';
import { instantOf } from '../../values/local-time.js';
import { namedEvents } from '../endpoints/endpoint-rules.js';
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

  @ApiProperty({ description: 'Empty or absent: the events that the endpoint is subscribed to' })
  @AbsenceMeansMore()
  @Optional()
  @EventNames()
  events?: string[] | null;

  /** Null: those that the endpoint is subscribed to. @throws DomainError `bad_request` for an unknown one */
  kinds(manifest: Manifest): string[] | null {
    return namedEvents('events', this.events, manifest);
  }

  sinceTime(): Date {
    return instantOf(this.since);
  }
}

const REPLAY_STATUSES = ['running', 'finished', 'cancelled'] as const;

/** The progress of a replay. */
export class ReplayRecord {
  @ApiProperty({ enum: REPLAY_STATUSES }) status: (typeof REPLAY_STATUSES)[number];
  @ApiProperty({ format: 'date-time' }) since: string;
  @ApiProperty({ type: 'array', items: { type: 'string', ...declaredValues('subscriptions') } }) events: string[];
  @ApiProperty({ type: 'integer', description: 'Number of deliveries created so far' }) replayed: number;
  @ApiProperty({ format: 'date-time' }) started_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) finished_at: string | null;

  static from(replay: WebhookReplay): ReplayRecord {
    return {
      status: replay.finishedAt === null ? 'running' : replay.cancelled ? 'cancelled' : 'finished',
      since: replay.since.toISOString(),
      events: replay.kinds,
      replayed: replay.replayed,
      started_at: replay.startedAt.toISOString(),
      finished_at: replay.finishedAt?.toISOString() ?? null,
    };
  }
}

/** Response of `POST` and `DELETE /api/v1/webhooks/{webhook_id}/replay`. */
export class ReplayResponse extends SuccessResponse {
  @ApiProperty() message: string;
  @ApiProperty({ type: ReplayRecord }) replay: ReplayRecord;

  static from(message: string, replay: WebhookReplay): ReplayResponse {
    return { status: 'success', message, replay: ReplayRecord.from(replay) };
  }
}
