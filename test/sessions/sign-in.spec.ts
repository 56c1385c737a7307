import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { AgentsService } from '../../src/agents/agents.service.js';
import { UserPasswordsService } from '../../src/sessions/user-passwords.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import { crowd } from '../support/crowd.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { Browser, letWaitPass, linkFor, type Member, member, PASSWORD, SESSION, signedIn } from './browser.js';

const WRONG = { error: 'unauthorized', message: 'the e-mail address or the password is wrong' };
const VOID = { error: 'unauthorized', message: 'the link was used already or is too old; ask for another one' };

let world: World;
let account: TestAccount;
let mira: Member;
let browser: Browser;
beforeAll(async () => {
  // Each test comes from addresses of its own, because failures are limited per address.
  world = await World.start({ env: { PARLEY_ROLES: 'api', TRUST_PROXY: '1' } });
});
afterAll(() => world.stop());
let addresses = 0;
const anotherAddress = (): Record<string, string> => {
  addresses += 1;
  return { 'x-forwarded-for': `10.3.${addresses >> 8}.${addresses & 255}` };
};
beforeEach(async () => {
  account = await world.account();
  mira = await member(world, account, 'manager');
  browser = new Browser(world, account.accountId, { 'sec-fetch-site': 'same-origin', ...anotherAddress() });
});

const passwordOf = (userId: string, password: string) =>
  world.parley.app.get(UserPasswordsService).set(userId, password);
/** A change by another process ends a session within a second. */
const expectSignedOut = (tab: Browser) =>
  until('the session has ended', async () => (await tab.get(SESSION)).status === 401);
const expectSignedIn = async (tab: Browser) => expect((await tab.get(SESSION)).status).toBe(200);

