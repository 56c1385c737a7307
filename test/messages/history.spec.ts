import { newRecordId } from '../../src/values/record-id.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { type SentCampaign, sendCampaign } from './campaign-messages.js';
import {
  ISO,
  type MessageRecord,
  openWindow,
  report,
  SEND,
  SEND_MESSAGE,
  secondsAgo,
  UUID,
  untilStatus,
} from './messages.js';

interface List {
  readonly status: string;
  readonly messages: readonly MessageRecord[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

const LIST = '/api/v1/messages/';

describe('message history', () => {
  let world: World;
  let account: TestAccount;
  let campaign: SentCampaign;
  let templateName: string;
  const contact = uniquePhone();
  const writtenAt = secondsAgo(30);
  /** In order of creation. */
  let inboundId: string;
  let textId: string;
  let templateId: string;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
    account = await world.account({ phones: 2 });
    inboundId = await openWindow(world, account.phone, contact, {
      name: 'Ada Lindgrove',
      text: 'Hi',
      timestamp: writtenAt,
    });
    const fields = { contact_phone: contact, message_type: 'text', message: 'Hello' };
    textId = String((await account.api.post(SEND_MESSAGE, fields)).body['message_id']);
    templateName = (await approvedTemplate(world, account, { body: { text: 'Order {{1}}' } })).name;
    const sent = await account.api.post(SEND, {
      template_name: templateName,
      contact_phone: contact,
      body_data: { '1': 'A-17' },
      waba_phone_id: account.phones[1]?.id,
    });
    templateId = String(sent.body['message_id']);
    campaign = await sendCampaign(world, account, [contact, uniquePhone()]);
  });
  afterAll(() => world.stop());

  const list = async (query = '', from = account): Promise<List> => {
    const { status, body, text } = await from.api.get<List>(LIST + query);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const ids = async (query: string): Promise<string[]> =>
    (await list(query)).messages.map(({ message_id }) => message_id);

  describe('has a record of each message with exactly the documented fields', () => {
    const get = async (id: unknown) => (await account.api.get(`${LIST}${String(id)}`)).body;

    it('for a received one', async () => {
      const [record] = (await list('?direction=in')).messages;
      expect(await get(record?.message_id)).toEqual({
        status: 'success',
        message_record: {
          message_id: expect.stringMatching(UUID),
          direction: 'in',
          contact_id: expect.stringMatching(UUID),
          contact_phone: contact,
          contact_name: 'Ada Lindgrove',
          waba_phone_id: account.phone.id,
          message_type: 'text',
          content: 'Hi',
          reactions: [],
          template_name: null,
          campaign_id: null,
          campaign_name: null,
          status: 'received',
          network_message_id: inboundId,
          error_code: null,
          error_message: null,
          pricing: null,
          timeline: [{ status: 'received', at: new Date(writtenAt * 1000).toISOString() }],
          created_at: new Date(writtenAt * 1000).toISOString(),
        },
      });
    });

    it('for a sent one, with its timeline', async () => {
      const [entry] = (await world.simulator.ledger(String(account.phones[1]?.phoneNumberId))).slice(-1);
      expect(await get(templateId)).toEqual({
        status: 'success',
        message_record: {
          message_id: templateId,
          direction: 'out',
          contact_id: expect.stringMatching(UUID),
          contact_phone: contact,
          contact_name: 'Ada Lindgrove',
          waba_phone_id: account.phones[1]?.id,
          message_type: 'template',
          content: 'Order A-17',
          rendered: { header: null, body: 'Order A-17', footer: null, buttons: [] },
          reactions: [],
          template_name: templateName,
          campaign_id: null,
          campaign_name: null,
          status: 'sent',
          network_message_id: entry?.id,
          error_code: null,
          error_message: null,
          pricing: null,
          timeline: [
            { status: 'pending', at: expect.stringMatching(ISO) },
            { status: 'accepted', at: expect.stringMatching(ISO) },
            { status: 'sent', at: expect.stringMatching(ISO) },
          ],
          created_at: expect.stringMatching(ISO),
        },
      });
    });

    it('for one that climbs the whole ladder within seconds, with its timeline in order', async () => {
      await world.simulator.behave({ statuses: ['sent', 'delivered', 'read'], status_delay_ms: 0 });
      const other = await world.account();
      const { name: template_name } = await approvedTemplate(world, other);
      const { body } = await other.api.post(SEND, { template_name, contact_phone: uniquePhone() });
      await untilStatus(other, body['message_id'], 'read');
      // The network guarantees no order: an earlier status may be reported later.
      const timeline = await until('all five steps are known', async () => {
        const { body: found } = await other.api.get<{ message_record: { timeline: { status: string; at: string }[] } }>(
          `/api/v1/messages/${body['message_id']}`,
        );
        return found.message_record.timeline.length === 5 ? found.message_record.timeline : null;
      });
      await world.simulator.behave({ statuses: [] });
      expect(timeline.map(({ status }) => status)).toEqual(['pending', 'accepted', 'sent', 'delivered', 'read']);
      const times = timeline.map(({ at }) => at);
      expect(times).toEqual(times.toSorted());
    });

    it('for one of a campaign, and for a failed one', async () => {
      const [message] = campaign.messages;
      const errors = [{ code: 131026, title: 'x', error_data: { details: 'Gone.' } }];
      await report(world, account.phone.phoneNumberId, { id: String(message?.networkId), status: 'failed', errors });
      expect(await get(message?.id)).toMatchObject({
        message_record: {
          campaign_id: campaign.id,
          campaign_name: campaign.name,
          status: 'failed',
          error_code: 131026,
          error_message: expect.stringMatching(/cannot be delivered.*Gone/),
          timeline: expect.arrayContaining([{ status: 'failed', at: expect.stringMatching(ISO) }]),
        },
      });
    });
  });

  describe('lists messages, newest first', () => {
    it('with total, page and limit', async () => {
      const { status, messages, total, page, limit } = await list();
      expect({ status, total, page, limit }).toEqual({ status: 'success', total: 5, page: 1, limit: 20 });
      expect(messages.slice(2).map(({ content }) => content)).toEqual(['Order A-17', 'Hello', 'Hi']);
      expect(messages[4]).toEqual((await account.api.get(`${LIST}${messages[4]?.message_id}`)).body['message_record']);
    });

    it('page by page, without gaps or repetitions', async () => {
      const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?limit=2&page=${page}`)));
      expect(pages.map(({ messages }) => messages.length)).toEqual([2, 2, 1, 0]);
      const paged = pages.flatMap(({ messages }) => messages.map(({ message_id }) => message_id));
      expect(paged).toEqual(await ids('?limit=100'));
      expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
    });

    it('filtered by contact, campaign, direction and status, alone or combined', async () => {
      expect(await ids(`?contact_phone=${contact}`)).toHaveLength(4);
      expect((await ids(`?campaign_id=${campaign.id}`)).sort()).toEqual(campaign.messages.map(({ id }) => id).sort());
      expect(await ids('?direction=in')).toHaveLength(1);
      expect(await ids('?direction=out')).toHaveLength(4);
      expect(await ids('?status=received')).toEqual(await ids('?direction=in'));
      const [first] = campaign.messages;
      const filter = `contact_phone=${first?.contact}&campaign_id=${campaign.id}&direction=out&status=failed`;
      expect(await ids(`?${filter}`)).toEqual([first?.id]);
      expect(await ids(`?contact_phone=${first?.contact}&status=read`)).toEqual([]);
    });

    it('none for an unknown contact or campaign', async () => {
      expect(await list(`?contact_phone=${uniquePhone()}`)).toMatchObject({ messages: [], total: 0 });
      expect(await list(`?campaign_id=${newRecordId()}`)).toMatchObject({ messages: [], total: 0 });
    });

    it.each([
      ['?page=0', /^page must be/],
      ['?limit=101', /^limit must be a whole number from 1 to 100 \(got 101\)/],
      ['?limit=x', /^limit must be/],
      ['?contact_phone=%2B49', /^contact_phone must be 7 to 15 digits/],
      ['?campaign_id=7', /^campaign_id must be an id/],
      ['?direction=both', /^direction must be one of in, out \(got both\)/],
      ['?status=lost', /^status must be one of pending, /],
    ])('but not for %s (400)', async (query, message) => {
      const { status, body } = await account.api.get(LIST + query);
      expect([status, body]).toEqual([400, { error: 'bad_request', message: expect.stringMatching(message) }]);
    });
  });

  describe('belongs to its account', () => {
    it('another account’s message is 404, like an unknown id', async () => {
      const other = await world.account();
      const known = await other.api.get(`${LIST}${textId}`);
      const id = newRecordId();
      const unknown = await other.api.get(`${LIST}${id}`);
      expect([known.status, known.body]).toEqual([404, { error: 'not_found', message: `message ${textId} not found` }]);
      expect([unknown.status, unknown.body]).toEqual([404, { error: 'not_found', message: `message ${id} not found` }]);
      expect(await list('', other)).toMatchObject({ messages: [], total: 0 });
      expect(await list(`?contact_phone=${contact}`, other)).toMatchObject({ total: 0 });
      expect(await list(`?campaign_id=${campaign.id}`, other)).toMatchObject({ total: 0 });
    });

    it('a malformed id is 400', async () => {
      expect((await account.api.get(`${LIST}${textId.toUpperCase()}`)).status).toBe(400);
      expect((await account.api.get(`${LIST}12`)).status).toBe(400);
    });

    it('and requires only messages:read', async () => {
      const blind = await world.account({ scopes: ['messages:write'] });
      expect((await blind.api.get(LIST)).status).toBe(403);
      expect((await blind.api.get(`${LIST}${textId}`)).status).toBe(403);
    });
  });

  describe('is listed per conversation', () => {
    const thread = async (phone: string, query = '', from = account) => {
      const { status, body } = await from.api.get<List>(`/api/v1/conversations/${phone}/messages${query}`);
      return { status, body };
    };

    it('with the same records, newest first, for all business phones or one', async () => {
      const { status, body } = await thread(contact, '?limit=2');
      expect(status).toBe(200);
      expect(body).toEqual(await list(`?contact_phone=${contact}&limit=2`));
      const { body: second } = await thread(contact, `?waba_phone_id=${account.phones[1]?.id}`);
      expect(second.messages.map(({ message_id }) => message_id)).toEqual([templateId]);
    });

    it('empty for an unknown contact or one of another account', async () => {
      expect((await thread(uniquePhone())).body).toMatchObject({ messages: [], total: 0 });
      expect((await thread(contact, '', await world.account())).body).toMatchObject({ messages: [], total: 0 });
    });

    it('but not for a malformed phone (400) or a foreign business phone (403)', async () => {
      expect((await thread('+4915112345678')).status).toBe(400);
      expect((await thread(contact, '?waba_phone_id=1')).status).toBe(400);
      expect((await thread(contact, `?waba_phone_id=${newRecordId()}`)).status).toBe(403);
      expect((await thread(contact, `?waba_phone_id=${(await world.account()).phone.id}`)).status).toBe(403);
    });
  });
});
