import { Injectable } from '@nestjs/common';
import { deleteOtherSessions } from '../accounts/session.queries.js';
import type { AuditChanges } from '../audit/audit-entry.entity.js';
import { AuditLog } from '../audit/audit-log.js';
import { type Database, type Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { agentEmailTaken, lastOwner, noSuchAgent } from './agent.errors.js';
import type { Agent, AgentRole, AgentStatus } from './agent.js';
import {
  type AgentChanges,
  type AgentFilter,
  EmailTaken,
  findAgent,
  findAgents,
  findByEmail,
  findOrganisationOfUser,
  insertAgent,
  lockActiveAgent,
  lockActiveOwners,
  setStatus,
  updateAgent,
} from './agent.queries.js';

export interface NewAgent {
  readonly organisationId: RecordId;
  readonly fullName: string;
  readonly email: string;
  readonly role: AgentRole;
}

/** Adds, finds, deactivates and activates agents, to whom conversations are assigned. Agents are never deleted. */
@Injectable()
export class AgentsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  list(organisationId: RecordId, filter: AgentFilter, page: Page): Promise<Paged<Agent>> {
    return findAgents(organisationId, filter, page, this.unitOfWork.reads(organisationId));
  }

  /**
   * An agent by their id alone, whatever their status; for operators.
   *
   * @throws DomainError `not_found` when no organisation has such a member
   */
  async show(userId: RecordId): Promise<Agent & { readonly organisationId: string }> {
    const organisationId = await findOrganisationOfUser(userId, this.unitOfWork.autocommit);
    const agent = organisationId === null ? null : await findAgent(organisationId, userId, this.unitOfWork.autocommit);
    if (organisationId === null || agent === null) throw noSuchAgent(userId);
    return { organisationId, ...agent };
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

  /** A member of the organisation, whatever their status; null when there is none. */
  find(organisationId: RecordId, userId: RecordId, db: Database): Promise<Agent | null> {
    return findAgent(organisationId, userId, db);
  }

  /**
   * Adds an active agent to the organisation.
   *
   * @returns their `user_id`
   * @throws DomainError `not_found` for an unknown organisation, `conflict` when it already has this email address; the
   * message says whether its agent is deactivated
   */
  async add(agent: NewAgent, tx?: Tx): Promise<RecordId> {
    try {
      if (tx !== undefined) return await this.addWithin(agent, tx);
      return await this.unitOfWork.transaction((own) => this.addWithin(agent, own));
    } catch (error) {
      throw await this.explained(error, agent);
    }
  }

  /** What to throw instead of an error: an address that is taken leads to whoever has it. */
  private async explained(
    error: unknown,
    { organisationId, email }: Pick<NewAgent, 'organisationId' | 'email'>,
  ): Promise<unknown> {
    if (!(error instanceof EmailTaken)) return error;
    const holder = await findByEmail(organisationId, email, this.unitOfWork.autocommit);
    return agentEmailTaken(email, holder?.status === 'deactivated' ? holder.userId : null);
  }

  /**
   * Deactivates an agent: nothing is assigned to them any more, they are signed out, and a sweep releases their open
   * conversations. Idempotent.
   *
   * @throws DomainError `not_found` when no organisation has such a member, `conflict` for the last active owner
   */
  deactivate(userId: RecordId): Promise<void> {
    return this.changeStatus(userId, 'deactivated');
  }

  /**
   * Activates a deactivated agent again; conversations that were released stay so. Idempotent.
   *
   * @throws DomainError `not_found` when no organisation has such a member
   */
  activate(userId: RecordId): Promise<void> {
    return this.changeStatus(userId, 'active');
  }

  /**
   * Changes an agent's name, address or role.
   *
   * @throws DomainError `not_found`, `conflict` for an address that another agent has, and for the role of the last owner
   */
  async set(userId: RecordId, changes: AgentChanges): Promise<void> {
    const organisationId = await findOrganisationOfUser(userId, this.unitOfWork.autocommit);
    if (organisationId === null) throw noSuchAgent(userId);
    try {
      await this.unitOfWork.transaction(async (tx) => {
        if (changes.role !== undefined && changes.role !== 'owner') await requireOtherOwner(organisationId, userId, tx);
        const entry = { action: 'agent.changed', subjectId: userId, changes: auditedChanges(changes) } as const;
        await AuditLog.writeForOrganisation(organisationId, entry, tx);
        await updateAgent(organisationId, userId, changes, tx);
      });
    } catch (error) {
      throw await this.explained(error, { organisationId, email: changes.email ?? '' });
    }
  }

  private async changeStatus(userId: RecordId, status: AgentStatus): Promise<void> {
    const organisationId = await findOrganisationOfUser(userId, this.unitOfWork.autocommit);
    if (organisationId === null) throw noSuchAgent(userId);
    await this.unitOfWork.transaction(async (tx) => {
      if (status === 'deactivated') await requireOtherOwner(organisationId, userId, tx);
      const action = status === 'active' ? 'agent.activated' : 'agent.deactivated';
      await AuditLog.writeForOrganisation(organisationId, { action, subjectId: userId }, tx);
      // Last, because they lock the configuration epoch of all accounts.
      if (!(await setStatus(organisationId, userId, status, tx))) throw noSuchAgent(userId);
      if (status === 'deactivated') await deleteOtherSessions(userId, null, tx);
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

/** @throws DomainError `conflict` when nobody else is an active owner of the organisation */
async function requireOtherOwner(organisationId: string, userId: string, tx: Tx): Promise<void> {
  const owners = await lockActiveOwners(organisationId, tx);
  if (owners.includes(userId) && owners.length === 1) throw lastOwner();
}

/** The changes as the audit log records them: names and addresses are personal. */
const auditedChanges = ({ fullName, email, role }: AgentChanges): AuditChanges => ({
  ...(fullName !== undefined && { name: 'changed' }),
  ...(email !== undefined && { email: 'changed' }),
  ...(role !== undefined && { role }),
});
