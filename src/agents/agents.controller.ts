import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { RequiresScope } from '../auth/scopes.js';
import { noOrganisation } from './agent.errors.js';
import { AgentsService } from './agents.service.js';
import { AgentListResponse, AgentsQuery } from './dto/agents.dto.js';

@ApiTags('agents')
@Controller('api/v1/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @RequiresScope('agents:read')
  @ApiOperation({ summary: 'List the agents of the organisation' })
  @ApiOkResponse({ type: AgentListResponse })
  async list(@CurrentCaller() caller: Caller, @Query() query: AgentsQuery): Promise<AgentListResponse> {
    if (caller.organisationId === null) throw noOrganisation();
    const { role, status, search } = query;
    return AgentListResponse.from(
      await this.agents.list(caller.organisationId, { role, status, search }, query),
      query,
    );
  }
}
