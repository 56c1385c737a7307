import { Room } from '../manifest/room.js';
import { AssignmentRotation } from './assignment-rotation.entity.js';
import { AutomaticAssignmentService } from './automatic-assignment.service.js';
import { Conversation } from './conversation.entity.js';
import { ConversationAssignment } from './conversation-assignment.entity.js';
import { ConversationEntry } from './conversation-entry.entity.js';
import { ConversationNotesController } from './conversation-notes.controller.js';
import { ConversationNotesService } from './conversation-notes.service.js';
import { ConversationReaderService } from './conversation-reader.service.js';
import { ConversationsController } from './conversations.controller.js';
import { CONVERSATION_EVENTS } from './conversations.events.js';
import { CONVERSATIONS_EXAMPLES } from './conversations.examples.js';
import { ConversationsService } from './conversations.service.js';
import { ReleasedThreadsService } from './released-threads.service.js';
import { ReleasedThreadsSweep } from './released-threads.sweep.js';
import { TransitionsService } from './transitions.service.js';

/**
 * Conversations between contacts and business phones: their assignees, and the rules that assign them automatically.
 */
@Room({
  areas: ['conversations'],
  tags: [['conversations', 'Conversations with contacts, and the agents assigned to them']],
  examples: CONVERSATIONS_EXAMPLES,
  entities: [AssignmentRotation, Conversation, ConversationAssignment, ConversationEntry],
  events: CONVERSATION_EVENTS,
  personalData: { covered: ['conversations', 'conversation_assignments', 'conversation_entries'] },
  controllers: [ConversationsController, ConversationNotesController],
  providers: [
    AutomaticAssignmentService,
    ConversationNotesService,
    ConversationReaderService,
    ConversationsService,
    TransitionsService,
  ],
  worker: [ReleasedThreadsService, ReleasedThreadsSweep],
  exports: [AutomaticAssignmentService, ConversationReaderService, ConversationsService],
})
export class ConversationsModule {}
