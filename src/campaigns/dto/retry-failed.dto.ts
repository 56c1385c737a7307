import { ApiProperty } from '@nestjs/swagger';
import { AbsenceMeansMore, Optional } from '../../http/field-rules.js';
import { ChoiceList, NumberList } from '../../http/list-rules.js';
import type { RetryChoice } from '../control/retry-rules.js';

/** What a retry can include that it leaves out by default. */
const INCLUDABLE = ['marketing_cap'] as const;
/** No campaign fails for more reasons. */
const MAX_CODES = 100;
/** The largest that the database stores. */
const MAX_CODE = 2 ** 31 - 1;

/** Body of `POST /api/v1/campaigns/{campaign_id}/retry-failed`. */
export class RetryFailedRequest {
  @ApiProperty({
    description:
      '`marketing_cap`: also recipients that failed with 131049, once each and not before 24 hours have passed',
    example: ['marketing_cap'],
  })
  @Optional()
  @ChoiceList(INCLUDABLE)
  include?: (typeof INCLUDABLE)[number][] | null;

  @ApiProperty({
    description: 'Only recipients that failed with one of these codes. Default: all that can be retried',
    example: [131000],
  })
  @AbsenceMeansMore()
  @Optional()
  @NumberList(0, MAX_CODE, 'a code', { min: 1, max: MAX_CODES, hint: 'leave it out to retry all' })
  error_codes?: number[] | null;

  toChoice(): RetryChoice {
    return { errorCodes: this.error_codes ?? null, includesCap: this.include?.includes('marketing_cap') ?? false };
  }
}
