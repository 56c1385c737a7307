import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { AutomaticAssignmentService } from './automatic-assignment.service.js';
import { ConversationReaderService } from './conversation-reader.service.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationsService } from './conversations.service.js';
import { TransitionsService } from './transitions.service.js';

/**
 * Conversations between contacts and business phones: their assignees, and the rules that assign them automatically.
 */
@Module({
  imports: [AgentsModule],
  controllers: [ConversationsController],
  providers: [AutomaticAssignmentService, ConversationReaderService, ConversationsService, TransitionsService],
  exports: [AutomaticAssignmentService],
})
export class ConversationsModule {}
