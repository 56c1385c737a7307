import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { isDefined, ValidateBy } from 'class-validator';
import { Id, OneOf, Optional, Text } from '../../http/field-rules.js';
import { PageQuery } from '../../http/page.dto.js';
import { ANSWER_422 } from '../../http/request-validation.pipe.js';
import type { ConversationFilter } from '../conversation.queries.js';
import { CONVERSATION_STATUSES, type ConversationStatus } from '../conversation-state.js';

/** Unicode code points of a note; a reason may be as long. */
const MAX_NOTE_LENGTH = 2000;

/** A field whose absence is a 422, while a malformed one is a 400 like any other. */
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

/** Which business phone's conversation is meant. */
export class ConversationChoiceRequest {
  @ApiPropertyOptional({ description: 'Default: the most recently active conversation, else the primary phone’s' })
  @Optional()
  @Id()
  waba_phone_id?: string | null;
}

/** Body of assign. */
export class AssignConversationRequest extends ConversationChoiceRequest {
  // The lower decorator runs first, and one fault is enough.
  @ApiProperty({ description: 'Agent from List agents; must be an active member of the organisation' })
  @Id()
  @RequiredOr422()
  user_id: string;

  @ApiPropertyOptional({ maxLength: MAX_NOTE_LENGTH, description: 'Recorded on reassignment' })
  @Optional()
  @Text({ max: MAX_NOTE_LENGTH, blank: true })
  note?: string | null;
}

/** Body of resolve. */
export class ResolveConversationRequest extends ConversationChoiceRequest {
  @ApiPropertyOptional({ maxLength: MAX_NOTE_LENGTH, description: 'Included in the event' })
  @Optional()
  @Text({ max: MAX_NOTE_LENGTH, blank: true })
  reason?: string | null;
}

/** Query of the list of conversations. */
export class ConversationsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: CONVERSATION_STATUSES })
  @Optional()
  @OneOf(CONVERSATION_STATUSES)
  status?: ConversationStatus;

  @ApiPropertyOptional({ description: 'A `user_id`' })
  @Optional()
  @Id()
  assigned_to?: string;

  @ApiPropertyOptional({ enum: ['true', 'false'], description: 'Whether nobody holds the conversation' })
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

/** A text as stored: what is absent or blank is null. */
export const writtenText = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text.trim() === '' ? null : text;
