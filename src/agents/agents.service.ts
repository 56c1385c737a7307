import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { noSuchAgent } from './agent.errors.js';
import type { Agent, AgentRole } from './agent.js';
import {
  type AgentFilter,
  deactivateAgent,
  findAgent,
  findAgents,
  findOrganisationOfUser,
  insertAgent,
  lockActiveAgent,
} from './agent.queries.js';

export interface NewAgent {
  readonly organisationId: RecordId;
  readonly fullName: string;
  readonly email: string;
  readonly role: AgentRole;
}

/** Adds, finds and deactivates agents, to whom conversations are assigned. Agents are never deleted. */
@Injectable()
export class AgentsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  list(organisationId: RecordId, filter: AgentFilter, page: Page): Promise<Paged<Agent>> {
    return findAgents(organisationId, filter, page, this.unitOfWork.reads(organisationId));
  }

  /** The agent if they are an active member of the organisation; otherwise null. */
  async findActive(
    organisationId: RecordId,
    userId: RecordId,
    tx: Tx = this.unitOfWork.autocommit,
  ): Promise<Agent | null> {
    const agent = await findAgent(organisationId, userId, tx);
    return agent?.status === 'active' ? agent : null;
  }

  /** Whether the agent is an active member. Blocks their deactivation until the transaction ends. */
  lockActive(organisationId: RecordId, userId: RecordId, tx: Tx): Promise<boolean> {
    return lockActiveAgent(organisationId, userId, tx);
  }

  /**
   * Adds an active agent to the organisation.
   *
   * @returns their `user_id`
   * @throws DomainError `not_found` for an unknown organisation, `conflict` when it already has this email address
   */
  add(agent: NewAgent, tx?: Tx): Promise<RecordId> {
    return tx === undefined
      ? this.unitOfWork.transaction((own) => this.addWithin(agent, own))
      : this.addWithin(agent, tx);
  }

  /**
   * Deactivates an agent: no new assignments, existing ones stay. Idempotent.
   *
   * @throws DomainError `not_found` when no organisation has such a member
   */
  async deactivate(userId: RecordId): Promise<void> {
    const organisationId = await findOrganisationOfUser(userId, this.unitOfWork.autocommit);
    if (organisationId === null) throw noSuchAgent(userId);
    await this.unitOfWork.transaction(async (tx) => {
      if (!(await deactivateAgent(organisationId, userId, tx))) throw noSuchAgent(userId);
      await AuditLog.writeForOrganisation(organisationId, { action: 'agent.deactivated', subjectId: userId }, tx);
    });
  }

  private async addWithin({ organisationId, fullName, email, role }: NewAgent, tx: Tx): Promise<RecordId> {
    const userId = newRecordId();
    await insertAgent(organisationId, { userId, fullName, email, role }, tx);
    const entry = { action: 'agent.created', subjectId: userId, changes: { role } } as const;
    await AuditLog.writeForOrganisation(organisationId, entry, tx);
    return userId;
  }
}
