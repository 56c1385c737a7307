import { pauseForFailures } from '../../src/campaigns/control/failure-brake.queries.js';
import { entriesOf } from '../audit/audit-log.js';
import { approvedTemplate } from '../support/templates.js';
import { Hopeless, until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { refusedPhone } from './campaigns.js';

/** A phone number whose messages the network accepts and fails later. */
const failingPhone = (): string => `491${uniqueDigits().slice(-5)}9990001`;
const times = (count: number, make: () => string): string[] => Array.from({ length: count }, make);
/** Twenty failures in a row end a campaign for some reasons, but never for this one. */
const UNREACHABLE = 131026;

/**
 * On a busy machine the network may seem not to answer. A recipient whose outcome is unknown does not keep its campaign
 * from completing, and counts only once a report or the horizon settles it. The brake doesn't judge it at all.
 */
const PATIENCE = { NETWORK_TIMEOUT_MS: '120000', LEASE_SECONDS: '120', UNKNOWN_OUTCOME_HORIZON: '5' };

/** How long the largest of these campaigns may take on a busy machine, milliseconds; a quiet one takes a tenth. */
const COMPLETES_WITHIN_MS = 200_000;

interface Stored {
  readonly status: string;
  readonly paused: boolean;
  readonly failureReason: string | null;
}

describe('a campaign with many failing recipients', () => {
  let world: World;
  let second: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: PATIENCE });
    // Another process on the same database and network.
    second = await World.start({
      env: { ...PATIENCE, PARLEY_ROLES: 'worker', NETWORK_BASE_URL: world.simulator.url },
    });
    account = await world.account();
    template = await approvedTemplate(world, account);
    await world.simulator.behave({ status_delay_ms: 1, callback_batch: 50 });
  });
  afterAll(async () => {
    await second.stop();
    await world.stop();
  });

  const create = (phones: string[], max_failure_percent: unknown) =>
    account.api.post('/api/v1/campaigns/', {
      name: 'Braked',
      template_name: template.name,
      contacts: phones.map((phone) => ({ phone })),
      max_failure_percent,
    });
  const start = async (phones: string[], percent?: number): Promise<string> => {
    const id = String((await create(phones, percent)).body['campaign_id']);
    expect((await account.api.post(`/api/v1/campaigns/${id}/send`)).status).toBe(202);
    return id;
  };
  /** Has the network refuse nine of ten messages, at once. */
  const refuseMost = () => world.simulator.behave({ error: { code: UNREACHABLE, rate: 0.9 } });
  const refuseNone = () => world.simulator.behave({ error: null });
  const stored = async (id: string): Promise<Stored | null> =>
    world.unitOfWork.autocommit.row<Stored>(
      'SELECT status, paused, failure_reason FROM campaigns WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
  const paused = (id: string) =>
    until('it has paused', async () => {
      const now = await stored(id);
      if (now?.status === 'running') return now.paused && now;
      throw new Hopeless(`the campaign is ${JSON.stringify(now)}`);
    });
  const completed = (id: string) =>
    until(
      'it is completed',
      async () => {
        const now = await stored(id);
        if (now?.status === 'completed') return now;
        throw new Error(`the campaign is ${JSON.stringify(now)}`);
      },
      COMPLETES_WITHIN_MS,
    );
  const resume = async (id: string): Promise<void> => {
    expect((await account.api.post(`/api/v1/campaigns/${id}/resume`)).status).toBe(200);
  };
  const answered = async (id: string): Promise<number> => {
    const { body } = await account.api.get<{ sent_count: number; failed_count: number }>(
      `/api/v1/campaigns/${id}/stats`,
    );
    return body.sent_count + body.failed_count;
  };
  const allAnswered = (id: string, count: number) =>
    until(`${count} recipients have an outcome`, async () => (await answered(id)) >= count);

  it.each([-1, 101, 1.5])('rejects max_failure_percent %p (400)', async (percent) => {
    const { status, body } = await create([uniquePhone()], percent);
    expect({ status, message: body['message'] }).toEqual({
      status: 400,
      message: `max_failure_percent must be a whole number from 0 to 100 (got ${percent})`,
    });
  });

  it('pauses itself at 50 unless another limit is given, and never at 0', async () => {
    await refuseMost();
    // With 150 alone it could complete before the pause takes hold.
    const limited = await start(times(1650, uniquePhone));
    const unlimited = await start(times(150, uniquePhone), 0);
    expect((await paused(limited))?.failureReason).toMatch(/^\d+ of 100 recipients in a row failed/);
    expect(await completed(unlimited)).toMatchObject({ paused: false });
    await refuseNone();
    const shown = async (id: string) => {
      const { body } = await account.api.get<{ campaign: Record<string, unknown> }>(`/api/v1/campaigns/${id}`);
      return body.campaign['max_failure_percent'];
    };
    expect([await shown(limited), await shown(unlimited)]).toEqual([50, 0]);
  });

  it('pauses itself with the reason, and counts anew once resumed', async () => {
    await refuseMost();
    const id = await start(times(1650, uniquePhone), 20);
    expect(await paused(id)).toMatchObject({
      status: 'running',
      failureReason: expect.stringMatching(/^\d+ of 100 recipients in a row failed, .*131026/),
    });
    const { body } = await account.api.get<{ campaign: object }>(`/api/v1/campaigns/${id}`);
    expect(body.campaign).toMatchObject({ paused: true, paused_at: expect.any(String), paused_by: null });
    expect(await answered(id)).toBeLessThan(1650);
    const entries = (await entriesOf(account)).filter(({ subject_id }) => subject_id === id);
    const pauses = entries.filter(({ action }) => action === 'campaign.paused');
    expect(pauses).toMatchObject([
      { actor: 'system', subject_id: id, changes: { failed: expect.any(Number), of: 100 } },
    ]);
    await refuseNone();
    await resume(id);
    // Whoever counted before, and would pause only now, pauses nothing.
    const writes = world.unitOfWork.writes(account.accountId);
    expect(await writes.transaction((tx) => pauseForFailures(account.accountId, id, 'old', null, tx))).toBe(0);
    expect(await completed(id)).toMatchObject({ paused: false, failureReason: null });
    await allAnswered(id, 1650);
  });

  it('pauses when failures are reported later', async () => {
    const slow = await world.account({ throughput: 50 });
    const { name } = await approvedTemplate(world, slow);
    const { body } = await slow.api.post('/api/v1/campaigns/', {
      name: 'Undelivered',
      template_name: name,
      contacts: times(1500, failingPhone).map((phone) => ({ phone })),
      max_failure_percent: 50,
    });
    const id = String(body['campaign_id']);
    await slow.api.post(`/api/v1/campaigns/${id}/send`);
    const braked = await until('it has paused', async () => {
      const now = await world.unitOfWork.autocommit.row<Stored>(
        'SELECT status, paused, failure_reason FROM campaigns WHERE account_id = $1 AND id = $2 AND paused',
        [slow.accountId, id],
      );
      return now;
    });
    expect(braked).toMatchObject({ status: 'running', failureReason: expect.stringContaining('max_failure_percent') });
  });

  it('continues while no 100 recipients in a row have too many failures', async () => {
    const phones = times(40, () => '').flatMap(() => [...times(8, uniquePhone), ...times(2, refusedPhone)]);
    const id = await start(phones, 30);
    expect(await completed(id)).toMatchObject({ paused: false, failureReason: null });
    await allAnswered(id, 400);
  });

  it('does not pause before 100 recipients have an outcome', async () => {
    await refuseMost();
    const id = await start(times(99, uniquePhone), 1);
    expect(await completed(id)).toMatchObject({ paused: false });
    await refuseNone();
  });

  it('does not count recipients that were never sent to the network', async () => {
    const marketing = await approvedTemplate(world, account, { category: 'MARKETING' });
    const phones = times(150, uniquePhone);
    const { body } = await account.api.post('/api/v1/campaigns/', {
      name: 'Opted out',
      template_name: marketing.name,
      contacts: phones.map((phone) => ({ phone })),
      max_failure_percent: 1,
    });
    const id = String(body['campaign_id']);
    await world.unitOfWork.autocommit.affected(
      'UPDATE contacts SET opted_in = false WHERE account_id = $1 AND phone_number = ANY ($2)',
      [account.accountId, phones],
    );
    await account.api.post(`/api/v1/campaigns/${id}/send`);
    expect(await completed(id)).toMatchObject({ paused: false });
    await allAnswered(id, 150);
  });
});
