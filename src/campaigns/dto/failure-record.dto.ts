import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { ExplainedFailures } from '../progress/recipient-errors.js';

/** Recipients of a campaign that failed for the same reason. */
export class FailureRecord {
  @ApiProperty({ type: 'integer', description: 'The network’s code, or one of Parley’s own' })
  error_code: number;

  @ApiProperty({ description: 'What it means', example: 'The recipient has opted out of marketing messages' })
  title: string;

  @ApiProperty({ description: 'What to do about it', example: 'Do not try again.' })
  advice: string;

  @ApiProperty({ type: 'integer', description: 'Failed recipients', example: 12 })
  count: number;

  @ApiProperty({
    description: 'Whether `retry-failed` can send to any of them again; for 131049, only with `include`',
  })
  retryable: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the first of them can be retried; null: now, or never',
  })
  retry_after: string | null;

  static from({ code, title, advice, count, isRetryable, retryAfter }: ExplainedFailures): FailureRecord {
    return {
      error_code: code,
      title,
      advice,
      count,
      retryable: isRetryable,
      retry_after: retryAfter?.toISOString() ?? null,
    };
  }
}

/** Response of `GET /api/v1/campaigns/{campaign_id}/failures`. */
export class FailureListResponse extends SuccessResponse {
  @ApiProperty({ type: [FailureRecord], description: 'The most frequent reason first' })
  failures: FailureRecord[];

  static from(failures: readonly ExplainedFailures[]): FailureListResponse {
    return { status: 'success', failures: failures.map((failure) => FailureRecord.from(failure)) };
  }
}
