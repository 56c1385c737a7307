import { hash } from 'node:crypto';
import type { UserRole } from '../../src/accounts/user.entity.js';
import { AgentsService } from '../../src/agents/agents.service.js';
import type { SessionResponse } from '../../src/sessions/dto/session-responses.dto.js';
import { SignInLinksService } from '../../src/sessions/sign-in-links.service.js';
import { UserPasswordsService } from '../../src/sessions/user-passwords.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import type { TestAccount, World } from '../support/world.js';

export const SESSION = '/api/v1/session';
export const PASSWORD = 'seven quiet garden lamps';

type Headers = Readonly<Record<string, string>>;

/** Calls Parley as a page of it would: with its cookie, the headers of a browser, and the account that it shows. */
export class Browser {
  private readonly api: ApiClient;
  cookie: string | null = null;

  constructor(
    readonly world: World,
    public account: string | null = null,
    private readonly headers: Headers = { 'sec-fetch-site': 'same-origin' },
  ) {
    this.api = new ApiClient(world.baseUrl, null).impatient;
  }

  async request<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    more: Headers = {},
  ): Promise<ApiResponse<Body>> {
    const response = await this.api.request<Body>(method, path, body, {
      headers: {
        ...this.headers,
        ...(this.cookie === null ? {} : { cookie: this.cookie }),
        ...(this.account === null ? {} : { 'parley-account': this.account }),
        ...more,
      },
    });
    const [cookie] = response.headers.get('set-cookie')?.split(';') ?? [];
    if (cookie !== undefined) this.cookie = cookie.endsWith('=') ? null : cookie;
    return response;
  }

  get<Body = Record<string, unknown>>(path: string, more?: Headers): Promise<ApiResponse<Body>> {
    return this.request<Body>('GET', path, undefined, more);
  }

  post<Body = Record<string, unknown>>(path: string, body?: unknown, more?: Headers): Promise<ApiResponse<Body>> {
    return this.request<Body>('POST', path, body, more);
  }

  signIn(body: object, more?: Headers): Promise<ApiResponse<SessionResponse>> {
    return this.post<SessionResponse>(SESSION, body, more);
  }

  /** The same cookie in another tab, or with other headers. */
  tab(account: string | null, headers: Headers = this.headers): Browser {
    const tab = new Browser(this.world, account, headers);
    tab.cookie = this.cookie;
    return tab;
  }
}

/** A member with a password. */
export interface Member {
  readonly userId: string;
  readonly email: string;
}

/** Adds a member to the organisation of an account; each has the same password. */
export async function member(
  world: World,
  { organisationId }: Pick<TestAccount, 'organisationId'>,
  role: UserRole = 'agent',
  email = `${newRecordId()}@shop.example`,
): Promise<Member> {
  const { app } = world.parley;
  const person = { organisationId: String(organisationId), fullName: 'Mira Member', email, role };
  const userId = await app.get(AgentsService).add(person);
  await app.get(UserPasswordsService).set(userId, PASSWORD);
  return { userId, email };
}

/** A browser in which somebody has signed in, at a page that shows the account. */
export async function signedIn(
  world: World,
  account: string | null,
  { email }: Pick<Member, 'email'>,
): Promise<Browser> {
  const browser = new Browser(world, account);
  const { status, text } = await browser.signIn({ email, password: PASSWORD });
  if (status !== 200) throw new Error(`sign-in was answered ${status} ${text}`);
  return browser;
}

/** A browser of somebody who has just become a member with this role. */
export const inRole = async (world: World, account: TestAccount, role: UserRole): Promise<Browser> =>
  signedIn(world, account.accountId, await member(world, account, role));

/** The token of a new sign-in link. */
export const linkFor = async (world: World, userId: string, options?: { lasting: boolean }): Promise<string> =>
  (await world.parley.app.get(SignInLinksService).issue(userId, options)).token;

/** Lets the wait of an address pass, as if its attempts had been made earlier. */
export const letWaitPass = (world: World, email: string): Promise<number> =>
  world.unitOfWork.autocommit.affected('UPDATE sign_in_tries SET blocked_until = last_at WHERE email_hash = $1', [
    hash('sha256', JSON.stringify(['email', email]).toLowerCase(), 'buffer'),
  ]);
