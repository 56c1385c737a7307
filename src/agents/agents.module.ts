import { Module } from '@nestjs/common';
import { AgentsController } from './agents.controller.js';
import { Agents } from './agents.service.js';

/** The people of an organisation. */
@Module({
  controllers: [AgentsController],
  providers: [Agents],
  exports: [Agents],
})
export class AgentsModule {}
