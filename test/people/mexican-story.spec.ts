import { campaignOf, started, untilCampaign } from '../campaigns/campaigns.js';
import { upload } from '../consent/consent.js';
import { SEND, SEND_MESSAGE } from '../messages/messages.js';
import { crowdOf } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { CONTACTS, mexicanPhone, rowsOf, untilMoved } from './merging.js';

const PEOPLE = 50;

// What a business in Mexico does in a week, in a network that spells its customers' numbers differently.
describe('fifty people whose numbers the network spells differently', () => {
  let world: World;
  let account: TestAccount;
  let news: string;
  let sale: string;
  let ours: string[];
  const theirs = (number: string) => number.replace(/^52/, '521');
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: ['sent', 'delivered'], wa_id_rules: ['MX'] });
    account = await world.account();
    news = (await approvedTemplate(world, account, { category: 'UTILITY' })).name;
    sale = (await approvedTemplate(world, account, { category: 'MARKETING', body: { text: 'Sale' } })).name;
    ours = Array.from({ length: PEOPLE }, mexicanPhone);
  });
  afterAll(() => world.stop());

  const say = (text: string, from: string) =>
    world.simulator.inbound({ phone_number_id: account.phone.phoneNumberId, from, type: 'text', text });
  const ledger = () => world.simulator.ledger(account.phone.phoneNumberId);
  const total = async (): Promise<unknown> =>
    (await account.api.get<{ total: number }>(`${CONTACTS}?limit=100`)).body.total;

  it('are one contact each, whatever happens, and nobody who said STOP is sent marketing', async () => {
    const imported = await upload(
      account,
      `phone_number,first_name\n${ours.map((n) => `${theirs(n)},Ada`).join('\n')}\n`,
    );
    expect(imported.status).toBe(200);
    const first = await started(account, news, ours);
    await untilCampaign(account, first, 'completed');
    // All answer, every fifth with STOP; some twice, concurrently.
    const stopped = ours.filter((_, index) => index % 5 === 0);
    const replies = ours.flatMap((number, index) => {
      const texts = index % 5 === 0 ? ['STOP', 'ok'] : ['Yes', ...(index % 5 === 1 ? ['Really'] : [])];
      return texts.map((text) => [text, theirs(number)] as const);
    });
    await crowdOf(replies, ([text, from]) => say(text, from));
    await until('all have replied', async () => Number((await campaignOf(account, first)).replied_count) >= PEOPLE);
    // Free-form answers in the window, by either spelling.
    const answers = await crowdOf(ours, (number, index) =>
      account.api.post(SEND_MESSAGE, {
        contact_phone: index % 2 === 0 ? number : theirs(number),
        message_type: 'text',
        message: 'Thanks',
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await total()).toBe(PEOPLE);
    const before = (await ledger()).length;
    const second = await started(
      account,
      sale,
      ours.map((n, index) => (index % 3 === 0 ? theirs(n) : n)),
    );
    await untilCampaign(account, second, 'completed');
    const sent = (await ledger()).slice(before).map(({ to }) => to.replace(/^521/, '52'));
    expect(sent.toSorted()).toEqual(ours.filter((number) => !stopped.includes(number)).toSorted());
    for (const number of stopped) {
      for (const contact_phone of [number, theirs(number)]) {
        expect(await account.api.post(SEND, { template_name: sale, contact_phone })).toMatchObject({ status: 400 });
      }
    }
    await untilMoved(world, account);
    expect(await total()).toBe(PEOPLE);
    expect(await rowsOf(world, account, 'SELECT FROM contacts WHERE account_id = $1')).toHaveLength(PEOPLE);
    expect(await rowsOf(world, account, 'SELECT FROM conversations WHERE account_id = $1')).toHaveLength(PEOPLE);
    expect(await campaignOf(account, first)).toMatchObject({ sent_count: PEOPLE, replied_count: PEOPLE });
  });
});
