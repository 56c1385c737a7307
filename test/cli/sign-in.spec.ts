import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newRecordId } from '../../src/values/record-id.js';
import { Browser, member, PASSWORD } from '../sessions/browser.js';
import { World } from '../support/world.js';
import { answerOf, commandLine, pipedInto } from './command-line.js';

/** Operators let people into the console. */
describe('the command line', () => {
  let world: World;
  let env: Record<string, string>;
  let directory: string;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    directory = await mkdtemp(path.join(tmpdir(), 'parley-passwords-'));
    env = {
      DATABASE_URL: world.environment.databaseUrl,
      DATA_DIR: '/nonexistent',
      PUBLIC_URL: 'https://parley.example/',
    };
  });
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
    await world.stop();
  });
  const run = (...args: string[]) => answerOf(env, ...args);
  const signIn = async (body: object) => (await new Browser(world).signIn(body)).status;
  const address = () => `${newRecordId()}@shop.example`;

  it('creates an account whose owner comes in by a link', async () => {
    const owner_email = address();
    const created = await run(
      ...['accounts', 'create', '--name', 'Shop', '--owner-name', 'Olive Owner', '--owner-email', owner_email],
    );
    const { link = '', expires_at = '' } = await run('agents', 'sign-in-link', String(created.user_id));
    expect(link).toMatch(/^https:\/\/parley\.example\/console\/welcome#[\w-]{43}$/);
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
    expect([minutes > 8, minutes < 11]).toEqual([true, true]);
    const browser = new Browser(world);
    const { status, body } = await browser.signIn({ link: link.split('#')[1] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { full_name: 'Olive Owner', email: owner_email, role: 'owner' },
      accounts: [{ account_id: created.account_id }],
      must_set_password: true,
    });
  });

  it('prints no link without an address to which it leads, and none for nobody', async () => {
    const { userId } = await member(world, await world.account());
    const { PUBLIC_URL: _, ...withoutUrl } = env;
    expect(await commandLine(withoutUrl, 'agents', 'sign-in-link', userId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PUBLIC_URL is required'),
    });
    expect(await commandLine(env, 'agents', 'sign-in-link', newRecordId())).toMatchObject({ code: 2 });
  });

  it('sets passwords from a file or standard input, and never shows them', async () => {
    const { userId, email } = await member(world, await world.account());
    const file = path.join(directory, 'password.txt');
    await writeFile(file, 'eight noisy garden lamps\n');
    expect(await run('agents', 'set-password', userId, '--password-file', file)).toEqual({ user_id: userId });
    expect([
      await signIn({ email, password: 'eight noisy garden lamps' }),
      await signIn({ email, password: PASSWORD }),
    ]).toEqual([200, 401]);
    const piped = await pipedInto('nine bright garden lamps\r\n', env, 'agents', 'set-password', userId, '--stdin');
    expect(piped.code).toBe(0);
    expect(await signIn({ email, password: 'nine bright garden lamps' })).toBe(200);
    const refused = await pipedInto('too short', env, 'agents', 'set-password', userId, '--stdin');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('at least 12 characters (got 9)') });
    expect(refused.stderr).not.toContain('too short');
    const nothing = await commandLine(env, 'agents', 'set-password', userId);
    expect(nothing.stderr).toContain('--password-file or --stdin');
  });

  it('changes agents, but neither into somebody else’s address nor the last owner', async () => {
    const account = await world.account();
    const [ada, grace] = [await member(world, account), await member(world, account)];
    const email = address();
    expect(await run('agents', 'set', ada.userId, '--name', 'Ada', '--email', email, '--role', 'admin')).toEqual({
      user_id: ada.userId,
      name: 'Ada',
      email,
      role: 'admin',
      status: 'active',
    });
    const taken = await commandLine(env, 'agents', 'set', grace.userId, '--email', email.toUpperCase());
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('already has an agent') });
    for (const args of [
      ['set', account.ownerId, '--role', 'agent'],
      ['deactivate', account.ownerId],
    ]) {
      expect((await commandLine(env, 'agents', ...args)).stderr).toContain('without an active owner');
    }
    expect((await commandLine(env, 'agents', 'set', ada.userId)).stderr).toContain('nothing to set');
  });
});
