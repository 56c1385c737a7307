import { ApiPropertyOptional } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';
import { SearchQuery } from '../../http/page.dto.js';
import { AGENT_ROLES, AGENT_STATUSES, type AgentRole, type AgentStatus } from '../agent.js';

/** Query of the agent list: 50 per page by default. */
export class AgentsQuery extends SearchQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 50 })
  override limit = 50;

  @ApiPropertyOptional({ enum: AGENT_ROLES })
  @Optional()
  @OneOf(AGENT_ROLES)
  role?: AgentRole;

  @ApiPropertyOptional({ enum: AGENT_STATUSES, default: 'active' })
  @Optional()
  @OneOf(AGENT_STATUSES)
  status: AgentStatus = 'active';
}
