import { report } from '../messages/messages.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  balanceOf,
  campaignOf,
  PATIENT,
  recipientsOf,
  sentTo,
  started,
  untilCampaign,
  untilIdle,
} from './campaigns.js';

const CREDITS = 1000;

describe('a campaign while the network fails', () => {
  let world: World;
  let proxy: TcpProxy;
  /** Sends the campaigns, over a line that can break. */
  let worker: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    proxy = await TcpProxy.start(world.simulator.url);
    worker = await World.start({
      env: { ...PATIENT, PARLEY_ROLES: 'worker', NETWORK_BASE_URL: `http://127.0.0.1:${proxy.port}` },
    });
  });
  afterAll(async () => {
    await worker.stop();
    await proxy.stop();
    await world.stop();
  });
  beforeEach(async () => {
    await world.simulator.behave({ statuses: [], error: null });
    account = await world.account({ credits: CREDITS, throughput: 200 });
    template = await approvedTemplate(world, account);
  });

  interface Wait {
    readonly reason: string;
    readonly probes: number;
  }
  const wait = (): Promise<Wait | null> =>
    world.unitOfWork.autocommit.row<Wait>('SELECT reason, probes FROM phone_waits WHERE account_id = $1', [
      account.accountId,
    ]);
  const untilProbed = (times: number): Promise<Wait> =>
    until(`the phone was tried ${times} times`, async () => {
      const now = await wait();
      return now !== null && now.probes >= times && now;
    });
  /** Everybody got it once, within few attempts, and nobody was given up. */
  const expectAllReached = async (id: string, recipients: number) => {
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: recipients, failed_count: 0 });
    const sent = await sentTo(world, account, template.name);
    expect([sent.length, new Set(sent).size]).toEqual([recipients, recipients]);
    expect(await balanceOf(world, account)).toBe(CREDITS - recipients);
    await eventually(async () => expect(await wait()).toBeNull());
  };

  it('waits with its phone after five failing answers, keeps the attempts of its recipients, and goes on by itself', async () => {
    await world.simulator.behave({ error: { code: 131000, rate: 1 } });
    const id = await started(account, template.name, 100);
    expect((await untilProbed(3)).reason).toBe('phone');
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'running', sent_count: 0, failed_count: 0 });
    // A try counts until it is put back.
    await eventually(async () => {
      const attempts = (await recipientsOf(account, id)).map((recipient) => recipient.attempts);
      expect(Math.max(...attempts)).toBeLessThanOrEqual(1);
      expect(attempts.filter((made) => made > 0).length).toBeLessThanOrEqual(4);
    });
    await world.simulator.behave({ error: null });
    await expectAllReached(id, 100);
  });

  it('waits while the network cannot be reached', async () => {
    proxy.refuse();
    proxy.cut('reset');
    const id = await started(account, template.name, 100);
    expect((await untilProbed(2)).reason).toBe('network');
    await eventually(async () => {
      const recipients = await recipientsOf(account, id);
      expect(recipients.every(({ attempts, status }) => attempts === 0 && status === 'pending')).toBe(true);
    });
    await proxy.heal();
    await expectAllReached(id, 100);
  });

  it('goes on when a single message is taken', async () => {
    await world.simulator.behave({ error: { code: 131016, rate: 1 } });
    const id = await started(account, template.name, 20);
    await untilProbed(1);
    // The next try of the campaign is far away.
    await world.unitOfWork.autocommit.affected(
      `UPDATE phone_waits SET probe_at = now() + interval '10 minutes' WHERE account_id = $1`,
      [account.accountId],
    );
    await world.simulator.behave({ error: null });
    const { status, text } = await account.api.post('/api/v1/messages/send', {
      contact_phone: uniquePhone(),
      template_name: template.name,
    });
    expect([status, text]).toEqual([200, expect.any(String)]);
    await untilCampaign(account, id, 'completed');
    await eventually(async () => expect(await wait()).toBeNull());
  });

  it('tries one message at a time, whatever the number of processes and campaigns', async () => {
    const second = await world.worker();
    try {
      account = await world.account({ credits: CREDITS, throughput: 0 });
      template = await approvedTemplate(world, account);
      await world.simulator.behave({ error: { code: 131000, rate: 1 } });
      const ids = [await started(account, template.name, 50), await started(account, template.name, 50)];
      // By then, what was under way when the phone began to wait has been answered, on a busy machine, too.
      const { probes: earlier } = await untilProbed(2);
      const before = await requests();
      await untilProbed(3);
      const more = (await requests()) - before;
      const { probes } = await untilProbed(3);
      // Each probe is one request; one more may be under way.
      expect(more).toBeLessThanOrEqual(probes - earlier + 1);
      await world.simulator.behave({ error: null });
      for (const id of ids) expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 50 });
    } finally {
      await second.stop();
    }
  });
  /** How often the network was asked to send from the phone. */
  const requests = async (): Promise<number> => (await world.simulator.requests(account.phone.phoneNumberId)).length;

  it('uses up no attempt by tries of a process that did not see the failures before', async () => {
    const tx = world.unitOfWork.autocommit;
    await world.simulator.behave({ error: { code: 131000, rate: 1 } });
    await tx.affected(
      `INSERT INTO phone_waits (account_id, business_phone_id, reason, detail, probe_at)
       VALUES ($1, $2, 'phone', 'as another process saw it', now())`,
      [account.accountId, account.phone.id],
    );
    const id = await started(account, template.name, 3);
    await untilProbed(2);
    // A try counts until it is put back.
    await until('none has used up an attempt', async () =>
      (await recipientsOf(account, id)).every(({ attempts }) => attempts === 0),
    );
    await world.simulator.behave({ error: null });
    await expectAllReached(id, 3);
  });

  it('fails after a day with a reason, and can be resumed', async () => {
    await world.simulator.behave({ error: { code: 131000, rate: 1 } });
    const id = await started(account, template.name, 20);
    await untilProbed(1);
    const tx = world.unitOfWork.autocommit;
    const dayBefore = `now() - interval '25 hours'`;
    await tx.affected(`UPDATE campaigns SET started_at = ${dayBefore} WHERE account_id = $1 AND id = $2`, [
      account.accountId,
      id,
    ]);
    await tx.affected(`UPDATE phone_waits SET since = ${dayBefore} WHERE account_id = $1`, [account.accountId]);
    const { failure_reason, failed_count } = await untilCampaign(account, id, 'failed');
    expect([failure_reason, failed_count]).toEqual([
      expect.stringMatching(
        /^the network has taken no message from this phone for 24 hours: .*131000.* Resume the campaign/,
      ),
      0,
    ]);
    await until('all credits are back', async () => (await balanceOf(world, account)) === CREDITS);
    await world.simulator.behave({ error: null });
    expect((await act(account, id, 'resume')).status).toBe(200);
    await expectAllReached(id, 20);
  });

  it('goes on waiting for one recipient only when the network asks for a long pause', async () => {
    const id = await started(account, template.name, [`491${String(Date.now()).slice(-5)}9990006`, uniquePhone()]);
    await until('the other one is sent to', async () => (await campaignOf(account, id)).sent_count >= 1);
    expect(await wait()).toBeNull();
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 2, failed_count: 0 });
  });

  it.each([
    [100, 'the network found a field of the message invalid'],
    [777_777, 'the network refused the message'],
  ])('stops after twenty recipients in a row that failed with %i, who can be retried', async (code, words) => {
    await world.simulator.behave({ error: { code, rate: 1 } });
    const id = await started(account, template.name, 300);
    const { failure_reason } = await untilCampaign(account, id, 'failed');
    expect(failure_reason).toContain(`20 recipients in a row failed for the same reason: ${words}`);
    await until(
      'the credits of those who are left are back',
      async () => (await balanceOf(world, account)) === CREDITS,
    );
    await world.simulator.behave({ error: null });
    const failed = (await recipientsOf(account, id, '&status=failed')).map(({ retryable }) => retryable);
    expect(failed.every(Boolean)).toBe(true);
    expect((await act(account, id, 'resume')).status).toBe(200);
    const resumed = await untilCampaign(account, id, 'completed');
    expect(resumed.sent_count + resumed.failed_count).toBe(300);
    expect((await act(account, id, 'retry-failed')).status).toBe(200);
    await expectAllReached(id, 300);
  });

  it('stops when reports say the same of the latest twenty', async () => {
    account = await world.account({ credits: CREDITS, throughput: 5 });
    template = await approvedTemplate(world, account);
    const id = await started(account, template.name, 300);
    await until('some are sent', async () => (await sentTo(world, account, template.name)).length >= 20);
    expect((await act(account, id, 'pause')).status).toBe(200);
    await untilIdle(world, account);
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    const errors = [{ code: 131053, title: 'Media upload error' }];
    const failed = ledger.map((entry) => ({ id: String(entry.id), status: 'failed', errors }));
    expect(await report(world, account.phone.phoneNumberId, ...failed)).toBe(200);
    const { failure_reason, failed_count } = await untilCampaign(account, id, 'failed');
    expect([failure_reason, failed_count]).toEqual([expect.stringContaining('131053'), ledger.length]);
    expect((await act(account, id, 'retry-failed')).status).toBe(200);
  });
});
