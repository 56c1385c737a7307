import { Injectable } from '@nestjs/common';
import { deleteOtherSessions, hasSession, passwordWasSet } from '../accounts/session.queries.js';
import { noSuchAgent } from '../agents/agent.errors.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Person } from '../auth/caller.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { checkPassword, Passwords } from './passwords.js';
import { passwordIsOther } from './sessions.errors.js';
import { findUser, lockUser, updatePassword } from './sign-in.queries.js';

/** Whose turn the passwords take that operators set. */
const OPERATORS = 'operators';

/** Sets passwords, which ends sessions and makes links void. */
@Injectable()
export class UserPasswordsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Sets a user's password and ends all of their sessions; for operators.
   *
   * @throws DomainError 404 without an active user, 400 for a password that may not be used
   */
  async set(userId: RecordId, password: string): Promise<void> {
    const user = await findUser(userId, this.unitOfWork.control);
    if (user === null) throw noSuchAgent(userId);
    checkPassword('the password', password, user.email);
    const passwordHash = await this.passwords.hash(password, OPERATORS);
    await this.unitOfWork.transaction(async (tx) => {
      if (!(await lockUser(userId, undefined, tx))) throw noSuchAgent(userId);
      await this.store({ userId, organisationId: user.organisationId }, passwordHash, null, tx);
    });
  }

  /**
   * Sets the password of somebody who has signed in, and ends their other sessions.
   *
   * @param former the hash of the password that they have shown to know; null: they have none, undefined: they need not
   * @param whose whose turn it takes
   * @throws DomainError 409 when their session has ended meanwhile, or somebody else has set a password; 503 when too
   *   many others wait
   */
  async change(person: Person, password: string, former: string | null | undefined, whose: string): Promise<void> {
    const { userId, sessionId } = person;
    const passwordHash = await this.passwords.hash(password, whose);
    await this.unitOfWork.transaction(async (tx) => {
      const isSame = (await lockUser(userId, former, tx)) && (await hasSession(userId, sessionId, tx));
      if (!isSame) throw passwordIsOther();
      await this.store(person, passwordHash, sessionId, tx);
    });
  }

  private async store(
    user: { readonly userId: string; readonly organisationId: string | null },
    passwordHash: string,
    keptSession: string | null,
    tx: Tx,
  ): Promise<void> {
    const { userId } = user;
    await AuditLog.writeForUser(user, { action: 'agent.password_set', subjectId: userId }, tx);
    await updatePassword(userId, passwordHash, tx);
    // Last, because they lock the configuration epoch of all accounts.
    if (keptSession !== null) await passwordWasSet(userId, keptSession, tx);
    await deleteOtherSessions(userId, keptSession, tx);
  }
}
