import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Session } from '../../accounts/session.entity.js';
import type { OpenAccount } from '../../accounts/session.queries.js';
import type { UserRole } from '../../accounts/user.entity.js';
import { AGENT_ROLES } from '../../agents/agent.js';
import type { Person } from '../../auth/caller.js';
import { SuccessResponse } from '../../http/responses.dto.js';

/** Who has signed in. */
export class SignedInUser {
  @ApiProperty({ format: 'uuid' }) user_id: string;
  @ApiProperty() full_name: string;
  @ApiProperty() email: string;
  @ApiProperty({ enum: AGENT_ROLES }) role: UserRole;
}

/** An account that the person may enter. */
export class EnterableAccount {
  @ApiProperty({ format: 'uuid', description: 'What `Parley-Account` names' }) account_id: string;
  @ApiProperty() name: string;
  @ApiProperty({ enum: ['active', 'suspended'], description: 'A suspended account is read-only' })
  status: 'active' | 'suspended';
}

/** An organisation to choose. */
export class ChoosableOrganisation {
  @ApiProperty({ format: 'uuid', description: 'Of an account without an organisation, its id' })
  organisation_id: string;
  @ApiProperty() name: string;
}

/** A session, or the organisations among which its user has to choose first. */
export class SessionResponse extends SuccessResponse {
  @ApiPropertyOptional({ type: SignedInUser }) user?: SignedInUser;
  @ApiPropertyOptional({ type: [EnterableAccount], description: 'Oldest first' }) accounts?: EnterableAccount[];
  @ApiPropertyOptional({ type: [String], description: 'What the role allows in each of the accounts' })
  scopes?: string[];
  @ApiPropertyOptional({ description: 'Whether a password has to be chosen before anything else, after a link' })
  must_set_password?: boolean;
  @ApiPropertyOptional({
    type: [ChoosableOrganisation],
    description: 'Instead of the rest and without a cookie: the password fits in several of them',
  })
  organisations?: ChoosableOrganisation[];

  static of(person: Person, accounts: readonly OpenAccount[], scopes: ReadonlySet<string>): SessionResponse {
    const { userId, fullName, email, role, mustSetPassword } = person;
    return {
      status: 'success',
      user: { user_id: userId, full_name: fullName, email, role },
      accounts: accounts.map(({ id, name, status }) => ({ account_id: id, name, status })),
      scopes: [...scopes].filter((scope) => scope !== '*'),
      must_set_password: mustSetPassword,
    };
  }
}

/** A session of the person. */
export class SessionRecord {
  @ApiProperty({ format: 'uuid' }) session_id: string;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time', description: 'Of the last request, up to a few seconds late' }) seen_at: string;
  @ApiProperty({ type: String, nullable: true, example: '192.0.2.7' }) address: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The `User-Agent` that signed in' }) device: string | null;
  @ApiProperty({ description: 'Whether it is the one that asks' }) is_current: boolean;
}

/** Response of `GET /api/v1/sessions`. */
export class SessionsResponse extends SuccessResponse {
  @ApiProperty({ type: [SessionRecord], description: 'At most 100, the latest seen first' }) sessions: SessionRecord[];

  static from(sessions: readonly Session[], { sessionId }: Person): SessionsResponse {
    return {
      status: 'success',
      sessions: sessions.map(({ id, createdAt, seenAt, address, device }) => ({
        session_id: id,
        created_at: createdAt.toISOString(),
        seen_at: seenAt.toISOString(),
        address,
        device,
        is_current: id === sessionId,
      })),
    };
  }
}
