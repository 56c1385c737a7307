import { ConfigurationChanges } from '../../src/database/configuration-changes.js';
import { draft, started, untilCampaign } from '../campaigns/campaigns.js';
import { SEND } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { LIST } from './upstream.js';

interface Used {
  readonly account: TestAccount;
  readonly name: string;
  readonly id: string;
  readonly metaId: string;
}

describe('the daily look at templates', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());

  const shown = async ({ account, id }: Pick<Used, 'account' | 'id'>) =>
    (await account.api.get<{ template: { category: string; meta_template_id: string } }>(`${LIST}${id}`)).body.template;
  const create = async (account: TestAccount): Promise<Used> => {
    const { name, id } = await approvedTemplate(world, account);
    return { account, name, id, metaId: (await shown({ account, id })).meta_template_id };
  };
  const send = async ({ account, name }: Used) => {
    const sent = await account.api.post(SEND, { template_name: name, contact_phone: uniquePhone() });
    expect(sent.status).toBe(200);
  };
  const looks = ({ accountId }: TestAccount) =>
    world.unitOfWork.autocommit.rows<{ templateId: string; wait: 'none' | 'an hour' | 'a day' }>(
      `SELECT template_id,
              CASE WHEN look_at <= now() THEN 'none' WHEN look_at <= now() + interval '1 hour' THEN 'an hour'
                   ELSE 'a day' END AS wait
       FROM template_looks WHERE account_id = $1 ORDER BY template_id`,
      [accountId],
    );
  const untilNoted = ({ account, id }: Used) =>
    until('the use is noted', async () => (await looks(account)).some(({ templateId }) => templateId === id));
  /** Makes the looks of these templates due. */
  const due = (used: readonly Used[], more = '') =>
    world.unitOfWork.autocommit.affected(
      `UPDATE template_looks SET look_at = now() - interval '1 second' ${more}
       WHERE account_id = ANY ($1) AND template_id = ANY ($2)`,
      [used.map(({ account }) => account.accountId), used.map(({ id }) => id)],
    );
  const change = ({ metaId }: Used) => world.simulator.recategorise(metaId, 'MARKETING', { notify: false });
  const untilMarketing = (used: Used) =>
    until(`${used.name} is MARKETING`, async () => (await shown(used)).category === 'MARKETING');
  const listings = async ({ phone }: TestAccount): Promise<number> =>
    (await world.simulator.requests(phone.wabaId)).filter(({ method }) => method === 'GET').length;

  it('finds what no notice has reported, in one request for a business account', async () => {
    const account = await world.account();
    const used = [await create(account), await create(account)];
    const before = await listings(account);
    for (const template of used) {
      await send(template);
      await untilNoted(template);
      await change(template);
    }
    // It is enough that one of them is due.
    await due(used.slice(0, 1));
    for (const template of used) await untilMarketing(template);
    expect((await listings(account)) - before).toBe(1);
    await until('the next look is tomorrow', async () => (await looks(account)).every(({ wait }) => wait === 'a day'));
  });

  it('includes templates of campaigns, and not those that are only created', async () => {
    const account = await world.account({ credits: 10 });
    const [sent, idle] = [await create(account), await create(account)];
    await draft(account, idle.name, 1);
    await untilCampaign(account, await started(account, sent.name, 1), 'completed');
    await untilNoted(sent);
    expect((await looks(account)).map(({ templateId }) => templateId)).toEqual([sent.id]);
  });

  it('ends seven days after the last use', async () => {
    const account = await world.account();
    const [old, recent] = [await create(account), await create(account)];
    for (const template of [old, recent]) {
      await send(template);
      await untilNoted(template);
      await change(template);
    }
    await due([old], `, used_at = now() - interval '7 days 1 second'`);
    await due([recent], `, used_at = now() - interval '6 days 23 hours'`);
    await untilMarketing(recent);
    expect((await shown(old)).category).toBe('UTILITY');
    expect((await looks(account)).map(({ templateId }) => templateId)).toEqual([recent.id]);
  });

  it('reads few of many templates one by one', async () => {
    const account = await world.account();
    const used = await create(account);
    await send(used);
    await untilNoted(used);
    await change(used);
    await world.unitOfWork.autocommit.affected(
      `INSERT INTO templates
       SELECT (jsonb_populate_record(t, jsonb_build_object('id', new_record_id(), 'name', 'copy_' || i,
                                                           'meta_template_id', 'copy_' || i))).*
       FROM templates t, generate_series(1, 200) AS i
       WHERE t.account_id = $1 AND t.id = $2`,
      [account.accountId, used.id],
    );
    const before = await listings(account);
    await due([used]);
    await untilMarketing(used);
    expect((await listings(account)) - before).toBe(0);
  });

  it('goes on with other accounts when one cannot be read', async () => {
    const [broken, sound] = [await create(await world.account()), await create(await world.account())];
    for (const template of [broken, sound]) {
      await send(template);
      await untilNoted(template);
      await change(template);
    }
    const token = async (value: string) => {
      const row = await world.unitOfWork.autocommit.row<{ former: string }>(
        `UPDATE business_phones p SET access_token = $2 FROM business_phones former
         WHERE p.account_id = $1 AND former.account_id = $1 AND former.id = p.id RETURNING former.access_token AS former`,
        [broken.account.accountId, value],
      );
      // The token is remembered for up to a second otherwise.
      await world.parley.app.get(ConfigurationChanges).confirm();
      return row;
    };
    const former = await token('v1.unknown.x.y');
    await due([broken, sound]);
    await untilMarketing(sound);
    await until('it is to be tried again in an hour', async () => (await looks(broken.account))[0]?.wait === 'an hour');
    expect((await shown(broken)).category).toBe('UTILITY');
    await token(former?.former ?? '');
    await due([broken]);
    await untilMarketing(broken);
  });

  it('comes at the time of an announced change, without a use', async () => {
    const used = await create(await world.account());
    await world.simulator.recategorise(used.metaId, 'MARKETING', {
      announced_for: Math.floor(Date.now() / 1000) + 86_400,
    });
    const [planned] = await looks(used.account);
    expect(planned).toEqual({ templateId: used.id, wait: 'a day' });
    await change(used);
    await due([used], `, change_at = now() - interval '1 second'`);
    await untilMarketing(used);
    // The network may be late, so the next look comes within the hour.
    await until('the next look is planned', async () => (await looks(used.account))[0]?.wait === 'an hour');
  });
});
