import { ApiProperty } from '@nestjs/swagger';
import { MayBeAbsent, Text } from '../../http/field-rules.js';
import type { NewSavedReply, SavedReplyChanges } from '../saved-replies.queries.js';
import { withKnownVariables } from '../variables.js';

/** Maximum lengths, in Unicode code points; a text message to a customer has as many. */
const LIMITS = { name: 60, text: 4096 } as const;

const TEXT =
  'May have the variables `{{first_name}}`, `{{last_name}}`, `{{phone_number}}`, `{{email}}` and `{{company}}`, which ' +
  'whoever inserts the text replaces';

/** Request body of create saved reply. */
export class CreateSavedReplyRequest {
  @ApiProperty({ description: 'Unique within the account, in whatever case' })
  @Text({ max: LIMITS.name })
  name: string;

  @ApiProperty({ description: TEXT })
  @Text({ max: LIMITS.text })
  text: string;

  toReply(): NewSavedReply {
    return { name: this.name, text: withKnownVariables(this.text) };
  }
}

/** Request body of change saved reply: absent fields stay unchanged. */
export class UpdateSavedReplyRequest {
  @MayBeAbsent()
  @Text({ max: LIMITS.name })
  name?: string;

  @ApiProperty({ description: TEXT })
  @MayBeAbsent()
  @Text({ max: LIMITS.text })
  text?: string;

  toChanges(): SavedReplyChanges {
    return { name: this.name, text: this.text === undefined ? undefined : withKnownVariables(this.text) };
  }
}
