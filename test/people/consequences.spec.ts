import { draft, started, untilCampaign } from '../campaigns/campaigns.js';
import { deliver } from '../inbound/inbound.js';
import { recordOf, SEND, SEND_MESSAGE } from '../messages/messages.js';
import type { LedgerEntry } from '../support/simulator-control.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { CONTACTS, mexicanPhone } from './merging.js';

interface Contact {
  readonly id: string;
  readonly phone_number: string;
  readonly opted_in: boolean;
  readonly user_id?: string;
}

/** A message that went out, and its campaign if it has one. */
interface Sent {
  readonly entry: LedgerEntry;
  readonly campaignId: string | null;
}

// Whatever an answer, a report or a message of the network causes is the same, however the message was sent.

let world: World;
let account: TestAccount;
let template: { name: string };
let marketing: { name: string };
/** As the account knows it. */
let ours: string;
/** As the network knows it. */
let theirs: string;

beforeAll(async () => {
  world = await World.start();
  await world.simulator.behave({ statuses: [], wa_id_rules: ['MX'] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  await world.simulator.behave({ statuses: [] });
  template = await approvedTemplate(world, account, {
    buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
    body: { text: 'News for you' },
  });
  marketing = await approvedTemplate(world, account, { category: 'MARKETING', body: { text: 'Sale' } });
  ours = mexicanPhone();
  theirs = ours.replace(/^52/, '521');
});

const contacts = async (): Promise<Contact[]> =>
  (await account.api.get<{ contacts: Contact[] }>(CONTACTS)).body.contacts;
const create = async (phone_number: string): Promise<Contact> => {
  const { body, status, text } = await account.api.post<{ contact: Contact }>(CONTACTS, {
    phone_number,
    first_name: 'Ada',
  });
  if (status !== 201) throw new Error(text);
  return body.contact;
};
const ledger = () => world.simulator.ledger(account.phone.phoneNumberId);
const lastSent = async (): Promise<LedgerEntry> => {
  const entry = (await ledger()).at(-1);
  if (entry === undefined) throw new Error('nothing was sent');
  return entry;
};
const say = (text: string, from: string) =>
  world.simulator.inbound({ phone_number_id: account.phone.phoneNumberId, from, type: 'text', text });
const report = ({ entry }: Sent, more: Record<string, unknown>) =>
  deliver(world, account.phone, {
    statuses: [{ id: entry.id, biz_opaque_callback_data: entry.biz_opaque_callback_data, status: 'sent', ...more }],
  });
/** The number that a message to this contact goes to. */
const addressOf = async (phone: string): Promise<string> => {
  const { status, text } = await account.api.post(SEND, { template_name: template.name, contact_phone: phone });
  if (status !== 200) throw new Error(text);
  return (await lastSent()).to;
};
const repliesTo = async (campaignId: string): Promise<unknown> =>
  (await account.api.get<{ campaign: { replied_count: number } }>(`/api/v1/campaigns/${campaignId}`)).body.campaign
    .replied_count;

const single = async (to: string): Promise<Sent> => {
  await addressOf(to);
  return { entry: await lastSent(), campaignId: null };
};
const campaign = async (to: string): Promise<Sent> => {
  const campaignId = await started(account, template.name, [to]);
  await untilCampaign(account, campaignId, 'completed');
  return { entry: await lastSent(), campaignId };
};
const automaticReply = async (to: string): Promise<Sent> => {
  await world.unitOfWork.autocommit.affected("UPDATE organisations SET auto_reply = 'Welcome' WHERE id = $1", [
    account.organisationId,
  ]);
  const before = (await ledger()).length;
  // The message comes without the network's spelling, so that only the answer tells it.
  await deliver(world, account.phone, {
    messages: [{ from: to, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'Hello' } }],
  });
  await until('the reply is sent', async () => (await ledger()).length > before);
  const entry = await lastSent();
  await until('the network’s answer is stored', async () => {
    return (await recordOf(account, entry.biz_opaque_callback_data)).network_message_id === entry.id;
  });
  return { entry, campaignId: null };
};

describe.each([
  ['a single send', single],
  ['a campaign', campaign],
  ['an automatic reply', automaticReply],
])('what the network says about %s', (_, send) => {
  it('teaches another spelling, to which the next message goes', async () => {
    await send(ours);
    await until('the spelling is learned', async () => (await addressOf(ours)) === theirs);
    expect(await contacts()).toMatchObject([{ phone_number: ours }]);
  });

  it('teaches a number that is no spelling of ours, and makes one person’s contacts one', async () => {
    const [phone, other] = [uniquePhone(), uniquePhone()];
    await world.simulator.person({ number: phone, wa_id: other });
    const older = await create(other);
    await send(phone);
    await until('the contacts are one', async () => (await contacts()).length === 1);
    expect(await contacts()).toMatchObject([{ id: older.id, phone_number: other }]);
    await say('Hello', other);
    expect(await contacts()).toHaveLength(1);
    expect((await account.api.post(CONTACTS, { phone_number: phone, first_name: 'Ada' })).status).toBe(409);
  });

  it('teaches spelling and user id by a report', async () => {
    const [phone, other, userId] = [uniquePhone(), uniquePhone(), `DE.${uniqueDigits()}`];
    const sent = await send(phone);
    await report(sent, { recipient_id: other, recipient_user_id: userId });
    await until('the user id is learned', async () => (await contacts())[0]?.user_id === userId);
    await say('Hello', other);
    expect(await contacts()).toMatchObject([{ phone_number: phone }]);
    expect(await addressOf(phone)).toBe(other);
  });

  it('makes the contact of a user id and the recipient one', async () => {
    const [phone, userId] = [uniquePhone(), `DE.${uniqueDigits()}`];
    await deliver(world, account.phone, {
      contacts: [{ user_id: userId }],
      messages: [{ from_user_id: userId, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'STOP' } }],
    });
    await report(await send(phone), { recipient_id: phone, recipient_user_id: userId });
    await until('the contacts are one', async () => (await contacts()).length === 1);
    expect(await contacts()).toMatchObject([{ phone_number: phone, user_id: userId, opted_in: false }]);
  });

  it('opts somebody out who does not want marketing', async () => {
    const phone = uniquePhone();
    await report(await send(phone), { status: 'failed', errors: [{ code: 131050, title: 'opted out' }] });
    await until('they are opted out', async () => (await contacts())[0]?.opted_in === false);
  });

  it('is answered from the network’s spelling: a reply in an open window, counted once', async () => {
    const { campaignId } = await send(ours);
    await say('Hello', theirs);
    expect(await contacts()).toHaveLength(1);
    const { status } = await account.api.post(SEND_MESSAGE, {
      contact_phone: ours,
      message_type: 'text',
      message: 'Hi',
    });
    expect(status).toBe(200);
    if (campaignId !== null) expect(await repliesTo(campaignId)).toBe(1);
  });

  it('is quoted and tapped from the network’s spelling', async () => {
    const { entry, campaignId } = await send(ours);
    await world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from: theirs,
      type: 'button',
      text: 'More',
      payload: 'More',
      context_id: entry.id,
    });
    expect((await recordOf(account, entry.biz_opaque_callback_data)).status).toBe('clicked');
    if (campaignId !== null) expect(await repliesTo(campaignId)).toBe(1);
  });

  it('is answered with STOP from the network’s spelling: no marketing by any spelling', async () => {
    await send(ours);
    await say('STOP', theirs);
    expect(await contacts()).toMatchObject([{ phone_number: ours, opted_in: false }]);
    const before = (await ledger()).length;
    const body = { template_name: marketing.name };
    expect((await account.api.post(SEND, { ...body, contact_phone: ours })).status).toBe(400);
    expect((await account.api.post(SEND, { ...body, contact_phone: theirs })).status).toBe(400);
    const id = await draft(account, marketing.name, [theirs, ours]);
    const { status } = await account.api.post(`/api/v1/campaigns/${id}/send`);
    if (status === 202) await untilCampaign(account, id, 'completed');
    expect(await ledger()).toHaveLength(before);
  });
});
