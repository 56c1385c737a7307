import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { findUserOfLink, insertSession, takeLink } from '../accounts/session.queries.js';
import { type Actor, runAs, SYSTEM } from '../audit/actor.js';
import { AuditLog } from '../audit/audit-log.js';
import { FailedAuthentications } from '../auth/authentication.guard.js';
import { hashToken } from '../auth/session-authentication.service.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import { RequestWindows } from '../rate-limit/request-windows.js';
import { MINUTE, now, SECOND } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { type Attempt, PasswordTries } from './password-tries.js';
import { linkIsVoid, PasswordsBusy, triesBlocked, wrongPassword } from './sessions.errors.js';
import {
  type Candidate,
  findCandidates,
  findUser,
  holdUser,
  isKnownAt,
  type KnownAt,
  tellRefusal,
} from './sign-in.queries.js';

/** From where somebody signs in. */
export interface Origin {
  readonly requestId: string;
  /** The IP address; null when it is not known. */
  readonly address: string | null;
  /** What the address's failures count for. */
  readonly countedAddress: string;
  /** The browser's `User-Agent`. */
  readonly device: string | null;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Which of several organisations; null: the only one. */
  readonly organisationKey: RecordId | null;
}

/** A new session, or the organisations of which one has to be chosen. */
export type SignIn =
  | { readonly token: string }
  | { readonly organisations: readonly { readonly id: string; readonly name: string }[] };

/** Times a minute that a password may let a user in. */
const MAX_SESSIONS = 20;
/** How long a wrong password takes at least, milliseconds: longer than all that depends on whose address it is. */
const MIN_REFUSAL_MS = 400;

const paced = (): Promise<void> => pause(MIN_REFUSAL_MS);

/** Characters of a `User-Agent` that are kept. */
const MAX_DEVICE = 256;

/** Signs people in, with a password or by a link. */
@Injectable()
export class SignInService {
  private readonly logger = new Logger(SignInService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tries: PasswordTries,
    private readonly failures: FailedAuthentications,
    private readonly windows: RequestWindows,
  ) {}

  /**
   * Signs in with an e-mail address and a password. Failures slow down the address that they come from and the e-mail
   * address that they are about, but never shut anybody out.
   *
   * @throws DomainError 401, 429 with `Retry-After`, 503 when many sign in at once
   */
  async withPassword({ email, password, organisationKey }: Credentials, origin: Origin): Promise<SignIn> {
    const pace = paced();
    const found = await this.counted(origin, async () => {
      const candidates = await findCandidates(email, organisationKey, origin.address, this.unitOfWork.control);
      const attempt = await this.tries.take(email, candidates, origin.address);
      const matching = await this.tries.compare(attempt, password, origin.countedAddress);
      if (matching.length === 0) {
        // Nobody waits for it: whether there was somebody to tell must not show.
        void this.refused(attempt, origin);
        if (attempt.waitSeconds === null) return null;
        // It may be the password of one who was left out.
        await pace;
        throw triesBlocked(attempt.waitSeconds);
      }
      // What is too often counts as a failure, because it has been compared all the same.
      for (const { userId } of matching) await this.limitSessions(userId);
      await this.tries.forget(attempt, matching);
      return matching;
    });
    if (found === null) {
      await pace;
      throw wrongPassword();
    }
    const organisations = new Map(found.map(({ organisationKey: id, organisationName: name }) => [id, { id, name }]));
    if (organisations.size > 1) return { organisations: [...organisations.values()] };
    const [user] = found as [Candidate & KnownAt];
    return this.unitOfWork.transaction(async (tx) => {
      // It may have been changed, or its user deactivated, while it was compared.
      if (!(await holdUser(user.userId, user.passwordHash, tx))) throw wrongPassword();
      return this.enter(user, { mustSetPassword: false }, origin, tx);
    });
  }

