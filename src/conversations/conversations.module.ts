import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { AutomaticAssignment } from './automatic-assignment.service.js';
import { ConversationReader } from './conversation-reader.service.js';
import { ConversationsController } from './conversations.controller.js';
import { Conversations } from './conversations.service.js';
import { Transitions } from './transitions.service.js';

/** Threads between contacts and business phones: who holds them, and the rules that assign them. */
@Module({
  imports: [AgentsModule],
  controllers: [ConversationsController],
  providers: [AutomaticAssignment, ConversationReader, Conversations, Transitions],
  exports: [AutomaticAssignment],
})
export class ConversationsModule {}
