import { countersOf, type SentCampaign, sendCampaign } from '../messages/campaign-messages.js';
import {
  eventsOf,
  NAIVE,
  naive,
  openWindow,
  recordOf,
  report,
  SEND_MESSAGE,
  secondsAgo,
  untilStatus,
} from '../messages/messages.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, type TestPhone, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { receivedBy } from './inbound.js';

const QUICK_REPLIES = {
  buttons: [
    { type: 'QUICK_REPLY', text: 'Yes' },
    { type: 'QUICK_REPLY', text: 'No' },
  ],
};

describe('a reply', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;
  let campaign: SentCampaign;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.simulator.behave({ statuses: [], status_delay_ms: 10 });
    account = await world.account({ phones: 2 });
    contact = uniquePhone();
  });

  const write = (more: Record<string, unknown> = {}, phone: TestPhone = account.phone) =>
    openWindow(world, phone, contact, more);
  const eventsOfKind = async (kind: string) => (await eventsOf(world, account)).filter(({ event }) => event === kind);
  const wasReply = async () =>
    (await eventsOfKind('message.received')).map(({ message }) => (message as { is_reply: boolean }).is_reply);
  /** Sends a free-form message; returns both its ids. */
  async function sentText(): Promise<{ id: string; networkId: string }> {
    const fields = { contact_phone: contact, message_type: 'text', message: 'Hello' };
    const { body } = await account.api.post(SEND_MESSAGE, fields);
    const { network_message_id } = await recordOf(account, body['message_id']);
    return { id: String(body['message_id']), networkId: String(network_message_id) };
  }
  const campaignTo = async (...contacts: string[]): Promise<string> => {
    campaign = await sendCampaign(world, account, contacts, QUICK_REPLIES);
    return String(campaign.messages[0]?.networkId);
  };

  describe('that quotes one of our messages', () => {
    it('emits message.reply with exactly the documented fields alongside message.received', async () => {
      await write({ name: 'Ada Lindgrove' });
      const original = await sentText();
      const timestamp = secondsAgo(0);
      await write({ text: 'Thanks', context_id: original.networkId, timestamp });
      const [, received] = await receivedBy(account);
      const { timeline } = await recordOf(account, original.id);
      const sentAt = timeline.find(({ status }) => status === 'sent')?.at;
      expect(await eventsOfKind('message.reply')).toEqual([
        {
          event: 'message.reply',
          timestamp: expect.stringMatching(NAIVE),
          campaign_id: null,
          campaign_name: null,
          original_message: {
            message_id: original.id,
            contact_phone: contact,
            contact_name: 'Ada Lindgrove',
            sent_at: String(sentAt).replace('Z', ''),
          },
          reply: {
            message_id: received?.message_id,
            contact_phone: contact,
            contact_name: 'Ada Lindgrove',
            content: 'Thanks',
            message_type: 'text',
            context: {
              message_id: original.id,
              forwarded: false,
              frequently_forwarded: false,
              referred_product: null,
            },
            timestamp: naive(timestamp * 1000),
          },
        },
      ]);
      expect(await wasReply()).toEqual([false, true]);
    });

    it('counts however late it arrives, and for every type that can quote', async () => {
      await write();
      const { networkId } = await sentText();
      for (const fields of [
        { type: 'image', text: undefined },
        { type: 'reaction', text: undefined, emoji: '👍' },
        { type: 'text' },
      ]) {
        await write({ ...fields, context_id: networkId, timestamp: secondsAgo(-1) });
      }
      expect(await wasReply()).toEqual([false, true, true, true]);
    });

    it('does not count for another contact’s message, an inbound one or an unknown one', async () => {
      const inboundId = await write();
      const { networkId } = await sentText();
      await write({ context_id: inboundId });
      await write({ context_id: 'wamid.unknown' });
      contact = uniquePhone();
      await write({ context_id: networkId });
      expect(await wasReply()).toEqual([false, false, false, false]);
      expect(await eventsOfKind('message.reply')).toEqual([]);
    });

    it('of a campaign carries campaign_id and campaign_name, and counts its recipient once', async () => {
      const networkId = await campaignTo(contact);
      await write({ context_id: networkId });
      await write({ context_id: networkId });
      expect(await eventsOfKind('message.reply')).toMatchObject([
        {
          campaign_id: campaign.id,
          campaign_name: campaign.name,
          original_message: { message_id: campaign.messages[0]?.id },
        },
        { campaign_id: campaign.id },
      ]);
      expect(await countersOf(account, campaign.id)).toMatchObject({ replied_count: 1, clicked_count: 0 });
    });
  });

  describe('to a campaign message without quoting it', () => {
    it('is the first inbound message within 24 hours, and not the second', async () => {
      await campaignTo(contact);
      await write({ text: 'First' });
      await write({ text: 'Second' });
      expect(await wasReply()).toEqual([true, false]);
      expect(await eventsOfKind('message.reply')).toMatchObject([
        { campaign_id: campaign.id, reply: { content: 'First' } },
      ]);
      expect(await countersOf(account, campaign.id)).toMatchObject({ replied_count: 1 });
    });

    it('is one of several that arrive concurrently', async () => {
      await campaignTo(contact);
      await Promise.all(Array.from({ length: 8 }, () => write()));
      expect((await wasReply()).filter((isReply) => isReply)).toHaveLength(1);
    });

    it('counts even if the contact wrote earlier in the same second', async () => {
      await write({ text: 'Before' });
      await campaignTo(contact);
      await write({ text: 'After' });
      expect(await wasReply()).toEqual([false, true]);
    });

    it('counts once, for the latest campaign', async () => {
      await campaignTo(contact);
      const first = campaign;
      await campaignTo(contact);
      await write();
      await write();
      expect(await eventsOfKind('message.reply')).toMatchObject([{ campaign_id: campaign.id }]);
      expect(await countersOf(account, first.id)).toMatchObject({ replied_count: 0 });
    });

    it('counts when the message has only a read report', async () => {
      contact = `491${uniqueDigits().slice(-5)}9990007`;
      await world.simulator.behave({ statuses: ['read'] });
      await campaignTo(contact);
      await untilStatus(account, campaign.messages[0]?.id, 'read');
      await write();
      expect(await wasReply()).toEqual([true]);
    });

    it('does not count before the campaign, after 24 hours, to another phone or after a single message', async () => {
      await campaignTo(contact);
      await write({ timestamp: secondsAgo(3600) });
      await write({}, account.phones[1]);
      expect(await wasReply()).toEqual([false, false]);
      await world.unitOfWork.autocommit.affected(
        "UPDATE messages SET created_at = now() - interval '25 hours' WHERE account_id = $1",
        [account.accountId],
      );
      await write();
      await sentText();
      await write();
      expect(await wasReply()).toEqual([false, false, false, false]);
    });

    it('is the first by time when several arrive days late', async () => {
      await campaignTo(contact);
      await world.unitOfWork.autocommit.affected(
        `UPDATE messages SET created_at = now() - interval '40 hours',
                             id = (left(record_id_bound(now() - interval '40 hours')::text, 13) || substr(id::text, 14))::uuid
         WHERE account_id = $1`,
        [account.accountId],
      );
      await write({ timestamp: secondsAgo(39 * 3600) });
      await write({ timestamp: secondsAgo(38 * 3600) });
      expect(await wasReply()).toEqual([true, false]);
      expect(await countersOf(account, campaign.id)).toMatchObject({ replied_count: 1 });
    });

    it('is not a network notice, which does not count as the first message either', async () => {
      await campaignTo(contact);
      await write({ type: 'system', text: undefined });
      await write();
      await write();
      expect(await wasReply()).toEqual([false, true, false]);
    });
  });

  describe('that taps a button', () => {
    it('of a template emits button.clicked, marks the message clicked and counts as click and reply', async () => {
      const networkId = await campaignTo(contact);
      await write({ type: 'button', payload: 'said-yes', text: 'Yes', context_id: networkId });
      const [message] = campaign.messages;
      expect(await eventsOfKind('button.clicked')).toEqual([
        {
          event: 'button.clicked',
          timestamp: expect.stringMatching(NAIVE),
          campaign_id: campaign.id,
          campaign_name: campaign.name,
          message: {
            message_id: message?.id,
            contact_phone: contact,
            contact_name: expect.stringMatching(/^User #\d{6}$/),
          },
          button: { id: 'said-yes', text: 'Yes', type: 'quick_reply' },
        },
      ]);
      expect(await eventsOfKind('message.reply')).toHaveLength(1);
      const record = await recordOf(account, message?.id);
      expect(record.status).toBe('clicked');
      expect(record.timeline.map(({ status }) => status)).toContain('clicked');
      expect(await countersOf(account, campaign.id)).toEqual({
        sent_count: 1,
        delivered_count: 1,
        read_count: 1,
        clicked_count: 1,
        failed_count: 0,
        replied_count: 1,
      });
    });

    it('twice emits twice and counts once', async () => {
      const networkId = await campaignTo(contact);
      for (const text of ['Yes', 'No']) await write({ type: 'button', text, payload: text, context_id: networkId });
      expect(await eventsOfKind('button.clicked')).toMatchObject([
        { button: { text: 'Yes' } },
        { button: { text: 'No' } },
      ]);
      expect(await countersOf(account, campaign.id)).toMatchObject({ clicked_count: 1, replied_count: 1 });
    });

    it('of a free-form message echoes its id', async () => {
      await write();
      const buttons = { type: 'reply', reply_buttons: [{ id: 'slot-1', title: 'Monday' }] };
      const fields = { contact_phone: contact, message_type: 'text', message: 'When?', buttons };
      const { body } = await account.api.post(SEND_MESSAGE, fields);
      const { network_message_id: context_id } = await recordOf(account, body['message_id']);
      await write({ type: 'button_reply', button_id: 'slot-1', title: 'Monday', text: undefined, context_id });
      expect(await eventsOfKind('button.clicked')).toMatchObject([
        { campaign_id: null, campaign_name: null, button: { id: 'slot-1', text: 'Monday', type: 'quick_reply' } },
      ]);
      expect(await eventsOfKind('message.reply')).toMatchObject([
        { reply: { content: 'Monday', message_type: 'button_reply' } },
      ]);
      expect(await recordOf(account, body['message_id'])).toMatchObject({ status: 'clicked' });
    });

    it('of an unknown message does not count as a click on the previous campaign message', async () => {
      await campaignTo(contact);
      await write({ type: 'button', text: 'Yes', payload: 'Yes', context_id: 'wamid.unknown' });
      expect(await eventsOfKind('button.clicked')).toEqual([]);
      expect(await recordOf(account, campaign.messages[0]?.id)).toMatchObject({ status: 'sent' });
      expect(await countersOf(account, campaign.id)).toMatchObject({ clicked_count: 0, replied_count: 1 });
    });

    it('counts and emits once when delivered twice', async () => {
      const networkId = await campaignTo(contact);
      const tap = { type: 'button', text: 'Yes', payload: 'Yes', context_id: networkId, id: `wamid.${uniqueDigits()}` };
      await Promise.all([write(tap), write(tap), write(tap)]);
      await write(tap);
      const kinds = ['message.received', 'message.reply', 'button.clicked'];
      for (const kind of kinds) expect(await eventsOfKind(kind)).toHaveLength(1);
      expect(await countersOf(account, campaign.id)).toMatchObject({ clicked_count: 1, replied_count: 1 });
    });

    it('of a message whose answer was lost marks it clicked once a report identifies it', async () => {
      await write();
      contact = `491${uniqueDigits().slice(-5)}9990008`;
      await write();
      const fields = { contact_phone: contact, message_type: 'text', message: 'When?' };
      const { status, headers } = await account.api.post(SEND_MESSAGE, fields);
      expect(status).toBe(504);
      const id = headers.get('x-message-id');
      const [accepted] = (await world.simulator.ledger(account.phone.phoneNumberId)).slice(-1);
      await report(world, account.phone.phoneNumberId, {
        id: String(accepted?.id),
        status: 'sent',
        biz_opaque_callback_data: String(id),
      });
      await write({ type: 'button_reply', button_id: 'a', title: 'A', text: undefined, context_id: accepted?.id });
      expect(await recordOf(account, id)).toMatchObject({ status: 'clicked' });
    });

    it('of a message we did not send is only received', async () => {
      await write({ type: 'button', text: 'Yes', payload: 'Yes', context_id: 'wamid.unknown' });
      expect((await eventsOf(world, account)).map(({ event }) => event)).toEqual(['message.received']);
    });
  });

  it.each([
    ['9990004', 'message.reply', { replied_count: 1, clicked_count: 0 }],
    ['9990005', 'button.clicked', { replied_count: 1, clicked_count: 1 }],
  ])('of the simulator’s %s arrives as %s', async (ending, kind, counters) => {
    await world.simulator.behave({ statuses: ['sent', 'delivered', 'read'] });
    contact = `491${uniqueDigits().slice(-5)}${ending}`;
    await campaignTo(contact);
    await untilStatus(account, campaign.messages[0]?.id, ending === '9990005' ? 'clicked' : 'read');
    const events = await until('it has arrived', async () => {
      const found = await eventsOfKind(kind);
      return found.length > 0 && found;
    });
    expect(events).toMatchObject([{ campaign_id: campaign.id }]);
    await eventually(async () => expect(await countersOf(account, campaign.id)).toMatchObject(counters));
  });
});
