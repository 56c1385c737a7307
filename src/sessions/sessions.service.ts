import { Injectable } from '@nestjs/common';
import type { Session } from '../accounts/session.entity.js';
import {
  deleteSession,
  findOpenAccounts,
  findSessions,
  hasSession,
  type OpenAccount,
} from '../accounts/session.queries.js';
import { noSuchAgent } from '../agents/agent.errors.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Person } from '../auth/caller.js';
import { limitsAt } from '../auth/session-limits.js';
import { ConfigurationChanges } from '../database/configuration-changes.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import { now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import { checkPassword } from './passwords.js';
import { currentRequired, noSuchSession, wrongCurrentPassword } from './sessions.errors.js';
import { findUser } from './sign-in.queries.js';
import { type Origin, SignInService } from './sign-in.service.js';
import { UserPasswordsService } from './user-passwords.service.js';

/** Sessions that are listed. */
const MAX_LISTED = 100;

/** What people do with their own sessions and password. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly passwords: UserPasswordsService,
    private readonly signIn: SignInService,
    private readonly changes: ConfigurationChanges,
  ) {}

  /** The accounts that the person may enter, the oldest first. */
  accountsOf(person: Person): Promise<OpenAccount[]> {
    return findOpenAccounts(person, this.unitOfWork.control);
  }

  /** The person's sessions, the latest seen first. */
  list({ userId }: Person): Promise<Session[]> {
    return findSessions(userId, limitsAt(now()), MAX_LISTED, this.unitOfWork.control);
  }

  /** Ends one of the person's sessions, by default the current one. @throws DomainError 404 */
  async end(person: Person, id: RecordId = person.sessionId): Promise<void> {
    const { userId } = person;
    // Looking first costs nobody the lock of the epoch.
    if (!(await hasSession(userId, id, this.unitOfWork.control))) throw noSuchSession(id);
    await this.unitOfWork.transaction(async (tx) => {
      await AuditLog.writeForUser(person, { action: 'agent.signed_out', subjectId: userId }, tx);
      if (!(await deleteSession(userId, id, tx))) throw noSuchSession(id);
    });
    await this.changes.refresh();
  }

  /** Ends the session that a browser had before another one, unless it has ended by itself. */
  async leave(person: Person): Promise<void> {
    try {
      await this.end(person);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
    }
  }

  /**
   * Changes the person's password and ends their other sessions. Whoever came by a link, or has no password yet, need not
   * know the current one.
   *
   * @throws DomainError 400 for a password that may not be used, 403 when `current` is wrong, 429 after several of these,
   *   409 when the session has ended meanwhile, or somebody else has set a password
   */
  async changePassword(
    person: Person,
    { current, next }: { readonly current: string | null; readonly next: string },
    origin: Pick<Origin, 'address' | 'countedAddress'>,
  ): Promise<void> {
    const user = await findUser(person.userId, this.unitOfWork.control);
    if (user === null) throw noSuchAgent(person.userId);
    checkPassword('next', next, user.email);
    const mustKnow = user.passwordHash !== null && !person.mustSetPassword;
    if (mustKnow && current === null) throw currentRequired();
    if (mustKnow && !(await this.signIn.confirms({ userId: person.userId, ...user }, current ?? '', origin)))
      throw wrongCurrentPassword();
    const former = person.mustSetPassword ? undefined : user.passwordHash;
    await this.passwords.change(person, next, former, origin.countedAddress);
    await this.changes.refresh();
  }
}
