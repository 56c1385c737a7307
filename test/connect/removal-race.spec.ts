import { act, balanceOf, draft, untilCampaign } from '../campaigns/campaigns.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';

const CREDITS = 100;

describe('a phone that is removed while a draft starts', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  it('ends the campaign with a reason, sends nothing and returns the credits', async () => {
    const owner = await world.account({ credits: CREDITS });
    const template = await approvedTemplate(world, owner);
    const id = await draft(owner, template.name, 3);
    const foreign = await ForeignSession.open(world.environment.databaseUrl);
    // The start has passed its checks when it waits for this row, and the removal sees a draft.
    await foreign.lock('campaigns', 'account_id = $1 AND id = $2', [owner.accountId, id]);
    const starting = act(owner, id, 'send');
    try {
      await until('the start waits for the campaign', async () => {
        const waiting = await foreign.query(
          'SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
        );
        return waiting.length > 0;
      });
      expect((await owner.api.delete(`/api/v1/business-phones/${owner.phone.id}`)).status).toBe(200);
    } finally {
      await foreign.release();
      await foreign.close();
    }
    expect((await starting).status).toBe(202);
    const { failure_reason, sent_count } = await untilCampaign(owner, id, 'failed');
    expect(failure_reason).toMatch(/phone/);
    expect(sent_count).toBe(0);
    expect(await world.simulator.ledger(owner.phone.phoneNumberId)).toEqual([]);
    await until('the credits are back', async () => (await balanceOf(world, owner)) === CREDITS);
  });

  it('refuses a start after the removal, and names the phone', async () => {
    const owner = await world.account({ credits: CREDITS });
    const template = await approvedTemplate(world, owner);
    const id = await draft(owner, template.name, 3);
    expect((await owner.api.delete(`/api/v1/business-phones/${owner.phone.id}`)).status).toBe(200);
    const refused = await act(owner, id, 'send');
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/phone/);
    expect(await balanceOf(world, owner)).toBe(CREDITS);
  });
});
