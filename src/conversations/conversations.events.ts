import { ApiProperty } from '@nestjs/swagger';
import { type EventClass, eventBody, WITH_OFFSET } from '../manifest/event-manifest.js';
import { type DomainEvent, domainEvent } from '../outbox/event.js';
import { CONTACT_PHONE, CONTACT_USER_ID, type ContactFields, writeContact } from '../people/contact-fields.js';
import type { ChangeSource, ConversationActor, ConversationChange } from './conversation-event.js';
import type { ConversationTransition } from './conversation-state.js';

class Actor {
  @ApiProperty({ description: '`system` for automatic changes' }) readonly user_id: string;
  @ApiProperty() readonly name: string;
  @ApiProperty({ enum: ['manual', 'api', 'auto_inbound', 'auto_reply', 'auto_reopen'] }) readonly source: ChangeSource;

  constructor({ userId, name, source }: ConversationActor) {
    this.user_id = userId;
    this.name = name;
    this.source = source;
  }
}

/** A conversation after a change. */
class ChangedConversation implements ContactFields {
  @ApiProperty(CONTACT_PHONE) contact_phone: string | null;
  @ApiProperty(CONTACT_USER_ID) contact_user_id?: string | null;
  @ApiProperty({ format: 'uuid' }) readonly waba_phone_id: string;
  @ApiProperty({ enum: ['open', 'resolved'] }) readonly status: string;
  @ApiProperty({ type: String, nullable: true, description: '`user_id` of the agent' })
  readonly assigned_to: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly assigned_to_name: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly previous_assignee_id: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly previous_assignee_name: string | null;
  @ApiProperty() readonly is_reassignment: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'Of an assignment' }) readonly note: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of a resolution or a release' }) readonly reason:
    | string
    | null;
  @ApiProperty() readonly actor: Actor;

  constructor(change: ConversationChange) {
    writeContact(this, change.contact);
    this.waba_phone_id = change.businessPhoneId;
    this.status = change.status;
    this.assigned_to = change.assignedTo;
    this.assigned_to_name = change.assignedToName;
    this.previous_assignee_id = change.previousAssigneeId;
    this.previous_assignee_name = change.previousAssigneeName;
    this.is_reassignment = change.isReassignment;
    this.note = change.note;
    this.reason = change.reason;
    this.actor = new Actor(change.actor);
  }
}

/** The body of an event of a conversation. Its timestamp includes the UTC offset. */
function conversationBody(change: ConversationTransition['kind'], when: string) {
  class ConversationBody extends eventBody(`conversation.${change}`, { when, reach: 'usual' }, WITH_OFFSET) {
    @ApiProperty() readonly conversation: ChangedConversation;

    constructor(change: ConversationChange, at: Date) {
      super(at);
      this.conversation = new ChangedConversation(change);
    }
  }
  return ConversationBody;
}

class ConversationAssignedEvent extends conversationBody('assigned', 'An agent was given a conversation') {}
class ConversationUnassignedEvent extends conversationBody('unassigned', 'A conversation has no agent any more') {}
class ConversationResolvedEvent extends conversationBody('resolved', 'A conversation was resolved') {}
class ConversationReopenedEvent extends conversationBody('reopened', 'A resolved conversation was opened again') {}

const BODIES = {
  assigned: ConversationAssignedEvent,
  unassigned: ConversationUnassignedEvent,
  resolved: ConversationResolvedEvent,
  reopened: ConversationReopenedEvent,
} as const;

/** The event of a change. */
export const conversationEvent = (
  kind: ConversationTransition['kind'],
  change: ConversationChange,
  at: Date,
): DomainEvent => domainEvent(change, new BODIES[kind](change, at), at);

/** Events of conversations. */
export const CONVERSATION_EVENTS: readonly EventClass[] = Object.values(BODIES);
