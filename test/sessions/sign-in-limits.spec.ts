import { Passwords } from '../../src/sessions/passwords.js';
import { PasswordsBusy } from '../../src/sessions/sessions.errors.js';
import { UserPasswordsService } from '../../src/sessions/user-passwords.service.js';
import { World } from '../support/world.js';
import { Browser, type Member, member, PASSWORD, SESSION, signedIn } from './browser.js';

const OTHER_PASSWORD = 'eight noisy garden lamps';

let world: World;
let mira: Member;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api', TRUST_PROXY: '1' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  mira = await member(world, await world.account());
});
afterEach(() => jest.restoreAllMocks());

let addresses = 0;
const anotherAddress = (): string => {
  addresses += 1;
  return `10.4.${addresses >> 8}.${addresses & 255}`;
};
const signIn = (password: string, { email = mira.email, at = anotherAddress() } = {}) =>
  new Browser(world).signIn({ email, password }, { 'x-forwarded-for': at });
const namesakeOf = async ({ email }: Member): Promise<Member> =>
  member(world, await world.account(), 'agent', email.toUpperCase());
const passwordOf = (userId: string, password: string) =>
  world.parley.app.get(UserPasswordsService).set(userId, password);

describe('failures to sign in', () => {
  it('with no text for an e-mail address make somebody wait where they have signed in', async () => {
    const home = anotherAddress();
    expect((await signIn(PASSWORD, { at: home })).status).toBe(200);
    const texts = [`${mira.email} ${home}`, JSON.stringify(['known', mira.userId, home])];
    for (const email of texts) {
      for (let failures = 0; failures < 5; failures += 1) expect((await signIn('wrong', { email })).status).toBe(401);
      expect((await signIn('wrong', { email })).status).toBe(429);
    }
    expect((await signIn(PASSWORD, { at: home })).status).toBe(200);
  });

  it('where only a namesake has signed in count as those from anywhere else', async () => {
    await namesakeOf(mira);
    await passwordOf(mira.userId, OTHER_PASSWORD);
    const theirs = anotherAddress();
    expect((await signIn(PASSWORD, { at: theirs })).body.user).toBeDefined();
    for (let failures = 0; failures < 5; failures += 1) expect((await signIn('wrong')).status).toBe(401);
    expect((await signIn(OTHER_PASSWORD, { at: theirs })).status).toBe(429);
    expect((await signIn(PASSWORD, { at: theirs })).status).toBe(200);
  });

  it('where they have signed in make neither a namesake wait there nor them elsewhere', async () => {
    const namesake = await namesakeOf(mira);
    await passwordOf(namesake.userId, OTHER_PASSWORD);
    const home = anotherAddress();
    for (const password of [PASSWORD, OTHER_PASSWORD]) expect((await signIn(password, { at: home })).status).toBe(200);
    const organisation = await world.unitOfWork.autocommit.row<{ id: string }>(
      'SELECT organisation_id AS id FROM users WHERE id = $1',
      [mira.userId],
    );
    const guess = { email: mira.email, password: 'wrong', organisation_id: organisation?.id };
    for (let failures = 0; failures < 5; failures += 1) {
      expect((await new Browser(world).signIn(guess, { 'x-forwarded-for': home })).status).toBe(401);
    }
    expect((await signIn(PASSWORD, { at: home })).status).toBe(429);
    expect((await signIn(OTHER_PASSWORD, { at: home })).body.user?.user_id).toBe(namesake.userId);
    expect((await signIn(PASSWORD)).body.user?.user_id).toBe(mira.userId);
  });

  it('count against the IP address, and not the e-mail address, when a password gets no turn', async () => {
    const busy = jest.spyOn(world.parley.app.get(Passwords), 'matches').mockRejectedValue(new PasswordsBusy());
    const at = anotherAddress();
    for (let count = 0; count < 30; count += 1) expect((await signIn(PASSWORD, { at })).status).toBe(503);
    expect(await signIn(PASSWORD, { at })).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('from this address') },
    });
    busy.mockRestore();
    expect((await signIn(PASSWORD)).status).toBe(200);
  });
});

describe('a password', () => {
  it('of several organisations asks for one of them at most twenty times a minute', async () => {
    await namesakeOf(mira);
    for (let count = 0; count < 20; count += 1) expect((await signIn(PASSWORD)).body.organisations).toHaveLength(2);
    const compared = jest.spyOn(world.parley.app.get(Passwords), 'matches');
    for (let count = 0; count < 5; count += 1) expect((await signIn(PASSWORD)).status).toBe(429);
    expect(compared).toHaveBeenCalledTimes(10);
    expect((await signIn(PASSWORD)).status).toBe(429);
    // Too often by then, so it is not even compared.
    expect(compared).toHaveBeenCalledTimes(10);
  });

  it('takes the turns of the IP address that it comes from', async () => {
    const passwords = world.parley.app.get(Passwords);
    const [hashed, compared] = [jest.spyOn(passwords, 'hash'), jest.spyOn(passwords, 'matches')];
    const browser = await signedIn(world, null, mira);
    expect(compared).toHaveBeenLastCalledWith(PASSWORD, expect.any(String), '127.0.0.1');
    const change = { current: PASSWORD, next: OTHER_PASSWORD };
    const at = { 'x-forwarded-for': '2001:db8::7' };
    expect((await browser.post(`${SESSION}/password`, change, at)).status).toBe(200);
    expect(compared).toHaveBeenLastCalledWith(PASSWORD, expect.any(String), '2001:db8:0:0::/64');
    expect(hashed).toHaveBeenLastCalledWith(OTHER_PASSWORD, '2001:db8:0:0::/64');
  });
});
