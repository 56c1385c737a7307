import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SandboxFile } from '../../sandbox/sandbox-file.js';
import { Program, removeDataDirectory, temporaryDirectory } from './program.js';

afterAll(() => Program.killAll());

describe('npm run demo', () => {
  it('sends a campaign from start to finish, and all three witnesses agree', async () => {
    const program = Program.script('demo.mjs', {});
    const code = await program.exit;
    expect(program.stderr).toBe('');
    expect(program.stdout).toMatch(
      / sent +1,000 +1,000 +1,000\n +delivered +1,000 +– +1,000\n +read +1,000 +– +1,000\n/,
    );
    expect(program.stdout).toContain('All three agree');
    expect(code).toBe(0);
  });

  it.each([
    [['--wach'], 'There is no argument "--wach".'],
    [['--watch', '--speed'], 'There is no argument "--speed".'],
    [['--watch', '--people', '50', 'more'], 'There is no argument "more".'],
    [['--inbox', '--people'], 'There is no argument "--people".'],
    [['--watch', '--people'], '--people must be a whole number from 1 to 10000 (got "").'],
    [['--watch', '--people', '10001'], '--people must be a whole number from 1 to 10000 (got "10001").'],
  ])('refuses %j', async (args, says) => {
    const program = Program.script('demo.mjs', {}, args);
    expect(await program.exit).toBe(2);
    expect(program.stderr).toBe(`${says} Use: npm run demo [-- --watch [--people 1200] | -- --inbox]\n`);
  });
});

