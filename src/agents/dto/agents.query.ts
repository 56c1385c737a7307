import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OneOf, Optional } from '../../http/field-rules.js';
import { SearchQuery } from '../../http/page.dto.js';
import { AGENT_ROLES, AGENT_STATUSES, type AgentRole, type AgentStatus } from '../agent.js';

/** Query of the agent list: 50 per page by default. */
export class AgentsQuery extends SearchQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 50 })
  override limit = 50;

  @Optional()
  @OneOf(AGENT_ROLES)
  role?: AgentRole;

  @ApiProperty({ default: 'active' })
  @Optional()
  @OneOf(AGENT_STATUSES)
  status: AgentStatus = 'active';
}
