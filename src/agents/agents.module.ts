import { Room } from '../manifest/room.js';
import { AgentsController } from './agents.controller.js';
import { AGENTS_EXAMPLES } from './agents.examples.js';
import { AgentsService } from './agents.service.js';

/** Agents: the people of an organisation. */
@Room({
  areas: ['agents'],
  tags: [['agents', 'The people who answer']],
  examples: AGENTS_EXAMPLES,
  controllers: [AgentsController],
  providers: [AgentsService],
  exports: [AgentsService],
})
export class AgentsModule {}
