import { noSuchOrganisation } from '../accounts/account.errors.js';
import { User } from '../accounts/user.entity.js';
import { violatedForeignKey, violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import { containsPattern } from '../database/sql/like-pattern.js';
import { type Counted, pagedRows } from '../database/sql/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import { emailTaken } from './agent.errors.js';
import type { Agent, AgentRole, AgentStatus } from './agent.js';

/** Which agents a list shows. */
export interface AgentFilter {
  readonly role?: AgentRole;
  readonly status: AgentStatus;
  /** A part of the name or email, ignoring case. */
  readonly search?: string;
}

// Users belong to an organisation, not to an account. It is their tenant and the first argument of every query.

/**
 * One page of the organisation's agents, newest first, with the total. Conditions are added only when needed, so that a
 * list without a search can use its index.
 */
export async function findAgents(
  organisationId: string,
  { role, status, search }: AgentFilter,
  page: Page,
  tx: Tx,
): Promise<Paged<Agent>> {
  const parameters: unknown[] = [organisationId, page.limit, offsetOf(page), status];
  const conditions = ['organisation_id = $1', 'status = $4'];
  if (role !== undefined) conditions.push(`role = $${parameters.push(role)}`);
  if (search !== undefined) {
    const place = `$${parameters.push(containsPattern(search))}`;
    conditions.push(`(full_name ILIKE ${place} OR email ILIKE ${place})`);
  }
  const matching = `FROM users WHERE ${conditions.join(' AND ')}`;
  const rows = await tx.rows<Counted<Agent>>(
    `WITH counted AS (
       SELECT count(*)::integer AS found ${matching}
     ), page AS MATERIALIZED (
       SELECT id AS user_id, full_name, email, role, status, created_at ${matching}
       ORDER BY created_at DESC, id DESC
       LIMIT (SELECT $2::bigint) OFFSET (SELECT $3::bigint)
     )
     SELECT counted.found, user_id, full_name, email, role, status FROM counted LEFT JOIN page ON true
     ORDER BY created_at DESC, user_id DESC`,
    parameters,
  );
  return pagedRows(rows, 'userId');
}

/** The agent, whatever their status; null when the organisation has no such agent. */
export async function findAgent(organisationId: string, userId: string, tx: Tx): Promise<Agent | null> {
  const user = await tx.manager.findOneBy(User, { organisationId, id: userId });
  if (user === null) return null;
  const { fullName, email, role, status } = user;
  return { userId, fullName, email, role, status };
}

/** Whether the agent is active. Locks them: a deactivation waits until the transaction ends. */
export async function lockActiveAgent(organisationId: string, userId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    "SELECT id FROM users WHERE organisation_id = $1 AND id = $2 AND status = 'active' FOR SHARE",
    [organisationId, userId],
  );
  return row !== null;
}

/** @throws DomainError `not_found` for an unknown organisation, `conflict` when it already has this email address */
export async function insertAgent(organisationId: string, agent: Omit<Agent, 'status'>, tx: Tx): Promise<void> {
  const { userId, ...person } = agent;
  try {
    await tx.manager.insert(User, { organisationId, id: userId, ...person });
  } catch (error) {
    if (violatedForeignKey(error) === 'users_organisation_fkey') throw noSuchOrganisation(organisationId);
    if (violatedUniqueConstraint(error) === 'users_organisation_email_key') throw emailTaken(agent.email);
    throw error;
  }
}

/** Returns whether the organisation has the agent, whatever their previous status. */
export async function deactivateAgent(organisationId: string, userId: string, tx: Tx): Promise<boolean> {
  const { affected } = await tx.manager.update(User, { organisationId, id: userId }, { status: 'deactivated' });
  return affected === 1;
}

/** A user's organisation, or null. Only for operators, who identify a user by id alone. */
export async function findOrganisationOfUser(userId: string, tx: Tx): Promise<string | null> {
  const user = await tx.manager.findOne(User, { select: { organisationId: true }, where: { id: userId } });
  return user?.organisationId ?? null;
}
