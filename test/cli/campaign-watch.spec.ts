import { runCli } from '../../src/cli/run-cli.js';
import { newRecordId } from '../../src/values/record-id.js';
import { Program } from '../sandbox/program.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { answerOf, commandLine } from './command-line.js';

const RECIPIENTS = 30;

describe('campaigns watch', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };
  let env: Record<string, string>;

  beforeAll(async () => {
    world = await World.start();
    account = await world.account({ credits: 1000 });
    template = await approvedTemplate(world, account);
    await world.simulator.behave({ statuses: [] });
    env = { DATABASE_URL: world.environment.databaseUrl, DATA_DIR: '/nonexistent' };
  });
  afterAll(async () => {
    await Program.killAll();
    await world.stop();
  });

  const create = async (): Promise<string> => {
    const { body, text } = await account.api.post<{ campaign_id?: string }>('/api/v1/campaigns/', {
      name: 'Watched',
      template_name: template.name,
      contacts: Array.from({ length: RECIPIENTS }, () => ({ phone: uniquePhone() })),
    });
    if (body.campaign_id === undefined) throw new Error(text);
    return body.campaign_id;
  };
  const end = (id: string, status: string, reason: string | null = null) =>
    world.unitOfWork.autocommit.affected(
      'UPDATE campaigns SET status = $3, failure_reason = $4 WHERE account_id = $1 AND id = $2',
      [account.accountId, id, status, reason],
    );
  /** Runs the command in this process; `output` holds everything written so far. */
  const watch = (id: string) => {
    const watching = { output: '', code: Promise.resolve(-1) };
    const out = (text: string) => {
      watching.output += text;
    };
    watching.code = runCli(['campaigns', 'watch', id], env, { out, err: out });
    return watching;
  };

  it('shows a campaign from draft to completed, then exits 0', async () => {
    const id = await create();
    const watching = watch(id);
    await until('the draft is shown', () => watching.output.includes(`draft, total ${RECIPIENTS}, sent 0,`));
    expect((await account.api.post(`/api/v1/campaigns/${id}/send`)).status).toBe(202);
    await expect(watching.code).resolves.toBe(0);
    expect(watching.output).toMatch(new RegExp(`completed, total ${RECIPIENTS}, sent ${RECIPIENTS}, .*, failed 0\\n$`));
  });

  it('prints one JSON line at the end with --json', async () => {
    const id = await create();
    await account.api.post(`/api/v1/campaigns/${id}/send`);
    await expect(answerOf(env, 'campaigns', 'watch', id)).resolves.toEqual({
      campaign_id: id,
      campaign_status: 'completed',
      total_contacts: RECIPIENTS,
      sent_count: RECIPIENTS,
      delivered_count: 0,
      read_count: 0,
      clicked_count: 0,
      replied_count: 0,
      failed_count: 0,
      held_count: 0,
    });
  });

  it('exits 0 when the campaign is cancelled', async () => {
    const id = await create();
    const watching = watch(id);
    await until('the draft is shown', () => watching.output.includes('draft'));
    await end(id, 'cancelled');
    await expect(watching.code).resolves.toBe(0);
    expect(watching.output).toContain('cancelled, total');
  });

  it('exits 1 with the reason when the campaign has failed', async () => {
    const id = await create();
    await end(id, 'failed', 'the account is suspended');
    await expect(commandLine(env, 'campaigns', 'watch', id)).resolves.toEqual({
      code: 1,
      stdout: expect.stringMatching(/^ +\d+\.\d s {2}failed: the account is suspended, total 30, .*\n$/),
      stderr: 'the campaign failed: the account is suspended\n',
    });
  });

  it('exits silently with 130 on Ctrl-C', async () => {
    const program = Program.script('cli.mjs', env, ['campaigns', 'watch', await create()]);
    await program.until('the draft is shown', () => program.stdout.includes('draft'));
    program.kill('SIGINT');
    await expect(program.exit).resolves.toBe(130);
    expect(program.stderr).toBe('');
  });

  it('rejects an unknown campaign and a malformed id with one line and exit 2', async () => {
    const unknown = newRecordId();
    await expect(commandLine(env, 'campaigns', 'watch', unknown)).resolves.toEqual({
      code: 2,
      stdout: '',
      stderr: `error: campaign ${unknown} not found\n`,
    });
    const { code, stderr } = await commandLine(env, 'campaigns', 'watch', '42');
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must be an id')]);
  });
});
