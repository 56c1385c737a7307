import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../http/field-rules.js';

/** Characters of the list of topics. */
const MAX_TOPICS = 1000;

/** Query of `GET /api/v1/stream`. */
export class StreamQuery {
  @ApiProperty({
    example: 'badges,campaigns',
    description:
      'Up to 10 topics, separated by commas. `badges`: counts for the navigation (event `badges`, every second). ' +
      '`campaigns`: those that run (`campaigns`, every second). `campaign:<campaign_id>`: one campaign (`campaign`, twice a ' +
      'second)',
  })
  @Text({ max: MAX_TOPICS })
  topics: string;
}