describe('npm run demo -- --watch', () => {
  const dataDir = temporaryDirectory();
  afterAll(async () => {
    await Program.killAll();
    removeDataDirectory(dataDir);
  });

  const watch = (people: number): Program =>
    Program.script('demo.mjs', { DATA_DIR: dataDir }, ['--watch', '--people', String(people)]);
  const campaignsOf = ({ stdout }: Program): string[] =>
    [...stdout.matchAll(/^ {2}Campaign .*\/campaigns\/(\S+)/gm)].map(([, id = '']) => id);
  const linkOf = ({ stdout }: Program): string =>
    /\/console\/welcome\?to=[\w-]+\/campaigns\/[\w-]+#(\S+)/.exec(stdout)?.[1] ?? '';

  it('says how to start a sandbox when none is running', async () => {
    const program = watch(1);
    expect(await program.exit).toBe(1);
    expect(program.stderr).toBe(
      `No sandbox is running in ${dataDir}. Start one with npm start in another terminal, then try again.\n`,
    );
  });

  describe('beside a sandbox', () => {
    let started: Program;
    let sandbox: SandboxFile;

    beforeAll(async () => {
      started = Program.script('start.mjs', { DATA_DIR: dataDir, PORT: '0' });
      await started.until('the sandbox to be up', () => started.stdout.includes('Ctrl-C stops it'));
      sandbox = JSON.parse(readFileSync(path.join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;
    });

    const get = async <T>(route: string): Promise<T> => {
      const headers = { authorization: `Bearer ${sandbox.api_key}` };
      return (await fetch(`${sandbox.base_url}/api/v1/${route}`, { headers })).json() as Promise<T>;
    };
    const signIn = async (link: string): Promise<unknown> => {
      const answer = await fetch(`${sandbox.base_url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ link }),
      });
      const { must_set_password } = (await answer.json()) as { must_set_password?: boolean };
      return { status: answer.status, must_set_password };
    };

    it('sends to people who read, tap, answer and fail in different ways, and then to others again', async () => {
      const program = watch(100);
      await program.until('a second campaign', () => campaignsOf(program).length === 2);
      const [first = '', second = ''] = campaignsOf(program);
      expect(await get(`campaigns/${first}/stats`)).toMatchObject({
        campaign_status: 'completed',
        total_contacts: 100,
        delivered_count: 93,
        read_count: 71,
        clicked_count: 12,
        replied_count: 17,
        failed_count: 5,
      });
      const { failures } = await get<{ failures: { error_code: number; count: number }[] }>(
        `campaigns/${first}/failures`,
      );
      expect(Object.fromEntries(failures.map(({ error_code, count }) => [error_code, count]))).toEqual({
        131026: 3,
        131049: 1,
        131050: 1,
      });
      program.kill('SIGINT');
      expect(await program.exit).toBe(130);
      expect(program.stderr).toBe('');
      const { campaign_status } = await get<{ campaign_status: string }>(`campaigns/${second}/stats`);
      expect(['cancelled', 'completed']).toContain(campaign_status);
      expect(started.running).toBe(true);
    });

    it('cancels what it sends on Ctrl-C, and begins again on the same business phone', async () => {
      const program = watch(10_000);
      await program.until('a campaign', () => campaignsOf(program).length === 1);
      const [id = ''] = campaignsOf(program);
      await program.until('a message was sent', () => / sent [1-9]/.test(program.stdout));
      program.kill('SIGINT');
      expect(await program.exit).toBe(130);
      expect(program.stdout).toContain('Cancelled.');
      expect(await get(`campaigns/${id}/stats`)).toMatchObject({ campaign_status: 'cancelled' });
      const { business_phones: phones } = await get<{ business_phones: { throughput: number }[] }>('business-phones/');
      expect(phones.map(({ throughput }) => throughput)).toEqual([1000, 1000, 20]);
    });

    it('lets customers write, who answer when they are answered', async () => {
      const program = Program.script('demo.mjs', { DATA_DIR: dataDir }, ['--inbox']);
      await program.until('customers have written', () => program.stdout.includes('Rui Almendro: '));
      const [, link = ''] = /\/console\/welcome\?to=[\w-]+\/inbox\?view=all#(\S+)/.exec(program.stdout) ?? [];
      expect(await signIn(link)).toEqual({ status: 200, must_set_password: false });
      const { conversations } = await get<{ conversations: Record<string, string>[] }>(
        'conversations/?has_inbound=true&search=Greta',
      );
      expect(conversations).toMatchObject([{ last_message_preview: 'Could I have the glazed one instead?' }]);
      const { conversations: old } = await get<{ conversations: Record<string, string>[] }>(
        'conversations/?has_inbound=true&search=Wiktor',
      );
      expect(old.map(({ window_expires_at }) => new Date(String(window_expires_at)) < new Date())).toEqual([true]);
      await fetch(`${sandbox.base_url}/api/v1/messages/send-message`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          contact_phone: conversations[0]?.['phone_number'],
          message_type: 'text',
          message: 'Of course',
        }),
      });
      await program.until('she has answered', () => program.stdout.includes('Greta Holmvik: It says TC-0417'));
      program.kill('SIGINT');
      expect(await program.exit).toBe(130);
      expect(program.stderr).toBe('');
    });

    it('prints a link that asks for no password, and leaves that of the sandbox as it is', async () => {
      const program = watch(1);
      await program.until('a link', () => linkOf(program) !== '' && campaignsOf(program).length > 0);
      expect(await signIn(linkOf(program))).toEqual({ status: 200, must_set_password: false });
      expect(await signIn(linkOf(program))).toMatchObject({ status: 401 });
      expect(await signIn(String(sandbox.console_link).split('#')[1] ?? '')).toMatchObject({ status: 200 });
      program.kill('SIGINT');
      expect(await program.exit).toBe(130);
    });

    it('ends with a clear line when the sandbox stops', async () => {
      const program = watch(10_000);
      await program.until('a campaign', () => campaignsOf(program).length === 1);
      started.kill('SIGINT');
      expect(await started.exit).toBe(0);
      expect(await program.exit).toBe(1);
      expect(program.stderr).toBe(
        'The sandbox has stopped. A campaign that was being sent goes on when it starts again.\n',
      );
    });
  });
});
