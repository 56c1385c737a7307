import { User } from '../accounts/user.entity.js';
import type { Database, Tx } from '../database/unit-of-work.js';

/** Users with one address that are compared, the oldest; of more, the request has to name the organisation. */
const MAX_CANDIDATES = 5;
/** Failures after which an address waits. */
const FREE_FAILURES = 5;
/** The first wait, and the longest, seconds. */
const FIRST_WAIT_SECONDS = 30;
const MAX_WAIT_SECONDS = 900;

export interface KnownAt {
  /** Whether the user has a session from the IP address in question. */
  readonly isKnown: boolean;
}

/** Somebody who may be meant by an e-mail address. */
export type Candidate = Pick<User, 'organisationId' | 'passwordHash' | 'email' | 'fullName' | 'role'> & {
  readonly userId: string;
  /** The name of the organisation; without one, that of the account. */
  readonly organisationName: string;
  /** The id of the organisation; without one, that of the account. */
  readonly organisationKey: string;
};

/**
 * Active users with this address who have a password, the oldest first. The query takes no organisation, because it is the
 * one that finds it.
 *
 * @param organisationKey the id of an organisation or, for the owner of an account without one, of the account
 * @param address the IP address for which `isKnown` is told
 */
export function findCandidates(
  email: string,
  organisationKey: string | null,
  address: string | null,
  db: Database,
): Promise<(Candidate & KnownAt)[]> {
  return db.rows<Candidate & KnownAt>(
    `SELECT EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id AND s.address = $3) AS is_known, u.id AS user_id, u.organisation_id, u.password_hash, u.email, u.full_name, u.role,
            coalesce(o.name, a.name) AS organisation_name, coalesce(o.id, a.id) AS organisation_key
     FROM users u
     LEFT JOIN organisations o ON o.id = u.organisation_id
     LEFT JOIN accounts a ON a.owner_id = u.id AND u.organisation_id IS NULL
     WHERE lower(u.email) = lower($1) AND u.status = 'active' AND u.password_hash IS NOT NULL
       AND coalesce(o.id, a.id) IS NOT NULL AND ($2::uuid IS NULL OR coalesce(o.id, a.id) = $2)
     ORDER BY u.created_at, u.id LIMIT ${MAX_CANDIDATES}`,
    [email, organisationKey, address],
  );
}

/** Whether a user has a session from an IP address. */
export async function isKnownAt(userId: string, address: string | null, db: Database): Promise<boolean> {
  const row = await db.row<KnownAt>(
    'SELECT EXISTS (SELECT FROM sessions WHERE user_id = $1 AND address = $2) AS is_known',
    [userId, address],
  );
  return row?.isKnown === true;
}

/** An active user, with their password. Users are found by id alone, because a session or a link names them. */
export function findUser(
  userId: string,
  db: Database,
): Promise<Pick<User, 'organisationId' | 'email' | 'passwordHash'> | null> {
  return db.row<Pick<User, 'organisationId' | 'email' | 'passwordHash'>>(
    `SELECT organisation_id, email, password_hash FROM users WHERE id = $1 AND status = 'active'`,
    [userId],
  );
}

/**
 * Holds an active user against a change of their password and a deactivation until the transaction ends.
 *
 * @param passwordHash what was compared; undefined: none was
 * @returns whether the user is active, and still has it
 */
export async function holdUser(userId: string, passwordHash: string | null | undefined, tx: Tx): Promise<boolean> {
  const row = await tx.row<{ passwordHash: string | null }>(
    "SELECT password_hash FROM users WHERE id = $1 AND status = 'active' FOR SHARE",
    [userId],
  );
  return row !== null && (passwordHash === undefined || row.passwordHash === passwordHash);
}

/** As {@link holdUser}, for a change of the password. */
export async function lockUser(userId: string, passwordHash: string | null | undefined, tx: Tx): Promise<boolean> {
  const row = await tx.row<{ passwordHash: string | null }>(
    "SELECT password_hash FROM users WHERE id = $1 AND status = 'active' FOR NO KEY UPDATE",
    [userId],
  );
  return row !== null && (passwordHash === undefined || row.passwordHash === passwordHash);
}

