import { noSuchOrganisation } from '../accounts/account.errors.js';
import { User } from '../accounts/user.entity.js';
import { violatedForeignKey, violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import { NEWEST_FIRST } from '../database/sql/list-order.js';
import { type Counted, pagedRows } from '../database/sql/page-sql.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { Page, Paged } from '../values/page.js';
import type { Agent, AgentRole, AgentStatus } from './agent.js';

/** Which agents a list shows. */
export interface AgentFilter {
  readonly role?: AgentRole;
  readonly status: AgentStatus;
  /** A part of the name or email; case, accents and the number of blanks make no difference. */
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
  db: Database,
): Promise<Paged<Agent>> {
  const parameters: unknown[] = [organisationId, ...NEWEST_FIRST.parameters(page), status];
  const conditions = ['organisation_id = $1', 'status = $4'];
  if (role !== undefined) conditions.push(`role = $${parameters.push(role)}`);
  if (search !== undefined) {
    const pattern = `(SELECT search_pattern($${parameters.push(search)}))`;
    conditions.push(`(search_text(full_name) LIKE ${pattern} OR search_text(email) LIKE ${pattern})`);
  }
  const matching = `FROM users WHERE ${conditions.join(' AND ')}`;
  const rows = await db.rows<Counted<Agent>>(
    `WITH counted AS (
       SELECT count(*)::integer AS found ${matching}
     ), page AS MATERIALIZED (
       SELECT id, full_name, email, email_clashes, role, status, created_at ${matching}
       ${NEWEST_FIRST.pageOf(page, '(SELECT $2::bigint)', '$3')}
     )
     SELECT counted.found, id AS user_id, full_name, email, email_clashes, role, status, ${NEWEST_FIRST.position()}
     FROM counted LEFT JOIN page ON true
     ${NEWEST_FIRST.by()}`,
    parameters,
  );
  return pagedRows(rows, 'userId', page);
}

/** The agent, whatever their status; null when the organisation has no such agent. */
export async function findAgent(organisationId: string, userId: string, tx: Database): Promise<Agent | null> {
  const user = await tx.manager.findOneBy(User, { organisationId, id: userId });
  if (user === null) return null;
  const { fullName, email, emailClashes, role, status } = user;
  return { userId, fullName, email, emailClashes, role, status };
}

/** Whether the agent is active. Locks them: a deactivation waits until the transaction ends. */
export async function lockActiveAgent(organisationId: string, userId: string, tx: Tx): Promise<boolean> {
  const row = await tx.row(
    "SELECT id FROM users WHERE organisation_id = $1 AND id = $2 AND status = 'active' FOR SHARE",
    [organisationId, userId],
  );
  return row !== null;
}

/** The organisation already has an agent with the e-mail address. */
export class EmailTaken extends Error {}

/** The agent of the organisation who has an e-mail address, in any case. */
export function findByEmail(
  organisationId: string,
  email: string,
  db: Database,
): Promise<Pick<Agent, 'userId' | 'status'> | null> {
  return db.row<Pick<Agent, 'userId' | 'status'>>(
    `SELECT id AS user_id, status FROM users
     WHERE organisation_id = $1 AND lower(email) = lower($2) ORDER BY email_clashes, id LIMIT 1`,
    [organisationId, email],
  );
}

/** @throws DomainError `not_found` for an unknown organisation, or {@link EmailTaken} */
export async function insertAgent(
  organisationId: string,
  agent: Omit<Agent, 'status' | 'emailClashes'>,
  tx: Tx,
): Promise<void> {
  const { userId, ...person } = agent;
  try {
    await tx.manager.insert(User, { organisationId, id: userId, ...person });
  } catch (error) {
    if (violatedForeignKey(error) === 'users_organisation_fkey') throw noSuchOrganisation(organisationId);
    if (violatedUniqueConstraint(error) === 'users_organisation_email_key') throw new EmailTaken();
    throw error;
  }
}

/**
 * Activates or deactivates an agent. The open conversations of a deactivated one are to be released.
 *
 * @returns whether the organisation has the agent, whatever their previous status
 */
export async function setStatus(organisationId: string, userId: string, status: AgentStatus, tx: Tx): Promise<boolean> {
  const changes = { status, releasesThreads: status === 'deactivated' };
  const { affected } = await tx.manager.update(User, { organisationId, id: userId }, changes);
  return affected === 1;
}

/** What of an agent can be changed. */
export type AgentChanges = Partial<Pick<Agent, 'fullName' | 'email' | 'role'>>;

/** @throws {@link EmailTaken} */
export async function updateAgent(
  organisationId: string,
  userId: string,
  changes: AgentChanges,
  tx: Tx,
): Promise<void> {
  try {
    if (changes.email === undefined) {
      await tx.manager.update(User, { organisationId, id: userId }, changes);
      return;
    }
    const former = await tx.manager.findOneBy(User, { organisationId, id: userId });
    await tx.manager.update(User, { organisationId, id: userId }, { ...changes, emailClashes: false });
    if (former !== null) await clearClash(organisationId, former.email, tx);
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'users_organisation_email_key') throw new EmailTaken();
    throw error;
  }
}

/** Of those who have an address of which nobody is unmarked any more, the oldest is no clash. */
async function clearClash(organisationId: string, email: string, tx: Tx): Promise<void> {
  await tx.affected(
    `UPDATE users SET email_clashes = false
     WHERE organisation_id = $1 AND id = (
       SELECT u.id FROM users u
       WHERE u.organisation_id = $1 AND lower(u.email) = lower($2)
         AND NOT EXISTS (
           SELECT FROM users o WHERE o.organisation_id = $1 AND lower(o.email) = lower($2) AND NOT o.email_clashes)
       ORDER BY u.created_at, u.id LIMIT 1)`,
    [organisationId, email],
  );
}

/** The active owners of an organisation, locked: of two changes at once the later sees what the earlier has left. */
export async function lockActiveOwners(organisationId: string, tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(
    `SELECT id FROM users WHERE organisation_id = $1 AND role = 'owner' AND status = 'active' ORDER BY id
     FOR NO KEY UPDATE`,
    [organisationId],
  );
  return rows.map(({ id }) => id);
}

/** A user's organisation, or null. Only for operators, who identify a user by id alone. */
export async function findOrganisationOfUser(userId: string, db: Database): Promise<string | null> {
  const user = await db.manager.findOne(User, { select: { organisationId: true }, where: { id: userId } });
  return user?.organisationId ?? null;
}