  /**
   * Signs in by a link, which is used up.
   *
   * @throws DomainError 401 when it was used or is too old; 429 when the address has failed too often
   */
  async withLink(link: string, origin: Origin): Promise<SignIn> {
    const tokenHash = hashToken(link);
    const entered = await this.counted(origin, () =>
      this.unitOfWork.transaction(async (tx) => {
        const userId = await findUserOfLink(tokenHash, tx);
        // A password that is set, and a deactivation, make links void: whichever comes first.
        if (userId === null || !(await holdUser(userId, undefined, tx))) return null;
        const [taken, user] = [await takeLink(tokenHash, now(), tx), await findUser(userId, tx)];
        if (taken === null || user === null) return null;
        return this.enter({ userId, ...user }, { mustSetPassword: taken.asksPassword }, origin, tx);
      }),
    );
    if (entered === null) throw linkIsVoid();
    return entered;
  }

  /** Whether a password is that of a user; a failure counts as one of signing in. */
  async confirms(
    user: Pick<Candidate, 'userId' | 'email' | 'passwordHash'>,
    password: string,
    { address, countedAddress }: Pick<Origin, 'address' | 'countedAddress'>,
  ): Promise<boolean> {
    const isKnown = await isKnownAt(user.userId, address, this.unitOfWork.control);
    const attempt = await this.tries.take(user.email, [{ ...user, isKnown }], address);
    const matching = await this.tries.compare(attempt, password, countedAddress);
    if (matching.length > 0) await this.tries.forget(attempt, matching);
    return matching.length > 0;
  }

  /**
   * Counts what fails against the IP address, also what had to wait and what got no turn: asking again and again must not
   * be free.
   */
  private async counted<Found>({ countedAddress }: Origin, work: () => Promise<Found | null>): Promise<Found | null> {
    this.failures.check(countedAddress);
    let refusal: unknown;
    const found = await this.failures.attempt(countedAddress, () =>
      work().catch((error: unknown) => {
        const isToCount =
          error instanceof PasswordsBusy || (error instanceof DomainError && error.code === 'rate_limited');
        if (!isToCount) throw error;
        refusal = error;
        return null;
      }),
    );
    if (refusal !== undefined) throw refusal;
    return found;
  }

  /** @throws DomainError 429 when the user has begun too many sessions: each one's end costs every process its caches */
  private async limitSessions(userId: string): Promise<void> {
    const { allowed, resetMs } = await this.windows.take(`sign-in:${userId}`, MAX_SESSIONS, MINUTE);
    if (!allowed) throw triesBlocked(Math.max(1, Math.ceil(resetMs / SECOND)));
  }

  private async enter(
    user: Pick<Candidate, 'userId' | 'organisationId'>,
    { mustSetPassword }: { readonly mustSetPassword: boolean },
    { requestId, address, device }: Origin,
    tx: Tx,
  ): Promise<{ token: string }> {
    const { userId } = user;
    const token = randomBytes(32).toString('base64url');
    const at = now();
    const actor: Actor = { kind: 'user', apiKeyId: null, userId, requestId, address };
    await runAs(actor, () => AuditLog.writeForUser(user, { action: 'agent.signed_in', subjectId: userId }, tx));
    await insertSession(
      {
        userId,
        id: newRecordId(),
        tokenHash: hashToken(token),
        mustSetPassword,
        createdAt: at,
        seenAt: at,
        address,
        device: device === null ? null : device.slice(0, MAX_DEVICE),
      },
      tx,
    );
    return { token };
  }

  private async refused({ counters }: Attempt<Candidate & KnownAt>, { requestId, address }: Origin): Promise<void> {
    const toTell = counters.filter(({ users }) => users.length > 0);
    if (toTell.length === 0) return;
    const tell = async (tx: Tx): Promise<void> => {
      for (const { tries, users } of toTell) {
        if (!(await tellRefusal(tries, now(), tx))) continue;
        for (const user of users) {
          const entry = { action: 'agent.sign_in_refused', subjectId: user.userId } as const;
          await runAs({ ...SYSTEM, requestId, address }, () => AuditLog.writeForUser(user, entry, tx));
        }
      }
    };
    try {
      await this.unitOfWork.transaction(tell);
    } catch (error) {
      this.logger.warn(`could not tell of a refused sign-in: ${(error as Error).message}`);
    }
  }
}
