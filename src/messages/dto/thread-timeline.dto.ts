import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChangeRecord, NoteRecord } from '../../conversations/dto/conversation-entry.dto.js';
import { badRequest } from '../../errors/domain-error.js';
import { FromQueryNumber, Id, Optional, Text, WholeNumber } from '../../http/field-rules.js';
import { MAX_PAGE_SIZE } from '../../http/page.dto.js';
import { Checked } from '../../http/request-fields.js';
import { SuccessResponse } from '../../http/responses.dto.js';
import { offsetTimestamp } from '../../values/clock.js';
import { MessageRecord } from '../history/message-record.js';
import type { TimelineEntry, TimelinePage } from '../history/thread-timeline.service.js';

/** What a cursor looks like. */
const CURSOR = 'bTNKcTBmWHcyYjFBLjAxOWMxMzYzLTQ5YzAtNzY4MC05MmIzLTRkMzdkNTEyMGE3Zg';
/** Characters of a cursor. */
const MAX_CURSOR = 256;
const PLACES = ['before', 'after', 'around'] as const;

/** @throws DomainError 400 for more than one place */
function checkPlace(query: Partial<Record<(typeof PLACES)[number], string>>): void {
  const given = PLACES.filter((name) => query[name] !== undefined);
  if (given.length > 1) throw badRequest(`${given.join(' and ')} exclude each other; send one of them`);
}

/** Query of a timeline. */
@Checked(checkPlace)
export class TimelineQuery {
  @ApiProperty({ description: 'Default: the contact’s most recently active conversation' })
  @Optional()
  @Id()
  waba_phone_id?: string;

  @ApiProperty({
    example: '',
    description: 'The `next_before` of an answer: lists older entries; empty for the newest',
  })
  @Optional()
  @Text({ max: MAX_CURSOR, blank: true })
  before?: string;

  @ApiProperty({ example: '', description: 'The `next_after` of an answer: lists newer entries; empty for the newest' })
  @Optional()
  @Text({ max: MAX_CURSOR, blank: true })
  after?: string;

  @ApiProperty({ description: '`message_id` of a message in the conversation: lists it and what is around it' })
  @Optional()
  @Id()
  around?: string;

  @ApiProperty({ default: 50 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, MAX_PAGE_SIZE)
  limit = 50;
}

/** An entry of a timeline: a message, a note or a change. */
export class TimelineEntryRecord {
  @ApiProperty({ enum: ['message', 'note', 'change'] })
  type: 'message' | 'note' | 'change';

  @ApiProperty({ format: 'date-time', description: 'Of a received message, when it was sent' })
  at: string;

  @ApiPropertyOptional({ type: MessageRecord, description: 'Only of type `message`' })
  message?: MessageRecord;

  @ApiPropertyOptional({ type: NoteRecord, description: 'Only of type `note`' })
  note?: NoteRecord;

  @ApiPropertyOptional({ type: ChangeRecord, description: 'Only of type `change`' })
  change?: ChangeRecord;

  static from({ message, entry }: TimelineEntry): TimelineEntryRecord {
    if (message !== undefined) {
      return { type: 'message', at: offsetTimestamp(message.createdAt), message: MessageRecord.from(message) };
    }
    const at = offsetTimestamp(entry.at);
    const { kind } = entry;
    if (kind === 'note' || kind === 'message') return { type: 'note', at, note: NoteRecord.from(entry) };
    return { type: 'change', at, change: ChangeRecord.from({ ...entry, kind }) };
  }
}

/** Response of `GET /api/v1/conversations/{contact_phone}/timeline`. */
export class TimelineResponse extends SuccessResponse {
  @ApiProperty({ type: [TimelineEntryRecord], description: 'Newest first' })
  entries: TimelineEntryRecord[];

  @ApiProperty({
    type: String,
    nullable: true,
    example: CURSOR,
    description: 'The `before` of the next older page; null at the beginning',
  })
  next_before: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: CURSOR,
    description: 'The `after` of the next newer page; null at the end',
  })
  next_after: string | null;

  /** @param cursorOf makes the text of a place */
  static from({ entries, before, after }: TimelinePage, cursorOf: (id: string) => string): TimelineResponse {
    return {
      status: 'success',
      entries: entries.map((entry) => TimelineEntryRecord.from(entry)),
      next_before: before && cursorOf(before),
      next_after: after && cursorOf(after),
    };
  }
}
