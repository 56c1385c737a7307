import { unhandledOf } from '../inbound/inbound.js';
import { openWindow, SEND, secondsAgo } from '../messages/messages.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { postNotice } from './notices.js';
import { CREATE, LIST, SYNC } from './upstream.js';

interface Template {
  readonly id: string;
  readonly name: string;
  readonly meta_template_id: string;
  readonly category: string;
  readonly status: string;
}

describe('the category in force', () => {
  let world: World;
  let account: TestAccount;
  let template: Template;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [], review: 'manual' });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    const { body } = await account.api.post<{ template_id: string; meta_template_id: string }>(CREATE, {
      name: `t_${uniqueDigits()}`,
      category: 'UTILITY',
      body: { text: 'Hello from the test' },
    });
    await world.simulator.review(body.meta_template_id, 'approve');
    template = await shown(body.template_id);
    expect(template.status).toBe('APPROVED');
    // The network has just told of its approval; the notices of these tests are newer.
    await world.unitOfWork.autocommit.affected(
      `UPDATE templates SET state_told_at = state_told_at - interval '2 hours', category_told_at = category_told_at - interval '2 hours'
       WHERE account_id = $1`,
      [account.accountId],
    );
  });

  const shown = async (id = template.id): Promise<Template> =>
    (await account.api.get<{ template: Template }>(`${LIST}${id}`)).body.template;
  const category = async (): Promise<string> => (await shown()).category;
  const untilCategory = (expected: string) =>
    until(`the template is ${expected}`, async () => (await category()) === expected);
  const optedOut = async (): Promise<string> => {
    const phone = uniquePhone();
    await openWindow(world, account.phone, phone, { type: 'text', text: 'STOP' });
    return phone;
  };
  const send = (phone: string) => account.api.post(SEND, { template_name: template.name, contact_phone: phone });
  /** Posts a notice as the network does: its id as an integer, with the time of its entry in unix seconds. */
  const notice = async (
    field: string,
    value: Record<string, unknown>,
    time?: number,
    id = template.meta_template_id,
  ) => {
    const named = { message_template_id: '<id>', message_template_name: template.name, ...value };
    const entry = [
      { id: account.phone.wabaId, ...(time !== undefined && { time }), changes: [{ field, value: named }] },
    ];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry }).replace('"<id>"', id);
    await postNotice(world, body);
  };
  const moved = (previous_category: string, new_category: string, time?: number) =>
    notice('template_category_update', { previous_category, new_category }, time);

  it('keeps a template from contacts who have opted out once it is MARKETING', async () => {
    const contact = await optedOut();
    expect((await send(contact)).status).toBe(200);
    await world.simulator.callback('template_category_update', {
      message_template_id: template.meta_template_id,
      message_template_name: template.name,
      message_template_language: 'en_US',
      previous_category: 'UTILITY',
      new_category: 'MARKETING',
    });
    expect(await category()).toBe('MARKETING');
    expect(await send(contact)).toMatchObject({ status: 400, body: { error: 'contact_opted_out' } });
    expect((await send(uniquePhone())).status).toBe(200);
    const { body } = await account.api.get<{ templates: Template[] }>(`${LIST}?category=MARKETING`);
    expect(body.templates).toMatchObject([{ name: template.name, category: 'MARKETING' }]);
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });

  it('follows a change that is announced only when it is done', async () => {
    const contact = await optedOut();
    const announced_for = secondsAgo(-86_400);
    await world.simulator.recategorise(template.meta_template_id, 'MARKETING', { announced_for });
    expect(await category()).toBe('UTILITY');
    expect((await send(contact)).status).toBe(200);
    await world.simulator.recategorise(template.meta_template_id, 'MARKETING');
    expect(await category()).toBe('MARKETING');
    expect((await send(contact)).status).toBe(400);
    const unhandled = await unhandledOf(world, account.accountId);
    expect(unhandled.filter(({ field }) => field === 'template_category_update')).toEqual([]);
  });

  it('is read from the network when an announced change is due and no notice comes', async () => {
    await world.simulator.recategorise(template.meta_template_id, 'MARKETING', { notify: false });
    await notice('template_category_update', {
      new_category: 'UTILITY',
      correct_category: 'MARKETING',
      category_update_timestamp: secondsAgo(1),
    });
    await untilCategory('MARKETING');
  });

  it('comes back when the network moves the template back', async () => {
    const contact = await optedOut();
    await world.simulator.recategorise(template.meta_template_id, 'MARKETING');
    expect((await send(contact)).status).toBe(400);
    // Within one second the later notice may be the older one: the template is read from the network.
    await world.simulator.recategorise(template.meta_template_id, 'UTILITY');
    await untilCategory('UTILITY');
    await until('sends know it', async () => (await send(contact)).status === 200);
  });

  it.each(['en_US', 'en-US'])('follows status notices that name it, in the language %s', async (language) => {
    const details = { message_template_language: language, message_template_category: 'MARKETING', reason: 'NONE' };
    await notice('message_template_status_update', { event: 'PAUSED', ...details }, secondsAgo(5));
    expect(await shown()).toMatchObject({ category: 'MARKETING', network_status: 'PAUSED' });
  });

  it.each([
    ['in order', [0, 1, 2]],
    ['newest first', [2, 1, 0]],
    ['with repetitions', [0, 1, 0, 2, 1, 0]],
  ])('is that of the newest of three notices when they arrive %s', async (_, order) => {
    const notices: readonly (readonly [string, string, number])[] = [
      ['UTILITY', 'MARKETING', secondsAgo(30)],
      ['MARKETING', 'UTILITY', secondsAgo(20)],
      ['UTILITY', 'MARKETING', secondsAgo(10)],
    ];
    for (const index of order) {
      const [previous, next, time] = notices[index] ?? ['', '', 0];
      await moved(previous, next, time);
    }
    expect(await category()).toBe('MARKETING');
  });

  it('is not touched by a notice that is older than the one in force, whatever the state', async () => {
    // With a time before it, the order of the pause is known, and nobody asks the network.
    await notice('message_template_status_update', { event: 'APPROVED', reason: 'NONE' }, secondsAgo(40));
    await moved('UTILITY', 'MARKETING', secondsAgo(20));
    await notice('message_template_status_update', { event: 'PAUSED', reason: 'NONE' }, secondsAgo(10));
    await moved('MARKETING', 'UTILITY', secondsAgo(30));
    expect(await shown()).toMatchObject({ category: 'MARKETING', network_status: 'PAUSED' });
    // The state is newer than this notice, the category is not.
    await moved('MARKETING', 'UTILITY', secondsAgo(15));
    expect(await shown()).toMatchObject({ category: 'UTILITY', network_status: 'PAUSED' });
  });

  it('is read from the network when the times of two notices do not tell which is newer', async () => {
    const time = secondsAgo(10);
    await moved('MARKETING', 'UTILITY', time);
    await moved('UTILITY', 'MARKETING', time);
    await untilCategory('UTILITY');
  });

  it('is not relaxed by a notice whose order is unknown, if the network says otherwise', async () => {
    await world.simulator.recategorise(template.meta_template_id, 'MARKETING');
    await moved('MARKETING', 'UTILITY');
    await moved('MARKETING', 'UTILITY', secondsAgo(3600));
    expect(await category()).toBe('MARKETING');
  });

  it.each([
    ['without an id', { message_template_id: null }],
    ['without a category', { new_category: undefined }],
    ['with a category nobody knows', { new_category: 'SOMETHING_NEW' }],
    ['with the id of another template', { message_template_id: 1 }],
  ])('does not follow a notice %s, which is kept', async (_, differences) => {
    const value = { previous_category: 'UTILITY', new_category: 'MARKETING', ...differences };
    await notice('template_category_update', { message_template_id: '<id>', ...value });
    expect(await category()).toBe('UTILITY');
    const unhandled = await unhandledOf(world, account.accountId);
    expect(unhandled.filter(({ field }) => field === 'template_category_update')).toHaveLength(1);
  });

  it.each([
    ['SHIPPING_UPDATE', 'UTILITY'],
    ['OTP', 'AUTHENTICATION'],
  ])('reads the network’s former name %s as %s, and never offers it', async (former, current) => {
    await world.simulator.recategorise(template.meta_template_id, former, { notify: false });
    const { body } = await account.api.post<{ summary: Record<string, number> }>(SYNC);
    expect(body.summary).toMatchObject({ total_meta_templates: 1, skipped: current === 'UTILITY' ? 1 : 0 });
    expect(await category()).toBe(current);
    const offered = await account.api.post(CREATE, { name: 'former', category: former, body: { text: 'Hello' } });
    expect(offered.status).toBe(422);
  });
});

describe('notices about templates with ids beyond 2^53', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  it('concern exactly the template that they name', async () => {
    const account = await world.account();
    await world.simulator.behave({ review: 'manual', big_ids: true });
    const created = [];
    for (const name of ['first', 'second']) {
      const { body } = await account.api.post<{ template_id: string; meta_template_id: string }>(CREATE, {
        name,
        category: 'UTILITY',
        body: { text: 'Hello' },
      });
      expect(Number.isSafeInteger(Number(body.meta_template_id))).toBe(false);
      created.push(body);
    }
    const [first, second] = created;
    const shown = async (id = '') => (await account.api.get<{ template: Template }>(`${LIST}${id}`)).body.template;
    await world.simulator.review(first?.meta_template_id ?? '', 'approve');
    await world.simulator.recategorise(first?.meta_template_id ?? '', 'MARKETING');
    expect(await shown(first?.template_id)).toMatchObject({
      meta_template_id: first?.meta_template_id,
      status: 'APPROVED',
      category: 'MARKETING',
    });
    expect(await shown(second?.template_id)).toMatchObject({ status: 'PENDING', category: 'UTILITY' });
    expect(await unhandledOf(world, account.accountId)).toEqual([]);
  });
});
