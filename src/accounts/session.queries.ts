import { IsNull } from 'typeorm';
import type { Database, Tx } from '../database/unit-of-work.js';
import type { Account } from './account.entity.js';
import { Session } from './session.entity.js';
import { SignInLink } from './sign-in-link.entity.js';
import type { User } from './user.entity.js';

// Sessions belong to a user, who is their tenant and the first argument of every query but the one that finds it.

/** A session with its user. */
export type SessionWithUser = Omit<Session, 'tokenHash'> & Pick<User, 'fullName' | 'email' | 'role' | 'organisationId'>;

/** An account that a user may enter. */
export type OpenAccount = Pick<Account, 'id' | 'name' | 'status'> & {
  /** Whether all contacts of the account are being erased. */
  readonly isPurging: boolean;
};

/** The session with this token, if its user is active. The query takes no user, because it is the one that finds them. */
export function findSessionByToken(tokenHash: Buffer, db: Database): Promise<SessionWithUser | null> {
  return db.row<SessionWithUser>(
    `SELECT s.user_id, s.id, s.must_set_password, s.created_at, s.seen_at, s.address, s.device,
            u.full_name, u.email, u.role, u.organisation_id
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND u.status = 'active'`,
    [tokenHash],
  );
}

/** The accounts of the user's organisation; without one, those that they own. Oldest first. */
export function findOpenAccounts(
  { userId, organisationId }: Pick<SessionWithUser, 'userId' | 'organisationId'>,
  db: Database,
): Promise<OpenAccount[]> {
  return db.rows<OpenAccount>(
    `SELECT a.id, a.name, a.status,
            EXISTS (SELECT FROM contact_purges p WHERE p.account_id = a.id) AS is_purging
     FROM accounts a
     WHERE a.organisation_id = $2 OR (a.owner_id = $1 AND a.organisation_id IS NULL AND $2::uuid IS NULL)
     ORDER BY a.created_at, a.id`,
    [userId, organisationId],
  );
}

export async function insertSession(session: Session, tx: Tx): Promise<void> {
  await tx.manager.insert(Session, session);
}

/** Records when sessions last made a request, without waiting for the disk. */
export function stampSeen(userIds: string[], ids: string[], at: Date[], db: Database): Promise<number> {
  return db.affected(
    `WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
     UPDATE sessions s SET seen_at = greatest(s.seen_at, used.at)
     FROM unsynced, unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS used (user_id, id, at)
     WHERE s.user_id = used.user_id AND s.id = used.id`,
    [userIds, ids, at],
  );
}

/** The user's sessions that have not ended, the latest seen first. */
export function findSessions(userId: string, since: SessionLimits, limit: number, db: Database): Promise<Session[]> {
  return db.rows<Session>(
    `SELECT * FROM sessions WHERE user_id = $1 AND seen_at > $2 AND created_at > $3 ORDER BY seen_at DESC, id LIMIT $4`,
    [userId, since.seenAfter, since.createdAfter, limit],
  );
}

/** The times since which a session that has not ended was seen and created. */
export interface SessionLimits {
  readonly seenAfter: Date;
  readonly createdAfter: Date;
}

/** Ends a session. @returns whether there was one */
export async function deleteSession(userId: string, id: string, tx: Tx): Promise<boolean> {
  return (await tx.affected('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [userId, id])) === 1;
}

/** Ends all sessions of a user but one, and makes all links void. */
export async function deleteOtherSessions(userId: string, kept: string | null, tx: Tx): Promise<void> {
  await tx.affected('DELETE FROM sessions WHERE user_id = $1 AND ($2::uuid IS NULL OR id <> $2)', [userId, kept]);
  await tx.affected('DELETE FROM sign_in_links WHERE user_id = $1', [userId]);
}

export async function passwordWasSet(userId: string, sessionId: string, tx: Tx): Promise<void> {
  await tx.manager.update(Session, { userId, id: sessionId, mustSetPassword: true }, { mustSetPassword: false });
}

/** Deletes up to `limit` sessions of any user that have ended. @returns how many */
export function deleteEndedSessions(ended: SessionLimits, limit: number, db: Database): Promise<number> {
  return db.affected(
    `DELETE FROM sessions WHERE (user_id, id) IN (
       SELECT user_id, id FROM sessions WHERE seen_at <= $1
       UNION SELECT user_id, id FROM sessions WHERE created_at <= $2
       LIMIT $3)`,
    [ended.seenAfter, ended.createdAfter, limit],
  );
}

/** Inserts a link; one that lasts replaces the user's earlier one. */
export async function insertLink(link: SignInLink, tx: Tx): Promise<void> {
  const { userId, expiresAt } = link;
  if (expiresAt === null) await tx.manager.delete(SignInLink, { userId, expiresAt: IsNull() });
  await tx.manager.insert(SignInLink, link);
}

/** Whose a link is. The query takes no user, because it is the one that finds them. */
export async function findUserOfLink(tokenHash: Buffer, db: Database): Promise<string | null> {
  const row = await db.row<Pick<SignInLink, 'userId'>>('SELECT user_id FROM sign_in_links WHERE token_hash = $1', [
    tokenHash,
  ]);
  return row?.userId ?? null;
}

/** Whether the user has the session. */
export async function hasSession(userId: string, id: string, db: Database): Promise<boolean> {
  return (await db.row('SELECT id FROM sessions WHERE user_id = $1 AND id = $2', [userId, id])) !== null;
}

/** Uses up a link. */
export function takeLink(
  tokenHash: Buffer,
  at: Date,
  tx: Tx,
): Promise<Pick<SignInLink, 'userId' | 'asksPassword'> | null> {
  return tx.row<Pick<SignInLink, 'userId' | 'asksPassword'>>(
    `DELETE FROM sign_in_links WHERE token_hash = $1 AND coalesce(expires_at > $2, true)
     RETURNING user_id, asks_password`,
    [tokenHash, at],
  );
}

/** Deletes up to `limit` links of any user that can no longer be used. @returns how many */
export function deleteExpiredLinks(at: Date, limit: number, db: Database): Promise<number> {
  return db.affected(
    `DELETE FROM sign_in_links WHERE (user_id, token_hash) IN (
       SELECT user_id, token_hash FROM sign_in_links WHERE expires_at <= $1 LIMIT $2)`,
    [at, limit],
  );
}
