import { act, draft, started, untilCampaign } from '../campaigns/campaigns.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount } from '../support/world.js';
import { NetworkBetween } from './network-between.js';
import { LIST } from './upstream.js';

const LATER = '2099-01-31T09:00:00Z';
/** A window that is closed now, so that a campaign runs and sends nothing. */
const closedNow = () => {
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  return { send_window: { from: clock(2), to: clock(3), timezone: 'UTC' } };
};

let network: NetworkBetween;
let account: TestAccount;
let template: { name: string; id: string };

beforeAll(async () => {
  network = await NetworkBetween.start();
});
beforeEach(async () => {
  network.stepAside();
  account = await network.world.account({ credits: 100 });
  template = await approvedTemplate(network.world, account);
});
afterAll(() => network.stop());

const remove = () => account.api.delete<{ error: string; message: string }>(`${LIST}${template.id}`);
const create = (more: Record<string, unknown> = {}) => draft(account, template.name, 1, more);
const isDeletion = ({ method }: { method: string }) => method === 'DELETE';

describe('deleting a template', () => {
  it('is 409 while scheduled, running or paused campaigns use it, and names them', async () => {
    const scheduled = await create({ name: 'Summer sale', scheduled_at: LATER });
    const running = await started(account, template.name, 1, { name: 'Autumn sale', ...closedNow() });
    const paused = await started(account, template.name, 1, { name: 'Winter sale', ...closedNow() });
    expect((await act(account, paused, 'pause')).status).toBe(200);
    let asked = 0;
    network.intercept = (call) => {
      if (isDeletion(call)) asked += 1;
      return null;
    };
    const { status, body } = await remove();
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        error: 'conflict',
        message:
          `template ${template.name} is used by these scheduled or running campaigns: Summer sale (${scheduled}), ` +
          `Autumn sale (${running}), Winter sale (${paused}). Cancel them, or delete the template when they have ended`,
      },
    });
    expect(asked).toBe(0);
    expect((await account.api.get(`${LIST}${template.id}`)).status).toBe(200);
    // The refusal leaves nothing behind: the template can still be used.
    await create({ scheduled_at: LATER });
    for (const id of [scheduled, running]) await act(account, id, 'cancel');
    const { message } = (await remove()).body;
    expect(message).toContain(paused);
    expect(message).not.toContain(scheduled);
  });

  it('names ten campaigns at most', async () => {
    for (let more = 0; more < 11; more += 1) await create({ scheduled_at: LATER });
    expect((await remove()).body.message).toMatch(/^(?:.*Autumn \(){10}[^(]*\) and more\. Cancel them/s);
  });

  it('succeeds with drafts, with campaigns that have ended or stopped, and with those of other templates', async () => {
    const other = await approvedTemplate(network.world, account);
    await draft(account, other.name, 1, { scheduled_at: LATER });
    const waiting = await create();
    const completed = await started(account, template.name, 1);
    await untilCampaign(account, completed, 'completed');
    const cancelled = await create({ scheduled_at: LATER });
    await act(account, cancelled, 'cancel');
    const stopped = await create({ scheduled_at: LATER });
    await network.world.unitOfWork.autocommit.affected(
      "UPDATE campaigns SET status = 'failed', completed_at = now() WHERE account_id = $1 AND id = $2",
      [account.accountId, stopped],
    );
    expect((await remove()).status).toBe(200);
    for (const [id, action] of [
      [waiting, 'send'],
      [stopped, 'resume'],
    ] as const) {
      const { status, body } = await act(account, id, action);
      expect([action, status, body.message]).toEqual([action, 400, 'the template was deleted']);
    }
  });

  it('lets nobody create, start or resume a campaign with it while the network is asked', async () => {
    const waiting = await create();
    const stopped = await create();
    await network.world.unitOfWork.autocommit.affected(
      "UPDATE campaigns SET status = 'failed', completed_at = now() WHERE account_id = $1 AND id = $2",
      [account.accountId, stopped],
    );
    const answers: unknown[] = [];
    network.beforeAnswer = async (call) => {
      if (!isDeletion(call)) return;
      const created = await account.api.post('/api/v1/campaigns/', {
        name: 'Late',
        template_name: template.name,
        contacts: [{ phone: '15551230001' }],
        scheduled_at: LATER,
      });
      const others = [await act(account, waiting, 'send'), await act(account, stopped, 'resume')];
      answers.push(...[created, ...others].map(({ status, body }) => [status, body['message' as never]]));
    };
    expect((await remove()).status).toBe(200);
    const refusal = [400, `template ${template.name} was deleted or is being deleted. Choose another template`];
    expect(answers).toEqual([refusal, refusal, refusal]);
  });

  it.each([
    ['refuses', { code: 10, message: 'Permission denied' }, 400],
    ['does not say what it did', undefined, 504],
  ])('leaves it usable when the network %s', async (_, error, status) => {
    network.intercept = (call) => (isDeletion(call) ? { status: 400, json: { error } } : null);
    expect((await remove()).status).toBe(status);
    await create({ scheduled_at: LATER });
  });

  it('of two at once, each waits for the campaigns that are just being created: none is left without its template', async () => {
    for (let round = 0; round < 10; round += 1) {
      template = await approvedTemplate(network.world, account);
      const [created, deleted] = await Promise.all([
        account.api.post('/api/v1/campaigns/', {
          name: 'Race',
          template_name: template.name,
          contacts: [{ phone: '15551230001' }],
          scheduled_at: LATER,
        }),
        remove(),
      ]);
      expect([`${created.status} ${deleted.status}`]).toEqual([expect.stringMatching(/^(?:200 409|400 200|404 200)$/)]);
    }
  });
});
