import { ApiProperty } from '@nestjs/swagger';
import { FromQueryNumber, OneOf, Optional, WholeNumber } from '../../http/field-rules.js';
import { MAX_PAGE_SIZE, type PageQuery, SearchQuery } from '../../http/page.dto.js';
import { PagedResponse } from '../../http/responses.dto.js';
import type { Paged } from '../../values/page.js';
import { AGENT_ROLES, AGENT_STATUSES, type Agent, type AgentRole, type AgentStatus } from '../agent.js';

/** Query of the agent list: 50 per page by default. */
export class AgentsQuery extends SearchQuery {
  @ApiProperty({ default: 50 })
  @Optional()
  @FromQueryNumber()
  @WholeNumber(1, MAX_PAGE_SIZE)
  override limit = 50;

  @Optional()
  @OneOf(AGENT_ROLES)
  role?: AgentRole;

  @ApiProperty({ default: 'active' })
  @Optional()
  @OneOf(AGENT_STATUSES)
  status: AgentStatus = 'active';
}

/** Agent record. */
export class AgentRecord {
  @ApiProperty({ description: 'Identifies the agent when assigning conversations' })
  user_id: string;

  @ApiProperty()
  full_name: string;

  @ApiProperty()
  email: string;

  @ApiProperty({ enum: AGENT_ROLES })
  role: AgentRole;

  @ApiProperty({ enum: AGENT_STATUSES })
  status: AgentStatus;

  static from({ userId, fullName, email, role, status }: Agent): AgentRecord {
    return { user_id: userId, full_name: fullName, email, role, status };
  }
}

/** Response of the list of agents. */
export class AgentListResponse extends PagedResponse {
  @ApiProperty({ type: [AgentRecord] })
  agents: AgentRecord[];

  static from(paged: Paged<Agent>, query: PageQuery): AgentListResponse {
    return { status: 'success', agents: paged.rows.map(AgentRecord.from), ...PagedResponse.paging(paged, query) };
  }
}
