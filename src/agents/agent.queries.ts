import { violatedForeignKey, violatedUniqueConstraint } from '../database/constraint-violation.js';
import { containsPattern } from '../database/like-pattern.js';
import { type Counted, pagedRows } from '../database/page-sql.js';
import type { Tx } from '../database/unit-of-work.js';
import { offsetOf, type Page, type Paged } from '../values/page.js';
import { emailTaken, noSuchOrganisation } from './agent.errors.js';
import { type Agent, type AgentRole, type AgentStatus } from './agent.js';

/** Which agents a list shows. */
export interface AgentFilter {
  readonly role?: AgentRole;
  readonly status: AgentStatus;
  /** Found anywhere in name or email, in any case. */
  readonly search?: string;
}

interface AgentRow {
  readonly id: string;
  readonly full_name: string;
  readonly email: string;
  readonly role: AgentRole;
  readonly status: AgentStatus;
}

const COLUMNS = 'id, full_name, email, role, status';

const agentOf = ({ id, full_name, email, role, status }: AgentRow): Agent => ({
  userId: id,
  fullName: full_name,
  email,
  role,
  status,
});

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
  const rows = await tx.rows<Counted<AgentRow>>(
    `WITH counted AS (
       SELECT count(*)::integer AS found ${matching}
     ), page AS MATERIALIZED (
       SELECT ${COLUMNS}, created_at ${matching}
       ORDER BY created_at DESC, id DESC
       LIMIT (SELECT $2::bigint) OFFSET (SELECT $3::bigint)
     )
     SELECT counted.found, ${COLUMNS} FROM counted LEFT JOIN page ON true
     ORDER BY created_at DESC, id DESC`,
    parameters,
  );
  const { rows: found, total } = pagedRows(rows, 'id');
  return { rows: found.map(agentOf), total };
}

/** The agent, whatever their status, or null when the organisation has none with this id. */
export async function findAgent(organisationId: string, userId: string, tx: Tx): Promise<Agent | null> {
  const row = await tx.row<AgentRow>(`SELECT ${COLUMNS} FROM users WHERE organisation_id = $1 AND id = $2`, [
    organisationId,
    userId,
  ]);
  return row === null ? null : agentOf(row);
}

/** Whether the agent is active, and then they stay so until the transaction ends: deactivating them waits for this lock. */
export async function holdActiveAgent(organisationId: string, userId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    "SELECT id FROM users WHERE organisation_id = $1 AND id = $2 AND status = 'active' FOR SHARE",
    [organisationId, userId],
  );
  return row !== null;
}

export async function insertAgent(organisationId: string, agent: Omit<Agent, 'status'>, tx: Tx): Promise<void> {
  const { userId, fullName, email, role } = agent;
  try {
    await tx.affected('INSERT INTO users (organisation_id, id, full_name, email, role) VALUES ($1, $2, $3, $4, $5)', [
      organisationId,
      userId,
      fullName,
      email,
      role,
    ]);
  } catch (error) {
    if (violatedForeignKey(error) === 'users_organisation_fkey') throw noSuchOrganisation(organisationId);
    if (violatedUniqueConstraint(error) === 'users_organisation_email_key') throw emailTaken(email);
    throw error;
  }
}

/** Answers how many agents were found, whatever their status was. */
export function deactivateAgent(organisationId: string, userId: string, tx: Tx): Promise<number> {
  return tx.affected("UPDATE users SET status = 'deactivated' WHERE organisation_id = $1 AND id = $2", [
    organisationId,
    userId,
  ]);
}

/** The organisation that a user belongs to. Only for operators, who name a user alone (D41). */
export async function findOrganisationOfUser(userId: string, tx: Tx): Promise<string | null> {
  const row = await tx.row<{ organisation_id: string | null }>('SELECT organisation_id FROM users WHERE id = $1', [
    userId,
  ]);
  return row?.organisation_id ?? null;
}
