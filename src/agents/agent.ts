import type { UserRole, UserStatus } from '../accounts/user.entity.js';

/** The roles of an organisation's members. */
export const AGENT_ROLES = ['owner', 'admin', 'manager', 'agent'] as const satisfies readonly UserRole[];
export type AgentRole = (typeof AGENT_ROLES)[number];

export const AGENT_STATUSES = ['active', 'deactivated'] as const satisfies readonly UserStatus[];
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** A member of an organisation. Conversations are assigned to active agents. */
export interface Agent {
  readonly userId: string;
  readonly fullName: string;
  readonly email: string;
  /** Another member had the same address, apart from its case, when addresses began to compare without it. */
  readonly emailClashes: boolean;
  readonly role: AgentRole;
  readonly status: AgentStatus;
}
