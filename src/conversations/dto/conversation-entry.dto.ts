import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { ContactRef } from '../../people/contact-ref.js';
import { offsetTimestamp } from '../../values/clock.js';
import type { ConversationEntry } from '../conversation-entry.entity.js';
import type { ChangeSource } from '../conversation-event.js';
import type { ConversationTransition } from '../conversation-state.js';

/** An entry of a thread beside its messages, with the names of its people. */
export type NamedEntry = Readonly<
  Pick<
    ConversationEntry,
    'id' | 'kind' | 'at' | 'source' | 'actorId' | 'assignedTo' | 'previousAssigneeId' | 'note' | 'reason'
  >
> & {
  readonly actorName: string | null;
  readonly assignedToName: string | null;
  readonly previousAssigneeName: string | null;
};

/** Who changed a conversation or wrote a note. */
export class EntryActorField {
  @ApiProperty({ description: '`system` for automatic changes and those of an operator' })
  user_id: string;

  @ApiProperty({ example: 'Olive Owner' })
  name: string;

  @ApiProperty({ enum: ['manual', 'api', 'auto_inbound', 'auto_reply', 'auto_reopen'] })
  source: ChangeSource;

  static from({ actorId, actorName, source }: Pick<NamedEntry, 'actorId' | 'actorName' | 'source'>): EntryActorField {
    return { user_id: actorId ?? 'system', name: actorId === null ? 'system' : (actorName ?? ''), source };
  }
}

/** A note in a thread. */
export class NoteRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  text: string;

  @ApiProperty({ type: EntryActorField })
  by: EntryActorField;

  @ApiProperty({ format: 'date-time' })
  at: string;

  static from(note: Pick<NamedEntry, 'id' | 'at' | 'note' | 'actorId' | 'actorName' | 'source'>): NoteRecord {
    return { id: note.id, text: note.note ?? '', by: EntryActorField.from(note), at: offsetTimestamp(note.at) };
  }
}

/** Response to a note. */
export class NoteResponse extends SuccessResponse {
  @ApiProperty({ example: 'Note added to the conversation with 4915112345678' })
  message: string;

  @ApiProperty({ type: NoteRecord })
  note: NoteRecord;

  // Naming the contact lets an erasure find a stored response by it.
  static from(note: Parameters<typeof NoteRecord.from>[0], { value }: ContactRef): NoteResponse {
    return { status: 'success', message: `Note added to the conversation with ${value}`, note: NoteRecord.from(note) };
  }
}

/** A change of a conversation. */
export class ChangeRecord {
  @ApiProperty({ enum: ['assigned', 'unassigned', 'resolved', 'reopened'] })
  kind: ConversationTransition['kind'];

  @ApiProperty({ type: EntryActorField })
  actor: EntryActorField;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: '`user_id` of the agent after the change' })
  assigned_to: string | null;

  @ApiProperty({ type: String, nullable: true })
  assigned_to_name: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Who lost the conversation' })
  previous_assignee_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  previous_assignee_name: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of an assignment, also of the first one' })
  note: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of a resolution or a release' })
  reason: string | null;

  static from(entry: NamedEntry & { readonly kind: ConversationTransition['kind'] }): ChangeRecord {
    return {
      kind: entry.kind,
      actor: EntryActorField.from(entry),
      assigned_to: entry.assignedTo,
      assigned_to_name: entry.assignedToName,
      previous_assignee_id: entry.previousAssigneeId,
      previous_assignee_name: entry.previousAssigneeName,
      note: entry.note,
      reason: entry.reason,
    };
  }
}