describe('signing in with a password', () => {
  it('sets a cookie that only this host and no script gets, and tells who one is', async () => {
    const { status, body, headers } = await browser.signIn({ email: mira.email, password: PASSWORD });
    expect(status).toBe(200);
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-parley=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const expected = {
      status: 'success',
      user: { user_id: mira.userId, full_name: 'Mira Member', email: mira.email, role: 'manager' },
      accounts: [{ account_id: account.accountId, name: expect.any(String), status: 'active' }],
      scopes: expect.arrayContaining(['campaigns:write', 'contacts:read']),
      must_set_password: false,
    };
    expect(body).toEqual(expected);
    expect((await browser.get(SESSION)).body).toEqual(expected);
    expect((await browser.get('/api/v1/contacts/')).status).toBe(200);
  });

  it('takes the address in any case', async () => {
    expect((await browser.signIn({ email: mira.email.toUpperCase(), password: PASSWORD })).status).toBe(200);
  });

  it('answers an unknown address, a wrong password and a member without one alike', async () => {
    const without = { organisationId: String(account.organisationId), fullName: 'Nobody', role: 'agent' as const };
    const email = `${newRecordId()}@shop.example`;
    await world.parley.app.get(AgentsService).add({ ...without, email });
    for (const body of [
      { email: 'nobody@shop.example', password: PASSWORD },
      { email: mira.email, password: `${PASSWORD}x` },
      { email: mira.email, password: '' },
      { email, password: PASSWORD },
    ]) {
      const answer = await browser.signIn(body);
      expect([answer.status, answer.body]).toEqual([body.password === '' ? 400 : 401, expect.anything()]);
      if (answer.status === 401) expect(answer.body).toEqual(WRONG);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  it('waits after five failures, longer each time, and forgets them with a success', async () => {
    const attempt = async (password: string) => {
      const { status, headers } = await browser.signIn({ email: mira.email, password }, anotherAddress());
      return status === 429 ? Number(headers.get('retry-after')) : status;
    };
    for (let failures = 0; failures < 5; failures += 1) expect(await attempt('wrong')).toBe(401);
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      // Twice as long as before, less what has passed since.
      const wait = await attempt(PASSWORD);
      expect([wait <= seconds, wait > seconds / 2]).toEqual([true, true]);
      await letWaitPass(world, mira.email);
      expect(await attempt('wrong')).toBe(401);
    }
    await letWaitPass(world, mira.email);
    expect(await attempt(PASSWORD)).toBe(200);
    expect(await attempt('wrong')).toBe(401);
    expect(await attempt(PASSWORD)).toBe(200);
  });

  it('allows no more guesses at once than one after the other', async () => {
    const guesses = await crowd(20, () => browser.signIn({ email: mira.email, password: 'wrong' }, anotherAddress()));
    const statuses = guesses.map(({ status }) => status);
    const wrong = statuses.filter((status) => status === 401).length;
    expect([wrong > 0, wrong <= 5]).toEqual([true, true]);
    expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  });

  it('makes nobody wait where they have signed in before', async () => {
    const home = anotherAddress();
    const at = new Browser(world, null, { 'sec-fetch-site': 'same-origin', ...home });
    expect((await at.signIn({ email: mira.email, password: PASSWORD })).status).toBe(200);
    for (let failures = 0; failures < 6; failures += 1) {
      await browser.signIn({ email: mira.email, password: 'wrong' }, anotherAddress());
    }
    expect((await browser.signIn({ email: mira.email, password: PASSWORD }, anotherAddress())).status).toBe(429);
    expect((await at.signIn({ email: mira.email, password: PASSWORD })).status).toBe(200);
  });

  it('does not let a namesake of another organisation take failures back', async () => {
    await member(world, await world.account(), 'agent', mira.email);
    const others = 'eight noisy garden lamps';
    await passwordOf(mira.userId, others);
    const guess = (password: string) => browser.signIn({ email: mira.email, password }, anotherAddress());
    for (let failures = 0; failures < 4; failures += 1) expect((await guess('wrong')).status).toBe(401);
    expect((await guess(PASSWORD)).status).toBe(200);
    expect((await guess('wrong')).status).toBe(401);
    expect((await guess(others)).status).toBe(429);
  });

  it('counts attempts that come too early against the IP address', async () => {
    for (let failures = 0; failures < 5; failures += 1) {
      await browser.signIn({ email: mira.email, password: 'wrong' }, anotherAddress());
    }
    const home = anotherAddress();
    const answers: string[] = [];
    for (let count = 0; count < 31; count += 1) {
      answers.push((await browser.signIn({ email: mira.email, password: PASSWORD }, home)).text);
    }
    expect(answers[0]).toContain('with this e-mail address');
    expect(answers.at(-1)).toContain('from this address');
  });

  it('begins at most twenty sessions of a person in a minute', async () => {
    for (let count = 0; count < 20; count += 1) await signedIn(world, null, mira);
    expect((await browser.signIn({ email: mira.email, password: PASSWORD })).status).toBe(429);
  });

  it('ends the session that the browser had', async () => {
    const here = await signedIn(world, account.accountId, mira);
    const former = here.tab(account.accountId);
    const other = await member(world, account);
    expect((await here.signIn({ email: other.email, password: PASSWORD })).body.user?.user_id).toBe(other.userId);
    await expectSignedOut(former);
    await expectSignedIn(here);
  });

  it.each([
    ['the password is changed', () => passwordOf(mira.userId, 'eight noisy garden lamps')],
    ['the user is deactivated', () => world.parley.app.get(AgentsService).deactivate(mira.userId)],
  ])('leaves no session when %s meanwhile', async (_, change) => {
    for (let round = 0; round < 5; round += 1) {
      await world.parley.app.get(AgentsService).activate(mira.userId);
      await passwordOf(mira.userId, PASSWORD);
      await world.unitOfWork.autocommit.affected('DELETE FROM sign_in_tries');
      const tabs = Array.from(
        { length: 3 },
        () => new Browser(world, null, { 'sec-fetch-site': 'same-origin', ...anotherAddress() }),
      );
      const answers = await Promise.all([
        ...tabs.map((tab) => tab.signIn({ email: mira.email, password: PASSWORD })),
        change(),
      ]);
      expect(
        answers
          .slice(0, 3)
          .filter((answer) => ![200, 401, 503].includes((answer as { status: number }).status))
          .map((answer) => (answer as { text: string }).text),
      ).toEqual([]);
      const rows = await world.unitOfWork.autocommit.rows('SELECT id FROM sessions WHERE user_id = $1', [mira.userId]);
      expect(rows).toEqual([]);
    }
  });

  it('keeps nobody out who is in already', async () => {
    const open = await signedIn(world, account.accountId, mira);
    for (let failures = 0; failures < 6; failures += 1) {
      await browser.signIn({ email: mira.email, password: 'wrong' }, anotherAddress());
    }
    expect((await browser.signIn({ email: mira.email, password: PASSWORD }, anotherAddress())).status).toBe(429);
    await expectSignedIn(open);
  });

  it('asks in which of several organisations with the same password', async () => {
    const other = await world.account();
    const same = await member(world, other, 'agent', mira.email.toUpperCase());
    const first = await browser.signIn({ email: mira.email, password: PASSWORD });
    expect(first.headers.get('set-cookie')).toBeNull();
    expect(first.body).toEqual({
      status: 'success',
      organisations: [account, other].map(({ organisationId }) => ({
        organisation_id: organisationId,
        name: expect.any(String),
      })),
    });
    const { body } = await browser.signIn({
      email: mira.email,
      password: PASSWORD,
      organisation_id: other.organisationId,
    });
    expect(body.user?.user_id).toBe(same.userId);
    await passwordOf(same.userId, 'another quiet garden lamp');
    expect((await browser.signIn({ email: mira.email, password: PASSWORD })).body.user?.user_id).toBe(mira.userId);
  });

  it('lets the owner of an account without organisation in, to this account', async () => {
    const owner = { fullName: 'Olive Owner', email: `${newRecordId()}@shop.example` };
    const directory = world.parley.app.get(AccountDirectoryService);
    const alone = await directory.create({ name: 'Alone', organisationId: null, owner });
    await passwordOf(alone.userId, PASSWORD);
    const { body } = await browser.signIn({ email: owner.email, password: PASSWORD });
    expect(body).toMatchObject({
      user: { role: 'owner' },
      accounts: [{ account_id: alone.accountId, name: 'Alone', status: 'active' }],
    });
    expect((await browser.tab(alone.accountId).get('/api/v1/campaigns/')).status).toBe(200);
    expect((await browser.get('/api/v1/campaigns/')).status).toBe(403);
  });

  it('needs a request from a page of ours', async () => {
    const from = async (headers: Record<string, string>) =>
      (
        await new Browser(world, null, { ...headers, ...anotherAddress() }).signIn({
          email: mira.email,
          password: PASSWORD,
        })
      ).status;
    expect(await from({})).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none']) expect(await from({ 'sec-fetch-site': site })).toBe(403);
    expect(await from({ origin: 'https://evil.example' })).toBe(403);
    expect(await from({ origin: 'null' })).toBe(403);
    expect(await from({ origin: world.baseUrl })).toBe(200);
    expect(await from({ origin: world.baseUrl, 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it.each([
    [{}, 'email is required, or a link'],
    [{ email: 'a@b.example' }, 'password is required'],
    [{ link: 'x', password: 'y' }, 'link must not be combined with password'],
    [{ link: 'x', organisation_id: newRecordId() }, 'link must not be combined with organisation_id'],
    [{ email: 'a@b.example', password: 12345678 }, 'password must be a string, not a number (12345678)'],
  ])('refuses %j (400)', async (body, message) => {
    expect(await browser.signIn(body)).toMatchObject({ status: 400, body: { message } });
  });
});

describe('a sign-in link', () => {
  it('works once, for a password and nothing before it', async () => {
    const link = await linkFor(world, mira.userId);
    const { status, body } = await browser.signIn({ link });
    expect([status, body.must_set_password]).toEqual([200, true]);
    expect(await browser.get('/api/v1/contacts/')).toMatchObject({
      status: 403,
      body: { message: 'choose a password first: POST /api/v1/session/password' },
    });
    const next = 'eight noisy garden lamps';
    expect((await browser.post(`${SESSION}/password`, { next })).status).toBe(200);
    expect((await browser.get(SESSION)).body).toMatchObject({ must_set_password: false });
    expect((await browser.get('/api/v1/contacts/')).status).toBe(200);
    expect(await new Browser(world).signIn({ link }, anotherAddress())).toMatchObject({ status: 401, body: VOID });
    expect((await new Browser(world).signIn({ email: mira.email, password: next })).status).toBe(200);
  });

  it('lets in one of many who use it at once', async () => {
    const link = await linkFor(world, mira.userId);
    const all = await crowd(10, () => new Browser(world).signIn({ link }, anotherAddress()));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is void after ten minutes, after a password was set, and for whoever is deactivated', async () => {
    const links = [
      await linkFor(world, mira.userId),
      await linkFor(world, mira.userId),
      await linkFor(world, mira.userId),
    ];
    const use = async (link = '') => (await browser.signIn({ link }, anotherAddress())).status;
    await world.unitOfWork.autocommit.affected(
      "UPDATE sign_in_links SET expires_at = expires_at - interval '10 minutes' WHERE user_id = $1",
      [mira.userId],
    );
    expect(await use(links[0])).toBe(401);
    const late = await linkFor(world, mira.userId);
    await passwordOf(mira.userId, PASSWORD);
    expect(await use(late)).toBe(401);
    const last = await linkFor(world, mira.userId);
    await world.parley.app.get(AgentsService).deactivate(mira.userId);
    expect(await use(last)).toBe(401);
    await world.parley.app.get(AgentsService).activate(mira.userId);
    expect(await use(last)).toBe(401);
    expect(await use('')).toBe(400);
    expect(await use('made-up')).toBe(401);
  });

  it('of a sandbox lasts until it is used, asks for no password, and replaces the one before', async () => {
    const first = await linkFor(world, mira.userId, { lasting: true });
    const second = await linkFor(world, mira.userId, { lasting: true });
    expect((await browser.signIn({ link: first }, anotherAddress())).status).toBe(401);
    const { status, body } = await browser.signIn({ link: second }, anotherAddress());
    expect([status, body.must_set_password]).toEqual([200, false]);
  });
});

describe('a session', () => {
  const path = (id: string) => `/api/v1/sessions/${id}`;
  const aged = (column: 'seen_at' | 'created_at', interval: string) =>
    world.unitOfWork.autocommit.affected(
      `UPDATE sessions SET ${column} = ${column} - $2::interval, must_set_password = must_set_password WHERE user_id = $1`,
      [mira.userId, interval],
    );

  it('is listed with where it came from, and ends when one ends it', async () => {
    const here = await signedIn(world, account.accountId, mira);
    const there = new Browser(world, account.accountId);
    const agent: Record<string, string> = { 'user-agent': `Mozilla/5.0 ${'x'.repeat(300)}`, ...anotherAddress() };
    await there.signIn({ email: mira.email, password: PASSWORD }, agent);
    type Listed = { sessions: { session_id: string; is_current: boolean; device: string; address: string }[] };
    const listed = await here.get<Listed>('/api/v1/sessions');
    expect(listed.text).not.toContain(String(here.cookie?.split('=')[1]));
    const { sessions } = listed.body;
    expect(sessions.map(({ is_current }) => is_current).sort()).toEqual([false, true]);
    const other = sessions.find(({ is_current }) => !is_current);
    expect(other).toMatchObject({ device: agent['user-agent']?.slice(0, 256), address: agent['x-forwarded-for'] });
    const stranger = await signedIn(world, account.accountId, await member(world, account));
    expect((await stranger.request('DELETE', path(String(other?.session_id)))).status).toBe(404);
    await expectSignedIn(there);
    expect((await here.request('DELETE', path(String(other?.session_id)))).status).toBe(200);
    await expectSignedOut(there);
    await expectSignedIn(here);
  });

  it('ends when one signs out, and takes its cookie back', async () => {
    const here = await signedIn(world, account.accountId, mira);
    const tab = here.tab(account.accountId);
    const { headers } = await here.request('DELETE', SESSION);
    expect(headers.get('set-cookie')).toMatch(/^__Host-parley=; Max-Age=0; Path=\//);
    expect((await tab.get('/api/v1/contacts/')).body).toEqual({
      error: 'unauthorized',
      message: 'the session has ended; sign in again',
    });
  });

  it('ends 12 hours after its last request, and after 7 days', async () => {
    // The process that served it knows of its last request, and stores it at the latest when it stops.
    const elsewhere = await World.start({ databaseUrl: world.environment.databaseUrl, env: { PARLEY_ROLES: 'api' } });
    const served = await signedIn(elsewhere, account.accountId, mira).finally(() => elsewhere.stop());
    await aged('seen_at', '13 hours');
    await aged('created_at', '13 hours');
    const idle = browser.tab(account.accountId);
    idle.cookie = served.cookie;
    expect((await idle.get(SESSION)).status).toBe(401);
    const old = await signedIn(world, account.accountId, mira);
    await aged('created_at', '8 days');
    await expectSignedOut(old);
  });

  it('ends with the deactivation of its user, also after they are active again', async () => {
    const here = await signedIn(world, account.accountId, mira);
    await world.parley.app.get(AgentsService).deactivate(mira.userId);
    await expectSignedOut(here);
    await world.parley.app.get(AgentsService).activate(mira.userId);
    await expectSignedOut(here);
  });

  it('follows a change of role', async () => {
    const here = await signedIn(world, account.accountId, mira);
    const listWebhooks = async () => (await here.get('/api/v1/webhooks/')).status;
    expect(await listWebhooks()).toBe(403);
    await world.parley.app.get(AgentsService).set(mira.userId, { role: 'admin' });
    await until('the role is known', async () => (await listWebhooks()) === 200);
  });
});

describe('a password', () => {
  const change = (body: object, of = browser) => of.post(`${SESSION}/password`, body);

  it('is changed by whoever knows it, which ends all other sessions', async () => {
    const [here, there] = [await signedIn(world, null, mira), await signedIn(world, null, mira)];
    const next = 'eight noisy garden lamps';
    expect(await change({ next }, here)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching('current') },
    });
    expect(await change({ current: 'wrong', next }, here)).toMatchObject({
      status: 403,
      body: { message: 'current is not your password' },
    });
    expect((await change({ current: PASSWORD, next }, here)).status).toBe(200);
    await expectSignedIn(here);
    await expectSignedOut(there);
    expect((await browser.signIn({ email: mira.email, password: PASSWORD })).status).toBe(401);
    expect((await browser.signIn({ email: mira.email, password: next })).status).toBe(200);
  });

  it('cannot be guessed through an open page', async () => {
    const here = await signedIn(world, null, mira);
    const next = 'eight noisy garden lamps';
    for (let failures = 0; failures < 5; failures += 1)
      expect((await change({ current: 'x', next }, here)).status).toBe(403);
    expect((await change({ current: PASSWORD, next }, here)).status).toBe(429);
  });

  it.each([
    ['eleven char', 'next must have at least 12 characters (got 11)'],
    ['🪴'.repeat(11), 'next must have at least 12 characters (got 11)'],
    ['x'.repeat(129), 'next must have at most 128 characters (got 129)'],
    ['Administrator', 'next is one of the most common passwords; choose another one'],
    ['1qaz2wsx3edc', 'next is one of the most common passwords; choose another one'],
  ])('may not be %j (400)', async (next, message) => {
    const here = await signedIn(world, null, mira);
    expect(await change({ current: PASSWORD, next }, here)).toMatchObject({ status: 400, body: { message } });
  });

  it('is not set by a session that has ended meanwhile', async () => {
    const here = await signedIn(world, null, mira);
    const changes = [
      change({ current: PASSWORD, next: 'nine bright garden lamps' }, here),
      passwordOf(mira.userId, 'eight noisy garden lamps'),
    ];
    await Promise.allSettled(changes);
    await passwordOf(mira.userId, 'ten faint garden lamps');
    const late = await change({ current: 'ten faint garden lamps', next: 'nine bright garden lamps' }, here);
    expect([401, 409]).toContain(late.status);
    expect((await browser.signIn({ email: mira.email, password: 'ten faint garden lamps' })).status).toBe(200);
  });

  it('is the same however a keyboard writes its accents', async () => {
    await passwordOf(mira.userId, 'caf\u00e9 au lait, svp');
    expect((await browser.signIn({ email: mira.email, password: 'cafe\u0301 au lait, svp' })).status).toBe(200);
  });

  it('may have 12 and 128 characters of any kind, blanks at its ends too, and not the address', async () => {
    const here = await signedIn(world, null, mira);
    let current = PASSWORD;
    for (const next of ['🪴'.repeat(12), 'é'.repeat(128), '  twelve blanks  ']) {
      expect([next, (await change({ current, next }, here)).status]).toEqual([next, 200]);
      current = next;
    }
    expect((await browser.signIn({ email: mira.email, password: '  twelve blanks  ' })).status).toBe(200);
    expect((await browser.signIn({ email: mira.email, password: 'twelve blanks' })).status).toBe(401);
    const address = await change({ current, next: `my ${mira.email.toUpperCase()}` }, here);
    expect(address).toMatchObject({ status: 400, body: { message: 'next must not contain your e-mail address' } });
  });

  it('is never shown, in no answer and no log', async () => {
    const lines: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    try {
      const talkative = await World.start({ env: { PARLEY_ROLES: 'api', LOG_LEVEL: 'trace' } });
      const page = new Browser(talkative, account.accountId);
      expect((await page.signIn({ email: mira.email, password: PASSWORD })).status).toBe(200);
      expect((await page.signIn({ email: mira.email, password: `${PASSWORD} wrong` })).status).toBe(401);
      lines.push((await page.post(`${SESSION}/password`, { current: PASSWORD, next: `${PASSWORD}!`, more: 1 })).text);
      const cookie = String(page.cookie?.split('=')[1]);
      await talkative.stop();
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.filter((line) => line.includes(PASSWORD) || line.includes(cookie))).toEqual([]);
    } finally {
      write.mockRestore();
    }
  });
});
