import { ApiProperty } from '@nestjs/swagger';
import { AbsenceMeansMore, Id, isAbsent, OneOf, Optional, Text, TrueOrFalse } from '../../http/field-rules.js';
import { SearchQuery } from '../../http/page.dto.js';
import { Checked, rule } from '../../http/request-fields.js';
import { CONVERSATION_ORDERS, type ConversationFilter, type ConversationOrder } from '../conversation-filter.js';
import { checkOrder } from '../conversation-list-rules.js';
import { CONVERSATION_STATUSES, type ConversationStatus } from '../conversation-state.js';

/** Maximum length of a note or a reason, in Unicode code points. */
const MAX_NOTE_LENGTH = 2000;

/** A field that returns 422 when it is missing; a malformed value returns 400 as usual. */
const RequiredOr422 = (): PropertyDecorator =>
  rule(
    {},
    {
      status: 422,
      wrong: (path, value) => {
        const isMissing = isAbsent(value) || (typeof value === 'string' && value.trim() === '');
        return isMissing ? `${path} is required` : null;
      },
    },
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

  @ApiProperty({ description: 'In the timeline; on reassignment also in the answer and the event' })
  @Optional()
  @Text({ max: MAX_NOTE_LENGTH, blank: true })
  note?: string | null;

  @ApiProperty({
    default: false,
    example: true,
    description: 'Answers 409, which names the assignee, if another agent has the conversation',
  })
  @AbsenceMeansMore()
  @Optional()
  @TrueOrFalse()
  only_if_unassigned?: boolean | null;
}

/** Request body of resolve. */
export class ResolveConversationRequest extends ConversationChoiceRequest {
  @ApiProperty({ description: 'Included in the event and in the timeline' })
  @Optional()
  @Text({ max: MAX_NOTE_LENGTH, blank: true })
  reason?: string | null;
}

/** Request body of a note. */
export class CreateNoteRequest extends ConversationChoiceRequest {
  @ApiProperty({ description: 'For the people who answer; never sent' })
  @Text({ max: MAX_NOTE_LENGTH })
  text: string;
}

const YesOrNo = (): PropertyDecorator => OneOf(['true', 'false']);

/** Query of list conversations. */
@Checked(checkOrder)
export class ConversationsQuery extends SearchQuery {
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

  @ApiProperty({ description: 'true lists only conversations in which the contact has ever written, false the others' })
  @Optional()
  @YesOrNo()
  has_inbound?: 'true' | 'false';

  @ApiProperty({
    description: 'true lists only conversations in which the contact waits for an answer, false the others',
  })
  @Optional()
  @YesOrNo()
  waiting?: 'true' | 'false';

  @ApiProperty({ description: 'Only conversations with this business phone' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  @ApiProperty({ description: 'Only conversations in which messages of this campaign were sent' })
  @Optional()
  @Id()
  campaign_id?: string;

  @ApiProperty({ description: 'Only conversations with this contact' })
  @Optional()
  @Id()
  contact_id?: string;

  @ApiProperty({
    default: 'active',
    description:
      '`active`: most recently active first; a conversation moves to the front with each message. `created`: by the age ' +
      'of the contact, newest first; nothing moves, so that a walk with `cursor` meets every conversation once. ' +
      '`last_inbound`: by the contact’s last message, newest first, without conversations that have none. ' +
      '`longest_waiting`: who has waited longest first, without conversations in which nobody waits',
  })
  @Optional()
  @OneOf(CONVERSATION_ORDERS)
  order: ConversationOrder = 'active';

  toFilter(): ConversationFilter {
    return {
      status: this.status ?? null,
      assignedTo: this.assigned_to ?? null,
      unassigned: truth(this.unassigned),
      hasInbound: truth(this.has_inbound),
      waiting: truth(this.waiting),
      search: this.search ?? null,
      businessPhoneId: this.waba_phone_id ?? null,
      campaignId: this.campaign_id ?? null,
      contactId: this.contact_id ?? null,
      order: this.order,
    };
  }
}

const truth = (value: 'true' | 'false' | undefined): boolean | null => (value ? value === 'true' : null);
