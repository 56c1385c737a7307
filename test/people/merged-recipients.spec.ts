import {
  act,
  balanceOf,
  campaignOf,
  draft,
  expectBooksBalanced,
  pathOf,
  recipientsOf,
  refusedPhone,
  untilCampaign,
} from '../campaigns/campaigns.js';
import { deliver } from '../inbound/inbound.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { CONTACTS, createContact, holdAnswers, lookForStragglers, merge, rowsOf, untilMoved } from './merging.js';

const CREDITS = 100;

let world: World;
let account: TestAccount;
let template: string;
beforeAll(async () => {
  world = await World.start();
  await world.simulator.behave({ statuses: [] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account({ credits: CREDITS });
  template = (await approvedTemplate(world, account)).name;
});
afterEach(() => world.simulator.behave({ error: null }));

const two = async () => [await createContact(account), await createContact(account)] as const;
const sentTo = async (): Promise<string[]> =>
  (await world.simulator.ledger(account.phone.phoneNumberId)).map(({ to }) => to);
const statusesOf = async (id: string) =>
  (await recipientsOf(account, id)).map(({ contact_id, status }) => [contact_id, status]);
const idOf = async (phone: string): Promise<string> => {
  const { body } = await account.api.get<{ contacts: { id: string }[] }>(`${CONTACTS}?search=${phone}`);
  return body.contacts[0]?.id ?? '';
};
const stateOf = (campaignId: string) =>
  rowsOf<{ contactId: string; state: string; messageId: string | null; creditReturned: boolean }>(
    world,
    account,
    `SELECT contact_id, state, message_id, credit_returned FROM campaign_recipients
     WHERE account_id = $1 AND campaign_id = $2 ORDER BY position`,
    campaignId,
  );

describe('a campaign with both of two contacts that are merged', () => {
  it('that is a draft is sent to the one that stays, and reserves no credit for the other', async () => {
    const [older, younger] = await two();
    const id = await draft(account, template, [younger.phone_number, older.phone_number]);
    await merge(world, account, older.id, younger.id);
    expect(await statusesOf(id)).toEqual([
      [older.id, 'cancelled'],
      [older.id, 'pending'],
    ]);
    expect(await balanceOf(world, account)).toBe(CREDITS);
    await act(account, id, 'send');
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({
      total_contacts: 2,
      sent_count: 1,
      failed_count: 0,
    });
    expect(await sentTo()).toEqual([older.phone_number]);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('that is running gives the credit back, and completes', async () => {
    const [older, younger] = await two();
    const id = await draft(account, template, [older.phone_number, younger.phone_number]);
    await world.simulator.behave({ error: { code: 131016, rate: 1 } });
    const answers = holdAnswers(world);
    try {
      await act(account, id, 'send');
      await until('both are in flight', () => answers.held >= 2);
      await act(account, id, 'pause');
    } finally {
      answers.release();
    }
    expect(await balanceOf(world, account)).toBe(CREDITS - 2);
    await until('both are provably unsent', async () => (await stateOf(id)).every(({ state }) => state === 'pending'));
    await merge(world, account, older.id, younger.id);
    await world.simulator.behave({ error: null });
    await act(account, id, 'resume');
    await untilCampaign(account, id, 'completed');
    expect(await sentTo()).toEqual([older.phone_number]);
    expect(await balanceOf(world, account)).toBe(CREDITS - 1);
    expect((await statusesOf(id)).map(([, status]) => status)).toEqual(['sent', 'cancelled']);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('that is paused before anybody was tried gives the credit back at once, once', async () => {
    const [older, younger] = await two();
    const id = await draft(account, template, [older.phone_number, younger.phone_number]);
    await rowsOf(
      world,
      account,
      "UPDATE campaigns SET status = 'running', paused = true, price = 1 WHERE account_id = $1 AND id = $2",
      id,
    );
    await rowsOf(
      world,
      account,
      `INSERT INTO wallet_entries (account_id, id, kind, amount, campaign_id) VALUES ($1, new_record_id(), 'reserve', -2, $2)`,
      id,
    );
    expect(await balanceOf(world, account)).toBe(CREDITS - 2);
    await merge(world, account, older.id, younger.id);
    await merge(world, account, younger.id, older.id);
    expect(await balanceOf(world, account)).toBe(CREDITS - 1);
    await act(account, id, 'cancel');
    expect(await balanceOf(world, account)).toBe(CREDITS);
    expect((await stateOf(id)).map(({ state, creditReturned }) => [state, creditReturned])).toEqual([
      ['cancelled', true],
      ['cancelled', true],
    ]);
  });

  it('that failed is resumed without the one that was cancelled', async () => {
    const [older, younger] = await two();
    const id = await draft(account, template, [older.phone_number, younger.phone_number]);
    await rowsOf(
      world,
      account,
      "UPDATE campaigns SET status = 'failed', price = 1, failure_reason = 'no' WHERE account_id = $1 AND id = $2",
      id,
    );
    await rowsOf(
      world,
      account,
      'UPDATE campaign_recipients SET credit_returned = true WHERE account_id = $1 AND campaign_id = $2',
      id,
    );
    await merge(world, account, older.id, younger.id);
    expect(await balanceOf(world, account)).toBe(CREDITS);
    expect((await act(account, id, 'resume')).status).toBe(200);
    await untilCampaign(account, id, 'completed');
    expect(await sentTo()).toEqual([older.phone_number]);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('that was sent to the one that goes is not sent to the one that stays', async () => {
    const [older, younger] = await two();
    const id = await draft(account, template, [younger.phone_number, older.phone_number]);
    await rowsOf(
      world,
      account,
      `UPDATE campaign_recipients SET due_at = now() + interval '1 hour'
       WHERE account_id = $1 AND campaign_id = $2 AND contact_id = $3`,
      id,
      older.id,
    );
    const answers = holdAnswers(world);
    try {
      await act(account, id, 'send');
      await until('one is in flight', () => answers.held >= 1);
      await merge(world, account, older.id, younger.id);
    } finally {
      answers.release();
    }
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 1, failed_count: 0 });
    expect(await sentTo()).toEqual([younger.phone_number]);
    expect(await statusesOf(id)).toEqual([
      [older.id, 'sent'],
      [older.id, 'cancelled'],
    ]);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('that is in flight to both, and provably fails, is tried again for the one that stays', async () => {
    const [older, younger] = await two();
    const id = await draft(account, template, [older.phone_number, younger.phone_number]);
    await world.simulator.behave({ error: { code: 131016, rate: 1 } });
    const answers = holdAnswers(world);
    try {
      await act(account, id, 'send');
      await until('both are in flight', () => answers.held >= 2);
      await merge(world, account, older.id, younger.id);
      expect((await stateOf(id)).map(({ state }) => state)).toEqual(['claimed', 'claimed']);
      await world.simulator.behave({ error: null });
    } finally {
      answers.release();
    }
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 1 });
    expect(await sentTo()).toEqual([older.phone_number]);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('that was sent to both keeps both, and counts a reply and the reports of either', async () => {
    const [older, younger] = await two();
    const id = await draft(account, template, [older.phone_number, younger.phone_number]);
    await act(account, id, 'send');
    await untilCampaign(account, id, 'completed');
    await merge(world, account, older.id, younger.id);
    await untilMoved(world, account);
    expect(await statusesOf(id)).toEqual([
      [older.id, 'sent'],
      [older.id, 'sent'],
    ]);
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    const sent = ledger.find(({ to }) => to === younger.phone_number);
    const reply = { type: 'text', text: { body: 'Yes' }, from: older.phone_number, context: { id: sent?.id } };
    await deliver(world, account.phone, { messages: [{ id: `wamid.${uniqueDigits()}`, ...reply }] });
    expect((await account.api.get(pathOf(id, '/stats'))).body).toMatchObject({ replied_count: 1 });
    const statuses = [
      {
        id: sent?.id,
        status: 'delivered',
        recipient_id: younger.phone_number,
        biz_opaque_callback_data: sent?.biz_opaque_callback_data,
      },
    ];
    await deliver(world, account.phone, { statuses });
    await until('it is counted', async () => (await campaignOf(account, id)).delivered_count === 1);
    const thread = await account.api.get(`/api/v1/conversations/${older.phone_number}/messages`);
    expect(thread.body).toMatchObject({
      total: 3,
      messages: Array(3).fill({ contact_id: older.id, contact_phone: older.phone_number }),
    });
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('that was being created meanwhile sends to the one that stays', async () => {
    const [older, younger] = await two();
    const stranger = uniquePhone();
    const id = await draft(account, template, [stranger, uniquePhone()]);
    await merge(world, account, older.id, younger.id);
    await untilMoved(world, account);
    // As a campaign leaves it that read the contact before the merge and commits after it.
    await rowsOf(
      world,
      account,
      'UPDATE campaign_recipients SET contact_id = $3 WHERE account_id = $1 AND campaign_id = $2 AND contact_id = $4',
      id,
      younger.id,
      await idOf(stranger),
    );
    await act(account, id, 'send');
    await until('the other one is sent to', async () => (await sentTo()).length >= 1);
    await lookForStragglers(world, account);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 2, failed_count: 0 });
    expect(await sentTo()).toContain(older.phone_number);
    await expectBooksBalanced(world, account, id, CREDITS);
  });

  it('that failed for the one that goes shows the one that stays', async () => {
    const older = await createContact(account);
    const refused = refusedPhone();
    const id = await draft(account, template, [uniquePhone(), refused]);
    await act(account, id, 'send');
    await untilCampaign(account, id, 'completed');
    await merge(world, account, older.id, await idOf(refused));
    expect(
      (await recipientsOf(account, id)).map(({ contact_phone, status }) => [contact_phone, status]),
    ).toContainEqual([older.phone_number, 'failed']);
    await expectBooksBalanced(world, account, id, CREDITS);
  });
});
