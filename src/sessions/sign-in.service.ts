import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { insertSession, takeLink } from '../accounts/session.queries.js';
import { type Actor, runAs, SYSTEM } from '../audit/actor.js';
import { AuditLog } from '../audit/audit-log.js';
import { FailedAuthentications } from '../auth/authentication.guard.js';
import { hashToken } from '../auth/session-authentication.service.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { Passwords } from './passwords.js';
import { linkIsVoid, triesBlocked, wrongPassword } from './sessions.errors.js';
import {
  type Candidate,
  findCandidates,
  findUser,
  forgetTries,
  returnTry,
  takeTry,
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

/** Characters of a `User-Agent` that are kept. */
const MAX_DEVICE = 256;

/** Signs people in, with a password or by a link. */
@Injectable()
export class SignInService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly passwords: Passwords,
    private readonly failures: FailedAuthentications,
  ) {}

  /**
   * Signs in with an e-mail address and a password. Failures slow down the address that they come from and the e-mail
   * address that they are about, wherever they come from, but never shut anybody out.
   *
   * @throws DomainError 401, 429 with `Retry-After`, 503 when many sign in at once
   */
  async withPassword({ email, password, organisationKey }: Credentials, origin: Origin): Promise<SignIn> {
    this.failures.check(origin.countedAddress);
    const found = await this.failures.attempt(origin.countedAddress, () =>
      this.tried(email, async () => {
        const candidates = await findCandidates(email, organisationKey, this.unitOfWork.control);
        const matching = await this.matching(candidates, password);
        if (matching.length === 0) await this.refused(email, candidates, origin);
        return matching.length === 0 ? null : matching;
      }),
    );
    if (found === null) throw wrongPassword();
    const organisations = new Map(found.map(({ organisationKey: id, organisationName: name }) => [id, { id, name }]));
    const [user] = found as [Candidate];
    if (organisations.size > 1) {
      await forgetTries(email, this.unitOfWork.autocommit);
      return { organisations: [...organisations.values()] };
    }
    return this.unitOfWork.transaction(async (tx) => {
      await forgetTries(email, tx);
      return this.enter(user, { mustSetPassword: false }, origin, tx);
    });
  }

  /**
   * Signs in by a link, which is used up.
   *
   * @throws DomainError 401 when it was used or is too old; 429 when the address has failed too often
   */
  async withLink(link: string, origin: Origin): Promise<SignIn> {
    this.failures.check(origin.countedAddress);
    const entered = await this.failures.attempt(origin.countedAddress, () =>
      this.unitOfWork.transaction(async (tx) => {
        const taken = await takeLink(hashToken(link), now(), tx);
        const user = taken && (await findUser(taken.userId, tx));
        if (taken === null || user === null) return null;
        const { userId, asksPassword } = taken;
        return this.enter({ userId, ...user }, { mustSetPassword: asksPassword }, origin, tx);
      }),
    );
    if (entered === null) throw linkIsVoid();
    return entered;
  }

  /** Whether a password is that of a user; a failure counts as one of signing in. */
  async confirms(
    { email, passwordHash }: Pick<Candidate, 'email' | 'passwordHash'>,
    password: string,
  ): Promise<boolean> {
    return this.tried(email, async () => {
      const isRight = await this.passwords.matches(password, passwordHash);
      if (isRight) await forgetTries(email, this.unitOfWork.autocommit);
      return isRight;
    });
  }

  /** @throws DomainError 429 while attempts with the address have to wait */
  private async tried<Result>(email: string, work: () => Promise<Result>): Promise<Result> {
    const at = now();
    const seconds = await takeTry(email, at, this.unitOfWork.autocommit);
    if (seconds !== null) throw triesBlocked(seconds);
    try {
      return await work();
    } catch (error) {
      // Not made, because others were before it.
      if (error instanceof DomainError) await returnTry(email, at, this.unitOfWork.autocommit);
      throw error;
    }
  }

  private async matching(candidates: readonly Candidate[], password: string): Promise<Candidate[]> {
    const matching: Candidate[] = [];
    for (const candidate of candidates) {
      if (await this.passwords.matches(password, candidate.passwordHash)) matching.push(candidate);
    }
    if (candidates.length === 0) await this.passwords.matches(password, null);
    return matching;
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

  private async refused(
    email: string,
    candidates: readonly Candidate[],
    { requestId, address }: Origin,
  ): Promise<void> {
    if (candidates.length === 0) return;
    await this.unitOfWork.transaction(async (tx) => {
      if (!(await tellRefusal(email, now(), tx))) return;
      for (const user of candidates) {
        const entry = { action: 'agent.sign_in_refused', subjectId: user.userId } as const;
        await runAs({ ...SYSTEM, requestId, address }, () => AuditLog.writeForUser(user, entry, tx));
      }
    });
  }
}
