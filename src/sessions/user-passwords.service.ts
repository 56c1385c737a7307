import { Injectable } from '@nestjs/common';
import { deleteOtherSessions, passwordWasSet } from '../accounts/session.queries.js';
import { noSuchAgent } from '../agents/agent.errors.js';
import { AuditLog } from '../audit/audit-log.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { checkPassword, Passwords } from './passwords.js';
import { findUser, updatePassword } from './sign-in.queries.js';

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
    await this.store({ userId, organisationId: user.organisationId }, password, null);
  }

  /** Stores a password that was checked. @param keptSession the session that goes on; null: none */
  async store(
    user: { readonly userId: string; readonly organisationId: string | null },
    password: string,
    keptSession: string | null,
  ): Promise<void> {
    const { userId } = user;
    const passwordHash = await this.passwords.hash(password);
    await this.unitOfWork.transaction(async (tx) => {
      await AuditLog.writeForUser(user, { action: 'agent.password_set', subjectId: userId }, tx);
      await updatePassword(userId, passwordHash, tx);
      // Last, because they lock the configuration epoch of all accounts.
      if (keptSession !== null) await passwordWasSet(userId, keptSession, tx);
      await deleteOtherSessions(userId, keptSession, tx);
    });
  }
}
