import { ApiProperty } from '@nestjs/swagger';
import { isDefined, ValidateBy } from 'class-validator';
import { Id, OneOf, Optional, Text } from '../../http/field-rules.js';
import { PageQuery } from '../../http/page.dto.js';
import { ANSWER_422 } from '../../http/request-validation.pipe.js';
import type { ConversationFilter } from '../conversation.queries.js';
import { CONVERSATION_STATUSES, type ConversationStatus } from '../conversation-state.js';

/** Maximum length of a note or a reason, in Unicode code points. */
const MAX_NOTE_LENGTH = 2000;

/** A field that returns 422 when it is missing; a malformed value returns 400 as usual. */
const RequiredOr422 = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'requiredOr422',
      validator: {
        validate: (value) => isDefined(value) && (typeof value !== 'string' || value.trim() !== ''),
        defaultMessage: (found) => `${found?.property} is required`,
      },
    },
    { context: { [ANSWER_422]: true } },
  );

/** Selects the contact's conversation with one business phone. */
export class ConversationChoiceRequest {
  @ApiProperty({ description: 'Default: the contact’s most recently active conversation, or else the primary phone’s' })
  @Optional()
  @Id()
  waba_phone_id?: string | null;
}

/** Request body of assign. */
export class AssignConversationRequest extends ConversationChoiceRequest {
  // The lower decorator runs first, and only one error is reported.
  @ApiProperty({ description: 'Agent from List agents; must be an active member of the organisation' })
  @Id()
  @RequiredOr422()
  user_id: string;

  @ApiProperty({ description: 'Recorded on reassignment' })
  @Optional()
  @Text({ max: MAX_NOTE_LENGTH, blank: true })
  note?: string | null;
}

/** Request body of resolve. */
export class ResolveConversationRequest extends ConversationChoiceRequest {
  @ApiProperty({ description: 'Included in the event' })
  @Optional()
  @Text({ max: MAX_NOTE_LENGTH, blank: true })
  reason?: string | null;
}

/** Query of list conversations. */
export class ConversationsQuery extends PageQuery {
  @Optional()
  @OneOf(CONVERSATION_STATUSES)
  status?: ConversationStatus;

  @ApiProperty({ description: '`user_id` of an agent' })
  @Optional()
  @Id()
  assigned_to?: string;

  @ApiProperty({ description: 'true lists unassigned conversations only, false assigned ones only' })
  @Optional()
  @OneOf(['true', 'false'])
  unassigned?: 'true' | 'false';

  toFilter(): ConversationFilter {
    return {
      status: this.status ?? null,
      assignedTo: this.assigned_to ?? null,
      unassigned: this.unassigned === undefined ? null : this.unassigned === 'true',
    };
  }
}
