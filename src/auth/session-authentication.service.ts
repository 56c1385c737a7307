import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { findOpenAccounts, findSessionByToken, stampSeen } from '../accounts/session.queries.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { ConfigurationCache, ConfigurationChanges } from '../database/configuration-changes.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Manifest } from '../manifest/manifest.js';
import { SECOND } from '../values/clock.js';
import { budgetOf, type Caller, type KnownSession } from './caller.js';
import { LastUses, type UsesOfKind } from './last-uses.js';
import { scopesOf } from './roles.js';
import { endOfSession, MAX_SESSION_MS } from './session-limits.js';

/** Keys of sessions that are kept. */
const MAX_MET = 50_000;
/** Anything else is not looked up. */
const TOKEN = /^[\w-]{43}$/;
/** Browsers send cookies with this prefix over HTTPS alone, and to this host alone. */
const SECURE_PREFIX = '__Host-';

/** Not kept, as any load that fails: otherwise made-up tokens would fill the cache. */
class NoSuchSession extends Error {}

/** What is stored of a token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Finds the person behind the cookie of a session. Sessions are cached until the configuration changes in any process. */
@Injectable()
export class SessionAuthenticationService {
  private readonly known: ConfigurationCache<KnownSession>;
  private readonly uses: UsesOfKind;
  /** The keys of sessions that were found, the latest ones. */
  private readonly met = new Set<string>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    changes: ConfigurationChanges,
    uses: LastUses,
    private readonly manifest: Manifest,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    this.known = new ConfigurationCache(changes);
    this.uses = uses.of('sessions', stampSeen);
  }

  /** The token in the request's cookie. Pages of other origins call with keys, so theirs is not looked at. */
  tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
    const { cookie, origin } = headers;
    if (cookie === undefined || (origin !== undefined && this.environment.corsOrigins.includes(origin)))
      return undefined;
    const token = parseCookie(cookie)[this.environment.sessionCookie];
    return token !== undefined && TOKEN.test(token) ? token : undefined;
  }

  /** The header that gives a browser the cookie of a session; null takes it back. */
  setCookie(token: string | null): string {
    const name = this.environment.sessionCookie;
    return stringifySetCookie(name, token ?? '', {
      httpOnly: true,
      secure: name.startsWith(SECURE_PREFIX),
      sameSite: 'strict',
      path: '/',
      maxAge: token === null ? 0 : MAX_SESSION_MS / SECOND,
    });
  }

  /**
   * The session with this token, or null when there is none or it has ended. What is cached may be slightly stale, so a
   * session that looks ended is read again first. Counts as a use of it.
   */
  async authenticate(token: string, at: Date): Promise<KnownSession | null> {
    const { key, load } = this.keyed(token);
    const session = await foundOrNull(this.known.getUnless(key, load, (found) => hasEnded(found, at)));
    if (session === null || hasEnded(session, at)) return null;
    this.meet(key);
    if (session.seenAt < at) session.seenAt = at;
    this.uses.note(session.person.userId, session.person.sessionId, at);
    return session;
  }

  /** As {@link authenticate}, for an open stream, which is no use of the session. */
  async current(token: string, at: Date): Promise<KnownSession | null> {
    const { key, load } = this.keyed(token);
    const session = await foundOrNull(this.known.get(key, load));
    return session === null || hasEnded(session, at) ? null : session;
  }

  /** The session read again; null when it has ended. */
  async reread(token: string): Promise<KnownSession | null> {
    const { key, load } = this.keyed(token);
    return foundOrNull(this.known.getCurrent(key, load));
  }

  /** Whether there was a session with this token, as far as this process knows: looking for it again is no guess. */
  isKnown(token: string): boolean {
    return this.met.has(this.keyed(token).key);
  }

  /** The person as the caller of a request about an account; null when they may not enter it. */
  callerOf({ person, accounts }: KnownSession, accountId: string): Caller | null {
    const account = accounts.find(({ id }) => id === accountId);
    if (account === undefined) return null;
    return {
      by: { kind: 'user', person },
      accountId,
      organisationId: person.organisationId,
      userId: person.userId,
      source: 'manual',
      family: person.userId,
      scopes: scopesOf(person.role, this.manifest.scopes),
      endsAt: null,
      allowedNetworks: null,
      budget: budgetOf(person),
      suspended: account.status === 'suspended',
      purging: account.isPurging,
    };
  }

  /** Whether a request comes from a page of ours, which no other page can pretend in a browser. */
  isFromOwnPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin';
    const { origin, host } = headers;
    if (origin === undefined || !URL.canParse(origin)) return false;
    const own = this.environment.publicUrl;
    return own === null ? new URL(origin).host === host : origin === new URL(own).origin;
  }

  private meet(key: string): void {
    if (this.met.has(key)) return;
    this.met.add(key);
    const [oldest] = this.met.size > MAX_MET ? this.met : [];
    if (oldest !== undefined) this.met.delete(oldest);
  }

  private keyed(token: string): { readonly key: string; readonly load: () => Promise<KnownSession> } {
    const hash = hashToken(token);
    // A part of the header would keep all of it.
    return { key: hash.toString('base64'), load: () => this.load(hash) };
  }

  /** @throws {@link NoSuchSession} */
  private async load(hash: Buffer): Promise<KnownSession> {
    const { control } = this.unitOfWork;
    const stored = await findSessionByToken(hash, control);
    if (stored === null) throw new NoSuchSession();
    const { userId, id, mustSetPassword, fullName, email, role, organisationId, createdAt, seenAt } = stored;
    const person = { userId, fullName, email, role, organisationId, sessionId: id, mustSetPassword };
    return { person, accounts: await findOpenAccounts(stored, control), createdAt, seenAt };
  }
}

const hasEnded = ({ createdAt, seenAt }: KnownSession, at: Date): boolean => endOfSession(createdAt, seenAt) <= at;

function foundOrNull(found: Promise<KnownSession>): Promise<KnownSession | null> {
  return found.catch((error: unknown) => {
    if (error instanceof NoSuchSession) return null;
    throw error;
  });
}
