import { NETWORK_CODES } from '../../src/network/network-codes.js';
import { report } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  balanceOf,
  campaignOf,
  draft,
  hurry,
  PATIENT,
  recipientsOf,
  untilAccepted,
  untilCampaign,
} from './campaigns.js';

const RECIPIENTS = 300;
const CREDITS = 1000;

describe('a campaign that the network stops', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string; id: string };

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.simulator.behave({ statuses: [], error: null });
    account = await world.account({ credits: CREDITS, throughput: 200 });
    template = await approvedTemplate(world, account);
  });

  /** The account’s phone sends so slowly that a campaign is under way for a minute. */
  const slowDown = async (more: Record<string, unknown> = {}): Promise<void> => {
    account = await world.account({ credits: CREDITS, throughput: 5 });
    template = await approvedTemplate(world, account, more);
  };
  const start = async (recipients = RECIPIENTS): Promise<string> => {
    const id = await draft(account, template.name, recipients);
    expect((await act(account, id, 'send')).status).toBe(202);
    return id;
  };
  const ledger = async () =>
    (await world.simulator.ledger(account.phone.phoneNumberId)).filter((row) => row.template_name === template.name);
  /** Groups that were under way when the campaign stopped return their credits when they end. */
  const untilBalance = (credits: number) =>
    until(`the wallet holds ${credits}`, async () => (await balanceOf(world, account)) === credits);
  /** All got it once, and everybody’s credit is spent once. */
  const expectAllReached = async (id: string, recipients = RECIPIENTS) => {
    await untilCampaign(account, id, 'completed');
    const sent = await ledger();
    expect([sent.length, new Set(sent.map(({ to }) => to)).size]).toEqual([recipients, recipients]);
    expect(await campaignOf(account, id)).toMatchObject({ sent_count: recipients, failed_count: 0 });
    expect(await balanceOf(world, account)).toBe(CREDITS - recipients);
  };

  const { stop_phone, stop_template, stop_category } = NETWORK_CODES;
  it.each([...stop_phone, ...stop_category, 250, 133007])(
    'by refusing with %i fails with a reason, loses nobody, and sends to everybody after a resume',
    async (code) => {
      await world.simulator.behave({ error: { code, rate: 1 } });
      const id = await start(40);
      const { failure_reason, failed_count, sent_count } = await untilCampaign(account, id, 'failed');
      expect(failure_reason).toMatch(new RegExp(`\\(${code}\\b.*\\)\\. Resume the campaign `));
      expect([failed_count, sent_count]).toEqual([0, 0]);
      await untilBalance(CREDITS);
      expect((await recipientsOf(account, id)).every(({ status }) => status === 'pending')).toBe(true);
      await world.simulator.behave({ error: null });
      expect((await act(account, id, 'resume')).status).toBe(200);
      await expectAllReached(id, 40);
    },
  );

  it.each(stop_template)('by refusing its template with %i goes on once the template can be sent', async (code) => {
    await world.simulator.behave({ error: { code, rate: 1 } });
    const id = await start(40);
    expect(await untilCampaign(account, id, 'failed')).toMatchObject({ failed_count: 0, sent_count: 0 });
    await untilBalance(CREDITS);
    await world.simulator.behave({ error: null });
    await account.api.post('/api/v1/templates/sync');
    await until('it may go on', async () => (await act(account, id, 'resume')).status === 200);
    await expectAllReached(id, 40);
  });

  it('in mid-run loses none of those who were being sent to', async () => {
    await slowDown();
    const id = await start();
    await until('it is under way', async () => (await ledger()).length >= 5);
    await world.simulator.behave({ error: { code: 190, rate: 1 } });
    expect(await untilCampaign(account, id, 'failed')).toMatchObject({ failed_count: 0 });
    await until('all answers are stored', async () => {
      const { sent_count } = await campaignOf(account, id);
      return sent_count === (await ledger()).length && (await balanceOf(world, account)) === CREDITS - sent_count;
    });
    await world.simulator.behave({ error: null });
    await hurry(world, account);
    expect((await act(account, id, 'resume')).status).toBe(200);
    await expectAllReached(id);
  });

  it('again and again uses up no attempts', async () => {
    await world.simulator.behave({ error: { code: 131042, rate: 1 } });
    const id = await start(3);
    for (let stops = 0; stops < 6; stops += 1) {
      await untilCampaign(account, id, 'failed');
      expect((await act(account, id, 'resume')).status).toBe(200);
    }
    await untilCampaign(account, id, 'failed');
    await world.simulator.behave({ error: null });
    expect((await act(account, id, 'resume')).status).toBe(200);
    await expectAllReached(id, 3);
    expect((await recipientsOf(account, id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });

  it('with a code that nobody documents leaves the recipients for a retry by hand', async () => {
    await world.simulator.behave({ error: { code: 999_999, rate: 1 } });
    const id = await start(5);
    await untilCampaign(account, id, 'completed');
    const recipients = await recipientsOf(account, id);
    expect(recipients).toHaveLength(5);
    for (const each of recipients) expect(each).toMatchObject({ error_code: 999_999, retryable: true });
    await world.simulator.behave({ error: null });
    expect((await act(account, id, 'retry-failed')).status).toBe(200);
    await expectAllReached(id, 5);
  });

  describe('by a report about a message that it had accepted', () => {
    const failed = (id: string, code: number) => ({
      id,
      status: 'failed',
      errors: [{ code, title: 'Business eligibility payment issue', message: 'No payment method' }],
    });

    it('fails with a reason; who was accepted stays failed, and the others are sent to after a resume', async () => {
      await slowDown();
      const id = await start();
      await until('it is under way', async () => (await campaignOf(account, id)).sent_count >= 5);
      const [first, second] = await ledger();
      for (const entry of [first, second]) await untilAccepted(account, entry);
      const about = (entry: { id: string } | undefined) => failed(String(entry?.id), 131042);
      expect(await report(world, account.phone.phoneNumberId, about(first))).toBe(200);
      const stopped = await untilCampaign(account, id, 'failed');
      expect(stopped.failure_reason).toMatch(/payment problem \(131042: .*\)\. Resume the campaign once the phone can/);
      expect(stopped.failed_count).toBe(1);
      expect((await ledger()).length).toBeLessThan(RECIPIENTS);
      await hurry(world, account);
      expect((await act(account, id, 'resume')).status).toBe(200);
      // A message of the run before says nothing about this one.
      expect(await report(world, account.phone.phoneNumberId, about(second))).toBe(200);
      await untilCampaign(account, id, 'completed');
      expect(new Set((await ledger()).map(({ to }) => to)).size).toBe(RECIPIENTS);
      expect(await campaignOf(account, id)).toMatchObject({ failed_count: 2 });
    });

    it('goes on when it is about the contact', async () => {
      const id = await start(40);
      await until('it is under way', async () => (await ledger()).length >= 5);
      const [first] = await ledger();
      expect(await report(world, account.phone.phoneNumberId, failed(String(first?.id), 131026))).toBe(200);
      await untilCampaign(account, id, 'completed');
      await until('it has failed', async () => (await campaignOf(account, id)).failed_count >= 1);
      expect(await campaignOf(account, id)).toMatchObject({ failed_count: 1 });
    });
  });

  it.each([
    ['phone', 131042, {}],
    ['phone', 100, { subcode: 33 }],
    ['template', 132015, {}],
    ['category', 131063, {}],
  ])('ends with all running campaigns of its %s when a single message meets %i %j', async (_stopped, code, more) => {
    await slowDown({ category: 'MARKETING' });
    const ids = [await start(), await start()];
    await until('both are under way', async () => (await ledger()).length > 5);
    await world.simulator.behave({ error: { code, rate: 1, ...more } });
    const single = { contact_phone: uniquePhone(), template_name: template.name };
    await account.api.post('/api/v1/messages/send', single);
    await world.simulator.behave({ error: null });
    for (const id of ids) {
      const { failure_reason } = await untilCampaign(account, id, 'failed');
      expect(failure_reason).toMatch(new RegExp(`\\(${code}\\b.*\\)\\. Resume the campaign `));
    }
  });

  it('goes on when a report is about a message from before it began', async () => {
    const { body } = await account.api.post<{ message_id: string }>('/api/v1/messages/send', {
      contact_phone: uniquePhone(),
      template_name: template.name,
    });
    const [sent] = await ledger();
    const id = await start(40);
    const failed = { id: String(sent?.id), biz_opaque_callback_data: body.message_id, status: 'failed' };
    const errors = [{ code: 131042, title: 'Payment' }];
    expect(await report(world, account.phone.phoneNumberId, { ...failed, errors })).toBe(200);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 40, failed_count: 0 });
  });

  it('ends when reports say that the network drops what it paced (135000), although it is our fault in an answer', async () => {
    await slowDown();
    const id = await start();
    const [first] = await until('it is under way', async () => {
      const rows = await ledger();
      return rows.length > 2 && rows;
    });
    await untilAccepted(account, first);
    const errors = [{ code: 135000, title: 'Generic user error' }];
    expect(await report(world, account.phone.phoneNumberId, { id: String(first?.id), status: 'failed', errors })).toBe(
      200,
    );
    const { failure_reason } = await untilCampaign(account, id, 'failed');
    expect(failure_reason).toContain('135000');
    // The network dropped it: it was never our fault.
    const dropped = async () => (await recipientsOf(account, id)).find(({ error_code }) => error_code === 135000);
    expect(await dropped()).toMatchObject({ status: 'failed', retryable: true });
    await hurry(world, account);
    expect((await act(account, id, 'resume')).status).toBe(200);
    await untilCampaign(account, id, 'completed');
    expect((await act(account, id, 'retry-failed', { error_codes: [135000] })).status).toBe(200);
    await untilCampaign(account, id, 'completed');
    expect((await ledger()).filter(({ to }) => to === first?.to)).toHaveLength(2);
    expect(await campaignOf(account, id)).toMatchObject({ sent_count: RECIPIENTS, failed_count: 0 });
  });

  it.each(['campaign', 'message'])(
    'withdraws its template by a late report about a %s, when nothing runs any more',
    async (what) => {
      const isSingle = what === 'message';
      const contact_phone = uniquePhone();
      if (isSingle) await account.api.post('/api/v1/messages/send', { contact_phone, template_name: template.name });
      else await untilCampaign(account, await start(1), 'completed');
      const [entry] = await until('it was sent', async () => {
        const rows = await ledger();
        return rows.length > 0 && rows;
      });
      await untilAccepted(account, entry);
      const errors = [{ code: 132015, title: 'Template is Paused' }];
      expect(
        await report(world, account.phone.phoneNumberId, { id: String(entry?.id), status: 'failed', errors }),
      ).toBe(200);
      await until('the template is not approved any more', async () => {
        const { body } = await account.api.get<{ template: { status: string } }>(`/api/v1/templates/${template.id}`);
        return body.template.status !== 'APPROVED';
      });
    },
  );

  it('ends again when a report is about somebody who was put back at the stop before', async () => {
    await slowDown();
    await world.simulator.behave({ error: { code: 131042, rate: 1 } });
    const id = await start(50);
    await untilCampaign(account, id, 'failed');
    await untilBalance(CREDITS);
    const kept = (await recipientsOf(account, id)).flatMap(({ message_id }) => message_id ?? []);
    expect(kept).not.toEqual([]);
    await world.simulator.behave({ error: null });
    expect((await act(account, id, 'resume')).status).toBe(200);
    const entry = await until('one of them is sent to', async () =>
      (await ledger()).find(({ biz_opaque_callback_data: own }) => kept.includes(String(own))),
    );
    await untilAccepted(account, entry);
    const errors = [{ code: 131042, title: 'Payment' }];
    expect(await report(world, account.phone.phoneNumberId, { id: entry.id, status: 'failed', errors })).toBe(200);
    await untilCampaign(account, id, 'failed');
  });
});
