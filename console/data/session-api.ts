import type {
  ChoosableOrganisation,
  EnterableAccount,
  SessionRecord,
  SessionResponse,
  SignedInUser,
  SignInRequest,
} from '../../clients/typescript/src/generated/schema.js';
import { ONCE, parley } from './api.js';

export type { ChoosableOrganisation, EnterableAccount, SessionRecord, SignedInUser };

/** Who has signed in, and what they may do. */
export interface Session {
  readonly user: SignedInUser;
  readonly accounts: readonly EnterableAccount[];
  readonly scopes: readonly string[];
  /** Whether they came by a link and have to choose a password first. */
  readonly must_set_password: boolean;
}

/** The password fits in several organisations. */
export interface OrganisationChoice {
  readonly organisations: readonly ChoosableOrganisation[];
}

/** @throws ParleyError 401 for wrong credentials, 429 with the seconds to wait */
export async function signInWith(credentials: SignInRequest): Promise<Session | OrganisationChoice> {
  const answer = await parley.session.create(credentials, ONCE);
  return answer.organisations === undefined ? sessionOf(answer) : { organisations: answer.organisations };
}

/** @throws ParleyError 401 when nobody has signed in */
export const readSession = async (): Promise<Session> => sessionOf(await parley.session.current(ONCE));

export const endSession = async (): Promise<void> => void (await parley.session.end(ONCE));

/** @throws ParleyError 400 for a password that is refused, 403 when `current` is wrong */
export const setPassword = async (next: string, current?: string): Promise<void> =>
  void (await parley.session.changePassword({ ...(current !== undefined && { current }), next }, ONCE));

export const listSessions = async (signal: AbortSignal): Promise<readonly SessionRecord[]> =>
  (await parley.session.list({ signal })).sessions;

export const endOtherSession = async (sessionId: string): Promise<void> =>
  void (await parley.session.endOther(sessionId, ONCE));

function sessionOf({ user, accounts = [], scopes = [], must_set_password = false }: SessionResponse): Session {
  if (user === undefined) throw new Error('the answer names nobody');
  return { user, accounts, scopes, must_set_password };
}