/** How many users have an address, active or not. */
export async function countNamesakes(email: string, db: Database): Promise<number> {
  const row = await db.row<{ count: number }>(
    'SELECT count(*)::integer AS count FROM users WHERE lower(email) = lower($1)',
    [email],
  );
  return row?.count ?? 0;
}

/** What counts as attempts with an e-mail address. It is any text, but that of {@link triesAt} never results from one. */
export const triesWith = (email: string): string => JSON.stringify(['email', email]);

/** What counts as attempts for a user at an IP address from which they have signed in. */
export const triesAt = (userId: string, address: string | null): string => JSON.stringify(['known', userId, address]);

export async function updatePassword(userId: string, passwordHash: string, tx: Tx): Promise<void> {
  await tx.manager.update(User, { id: userId }, { passwordHash });
}

/** The key of attempts; an e-mail address may be in any case, and the database compares it as it does those of users. */
const HASH = `sha256(convert_to(lower($1), 'UTF8'))`;

/**
 * Counts an attempt as a failure, before it is known: of many at once no more are made than one after the other. A success
 * forgets them. Attempts of one moment arrive in any order, so none waits for the time of another.
 *
 * @returns null, or seconds until the next attempt is allowed
 */
export async function takeTry(tries: string, at: Date, db: Database): Promise<number | null> {
  const taken = await db.affected(
    `INSERT INTO sign_in_tries AS t (email_hash, failures, last_at, blocked_until) VALUES (${HASH}, 1, $2, '-infinity')
     ON CONFLICT (email_hash) DO UPDATE SET
       failures = t.failures + 1, last_at = $2,
       blocked_until = CASE WHEN t.failures + 1 >= ${FREE_FAILURES} THEN $2::timestamptz + make_interval(secs =>
         least(${MAX_WAIT_SECONDS}, ${FIRST_WAIT_SECONDS} * 2 ^ least(t.failures + 1 - ${FREE_FAILURES}, 10))) ELSE '-infinity' END
     WHERE t.blocked_until <= $2`,
    [tries, at],
  );
  if (taken === 1) return null;
  const row = await db.row<{ seconds: number }>(
    `SELECT ceil(extract(epoch FROM blocked_until - $2::timestamptz))::integer AS seconds FROM sign_in_tries WHERE email_hash = ${HASH}`,
    [tries, at],
  );
  return Math.max(1, row?.seconds ?? 1);
}

/** Takes back an attempt that was not made after all. */
export async function returnTry(tries: string, at: Date, db: Database): Promise<void> {
  await db.affected(
    `UPDATE sign_in_tries SET failures = greatest(0, failures - 1), blocked_until = least(blocked_until, $2)
     WHERE email_hash = ${HASH}`,
    [tries, at],
  );
}

export async function forgetTries(tries: string, db: Database): Promise<void> {
  await db.affected(`DELETE FROM sign_in_tries WHERE email_hash = ${HASH}`, [tries]);
}

/** Whether a refusal is to be told: at most one a minute for what is counted together. */
export async function tellRefusal(tries: string, at: Date, tx: Tx): Promise<boolean> {
  const told = await tx.affected(
    `UPDATE sign_in_tries SET told_at = $2::timestamptz
     WHERE email_hash = ${HASH} AND coalesce(told_at <= $2::timestamptz - interval '1 minute', true)`,
    [tries, at],
  );
  return told === 1;
}

/** Deletes attempts of addresses that were not tried since `before`. @returns how many, at most `limit` */
export function deleteOldTries(before: Date, limit: number, db: Database): Promise<number> {
  return db.affected(
    `DELETE FROM sign_in_tries WHERE email_hash IN (
       SELECT email_hash FROM sign_in_tries WHERE last_at < $1 LIMIT $2)`,
    [before, limit],
  );
}
