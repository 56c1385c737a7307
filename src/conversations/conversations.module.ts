import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { AutomaticAssignmentService } from './automatic-assignment.service.js';
import { ConversationReaderService } from './conversation-reader.service.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationsService } from './conversations.service.js';
import { TransitionsService } from './transitions.service.js';

/** Threads between contacts and business phones: who holds them, and the rules that assign them. */
@Module({
  imports: [AgentsModule],
  controllers: [ConversationsController],
  providers: [AutomaticAssignmentService, ConversationReaderService, ConversationsService, TransitionsService],
  exports: [AutomaticAssignmentService],
})
export class ConversationsModule {}
