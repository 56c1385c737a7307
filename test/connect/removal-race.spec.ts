import { act, balanceOf, draft, untilCampaign } from '../campaigns/campaigns.js';
import { impatient } from '../support/api-client.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

const CREDITS = 100;

describe('a phone that is removed while a draft starts', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  /** Removes the phone of a new account while its draft starts. @returns null if the start did not last that long */
  async function removedMeanwhile(): Promise<{ owner: TestAccount; id: string; status: number } | null> {
    const owner = await world.account({ credits: CREDITS });
    const template = await approvedTemplate(world, owner);
    const id = await draft(owner, template.name, 3);
    const foreign = await ForeignSession.open(world.environment.databaseUrl);
    try {
      // The start has passed its checks when it waits for this row, and the removal sees a draft.
      await foreign.lock('campaigns', 'account_id = $1 AND id = $2', [owner.accountId, id]);
      let isOver = false;
      const starting = act(impatient(owner), id, 'send').finally(() => {
        isOver = true;
      });
      await until('the start waits for the campaign', async () => {
        const waiting = await foreign.query(
          'SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
        );
        return isOver || waiting.length > 0;
      });
      expect((await owner.api.delete(`/api/v1/business-phones/${owner.phone.id}`)).status).toBe(200);
      await foreign.release();
      const { status } = await starting;
      // On a busy machine it may have waited longer for the campaign than the service lets it.
      return status === 503 ? null : { owner, id, status };
    } finally {
      await foreign.release();
      await foreign.close();
    }
  }

  it('ends the campaign with a reason, sends nothing and returns the credits', async () => {
    const { owner, id, status } = await until('the phone is removed while the draft starts', removedMeanwhile);
    expect(status).toBe(202);
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
