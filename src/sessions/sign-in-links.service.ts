import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { insertLink } from '../accounts/session.queries.js';
import { noSuchAgent } from '../agents/agent.errors.js';
import { AuditLog } from '../audit/audit-log.js';
import { hashToken } from '../auth/session-authentication.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { MINUTE, now } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import { findUser } from './sign-in.queries.js';

/** How long a link can be used, milliseconds. */
const LINK_LASTS_MS = 10 * MINUTE;

/** A link that signs somebody in. */
export interface IssuedLink {
  /** What `POST /session` takes; shown once. */
  readonly token: string;
  /** Null: valid until it is used. */
  readonly expiresAt: Date | null;
}

/**
 * Where the page takes a token from: the part of an address that no server or proxy sees.
 *
 * @param to where it leads after signing in, below `/console/`; by default to the first screen
 */
export const linkAt = (baseUrl: string, token: string, to?: string): string =>
  `${baseUrl}/console/welcome${to === undefined ? '' : `?to=${to}`}#${token}`;

/** Makes links that sign somebody in once. */
@Injectable()
export class SignInLinksService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * A link for ten minutes, whose user has to choose a password. For a sandbox also one that lasts until it is used or
   * replaced by another one that lasts, and one without a password.
   *
   * @throws DomainError `not_found` without an active user
   */
  async issue(
    userId: RecordId,
    { lasting = false, asksPassword = !lasting }: { lasting?: boolean; asksPassword?: boolean } = {},
  ): Promise<IssuedLink> {
    const token = randomBytes(32).toString('base64url');
    const createdAt = now();
    const expiresAt = lasting ? null : new Date(createdAt.getTime() + LINK_LASTS_MS);
    await this.unitOfWork.transaction(async (tx) => {
      const user = await findUser(userId, tx);
      if (user === null) throw noSuchAgent(userId);
      await insertLink({ userId, tokenHash: hashToken(token), asksPassword, createdAt, expiresAt }, tx);
      if (lasting) return;
      const entry = { action: 'agent.sign_in_link_created', subjectId: userId } as const;
      await AuditLog.writeForUser({ userId, ...user }, entry, tx);
    });
    return { token, expiresAt };
  }
}
