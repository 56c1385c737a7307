import { ApiPropertyOptional } from '@nestjs/swagger';
import { badRequest } from '../errors/domain-error.js';
import { instantOf } from '../values/local-time.js';
import { Changed, Iso8601, Optional } from './field-rules.js';
import { PageQuery } from './page.dto.js';

/** The rows of a log between two times. Absent limits match everything. */
export interface TimeRange {
  /** Inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

/**
 * A time in a query string. A date alone means its first moment in UTC. Query strings turn a `+` that is not encoded
 * into a blank, so a blank before an offset is that `+`.
 */
export const QueryTime = (): PropertyDecorator => (target, field) => {
  Changed((value) => {
    if (typeof value !== 'string') return value;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return `${value}T00:00Z`;
    return value.replace(/ (?=\d\d(:?\d\d)?$)/, '+');
  })(target, field);
  Iso8601()(target, field);
};

/** Query of a log: a page, and a range of times. */
export class LogQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Only what happened from this time on. UTC unless it has an offset; a date means 00:00',
    example: '2026-01-31T09:30:00Z',
  })
  @Optional()
  @QueryTime()
  since?: string;

  @ApiPropertyOptional({
    description: 'Only what happened before this time. UTC unless it has an offset; a date means 00:00',
    example: '2026-02-28',
  })
  @Optional()
  @QueryTime()
  until?: string;

  /** @throws DomainError `bad_request` when `since` is after `until` */
  toRange(): TimeRange {
    const since = this.since ? instantOf(this.since) : undefined;
    const until = this.until ? instantOf(this.until) : undefined;
    if (since !== undefined && until !== undefined && since > until) {
      throw badRequest(`since must not be after until (got ${since.toISOString()} and ${until.toISOString()})`);
    }
    return { ...(since && { since }), ...(until && { until }) };
  }
}
