import { openWindow } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { LIST } from '../templates/upstream.js';
import {
  act,
  balanceOf,
  campaignOf,
  draft,
  hurry,
  PATIENT,
  recipientsOf,
  sentTo,
  started,
  untilCampaign,
} from './campaigns.js';

describe('campaigns of a template that becomes MARKETING', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { ...PATIENT, MESSAGE_PRICES: 'MARKETING=7,UTILITY=2' } });
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());

  const phones = (count: number) => Array.from({ length: count }, () => uniquePhone());
  const optOut = async ({ phone }: TestAccount, contacts: readonly string[]) => {
    for (const contact of contacts) await openWindow(world, phone, contact, { type: 'text', text: 'STOP' });
  };
  const move = async ({ api }: TestAccount, id: string) => {
    const { body } = await api.get<{ template: { meta_template_id: string } }>(`${LIST}${id}`);
    await world.simulator.recategorise(body.template.meta_template_id, 'MARKETING');
  };
  const statusesOf = async (account: TestAccount, id: string, contacts: readonly string[]) =>
    (await recipientsOf(account, id, '&status=failed'))
      .filter(({ contact_phone }) => contacts.includes(contact_phone))
      .map(({ status, error_code }) => `${status} ${error_code}`);

  it('fail for contacts who have opted out (900001), and return their credits', async () => {
    const account = await world.account({ credits: 100 });
    const { name, id: templateId } = await approvedTemplate(world, account);
    const [reached = '', lost = ''] = phones(2);
    await optOut(account, [lost]);
    await move(account, templateId);
    const id = await started(account, name, [reached, lost]);
    await untilCampaign(account, id, 'completed');
    expect(await statusesOf(account, id, [lost])).toEqual(['failed 900001']);
    expect(await sentTo(world, account, name)).toEqual([reached]);
    expect(await balanceOf(world, account)).toBe(100 - 7);
  });

  it('reach nobody else who has opted out while they run, and cost what was reserved', async () => {
    const account = await world.account({ credits: 1000, throughput: 5 });
    const { name, id: templateId } = await approvedTemplate(world, account);
    const [first, optedOut] = [phones(200), phones(5)];
    await optOut(account, optedOut);
    const id = await draft(account, name, [...first, ...optedOut]);
    const setDue = (at: string) =>
      world.unitOfWork.autocommit.affected(
        `UPDATE campaign_recipients SET due_at = ${at}
         WHERE account_id = $1 AND campaign_id = $2 AND position >= $3`,
        [account.accountId, id, first.length],
      );
    await setDue("now() + interval '1 hour'");
    expect((await act(account, id, 'send')).status).toBe(202);
    expect(await balanceOf(world, account)).toBe(1000 - 205 * 2);
    const sentCount = async () => (await campaignOf(account, id)).sent_count;
    await until('the campaign is sending', async () => (await sentCount()) > 0);
    await move(account, templateId);
    // The phone sends five a second, and a campaign may work for three seconds with what it has read.
    const before = await sentCount();
    await until('it has read the template again', async () => (await sentCount()) >= before + 20);
    await setDue('now()');
    await hurry(world, account);
    await untilCampaign(account, id, 'completed');
    expect(await statusesOf(account, id, optedOut)).toEqual(optedOut.map(() => 'failed 900001'));
    expect((await sentTo(world, account, name)).toSorted()).toEqual(first.toSorted());
    expect(await balanceOf(world, account)).toBe(1000 - 200 * 2);
  });
});
