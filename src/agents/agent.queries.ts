import { User } from '../accounts/user.entity.js';
import { violatedForeignKey, violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import { containsPattern } from '../database/sql/like-pattern.js';
import { type Counted, pagedRows } from '../database/sql/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import { emailTaken, noSuchOrganisation } from './agent.errors.js';
import type { Agent, AgentRole, AgentStatus } from './agent.js';

/** Which agents a list shows. */
export interface AgentFilter {
  readonly role?: AgentRole;
  readonly status: AgentStatus;
  /** Found anywhere in name or email, in any case. */
  readonly search?: string;
}

// Users belong to an organisation, not to an account: it is their tenant, and the first argument of every query.

/**
 * One page of the organisation's agents, newest first, and how many match in all. Conditions are written out, so that a
 * list without a search is read along its index.
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

/** The agent, whatever their status, or null when the organisation has none with this id. */
export async function findAgent(organisationId: string, userId: string, tx: Tx): Promise<Agent | null> {
  const user = await tx.manager.findOneBy(User, { organisationId, id: userId });
  if (user === null) return null;
  const { fullName, email, role, status } = user;
  return { userId, fullName, email, role, status };
}

/** Whether the agent is active. If so, they stay active until the transaction ends: deactivating waits for this lock. */
export async function holdActiveAgent(organisationId: string, userId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    "SELECT id FROM users WHERE organisation_id = $1 AND id = $2 AND status = 'active' FOR SHARE",
    [organisationId, userId],
  );
  return row !== null;
}

/** @throws DomainError `not_found` for an unknown organisation, `conflict` when it has that address already */
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

/** Returns whether the organisation has the agent, whatever their status was. */
export async function deactivateAgent(organisationId: string, userId: string, tx: Tx): Promise<boolean> {
  const { affected } = await tx.manager.update(User, { organisationId, id: userId }, { status: 'deactivated' });
  return affected === 1;
}

/** The organisation that a user belongs to. Only for operators, who name a user alone. */
export async function findOrganisationOfUser(userId: string, tx: Tx): Promise<string | null> {
  const user = await tx.manager.findOne(User, { select: { organisationId: true }, where: { id: userId } });
  return user?.organisationId ?? null;
}
