import type {
  ConversationRecord,
  MessageRecord,
  TimelineEntryRecord,
} from '../../../clients/typescript/src/generated/schema.js';

export type Conversation = ConversationRecord;
export type Message = MessageRecord;
export type Entry = TimelineEntryRecord;
