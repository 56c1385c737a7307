import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';
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
export class AgentListResponse extends SuccessResponse {
  @ApiProperty({ type: [AgentRecord] })
  agents: AgentRecord[];

  @ApiProperty({ type: 'integer', description: 'Number of matching agents on all pages' })
  total: number;

  @ApiProperty({ type: 'integer' })
  page: number;

  @ApiProperty({ type: 'integer' })
  limit: number;

  static from({ rows, total }: Paged<Agent>, { page, limit }: Page): AgentListResponse {
    return { status: 'success', agents: rows.map(AgentRecord.from), total, page, limit };
  }
}
