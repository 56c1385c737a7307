import { ApiProperty } from '@nestjs/swagger';
import { PagedResponse } from '../../http/responses.dto.js';
import type { Page, Paged } from '../../values/page.js';
import { AGENT_ROLES, AGENT_STATUSES, type Agent, type AgentRole, type AgentStatus } from '../agent.js';

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

  static from({ rows, total }: Paged<Agent>, { page, limit }: Page): AgentListResponse {
    return { status: 'success', agents: rows.map(AgentRecord.from), total, page, limit };
  }
}
