import type { CreateCampaignResponse } from '../../src/campaigns/dto/create-campaign.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { badRequest } from './campaigns.js';

const MAX_CONTACTS = 10_000;
/** How long the rows of a test may take to be inserted, milliseconds. */
const STATEMENT_MS = 120_000;

describe('creating a campaign', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
    template = await approvedTemplate(world, account);
  });
  afterAll(() => world.stop());

  const create = (fields: Record<string, unknown>, from = account) =>
    from.api.post<CreateCampaignResponse & { message: string }>('/api/v1/campaigns/', {
      name: 'Spring',
      template_name: template.name,
      ...fields,
    });
  const refused = async (fields: Record<string, unknown>) => {
    const { status, body } = await create(fields);
    return { status, message: body.message };
  };
  const contact = async (phone_number = uniquePhone()): Promise<{ id: string; phone_number: string }> => {
    const { body } = await account.api.post<{ contact: { id: string; phone_number: string } }>('/api/v1/contacts/', {
      phone_number,
      first_name: 'Ada',
    });
    return body.contact;
  };
  const group = async (contact_ids: readonly string[], of = account): Promise<string> => {
    const { body } = await of.api.post<{ group: { id: string } }>('/api/v1/groups/', {
      name: `Group ${newRecordId()}`,
      contact_ids,
    });
    return body.group.id;
  };
  /** Creates a group of `count` new contacts. */
  const bigGroup = async (count: number): Promise<string> => {
    const id = await group([]);
    const insert = `WITH made AS (
         INSERT INTO contacts (account_id, id, phone_number, first_name, source)
         SELECT $1, gen_random_uuid(), '4916' || $3 || lpad(n::text, 5, '0'), 'Ada', 'api' FROM generate_series(1, $4) n
         RETURNING id
       )
       INSERT INTO group_members (account_id, group_id, contact_id) SELECT $1, $2, id FROM made`;
    // So many rows may take a busy machine longer than a statement of a request may take.
    await world.unitOfWork.transaction(
      (tx) => tx.affected(insert, [account.accountId, id, uniqueDigits().slice(-4), count]),
      { statementMs: STATEMENT_MS },
    );
    return id;
  };
  /** Contact ids of a campaign's recipients, in order. */
  const recipientsOf = async (id: string): Promise<string[]> => {
    const rows = await world.unitOfWork.autocommit.rows<{ contactId: string }>(
      'SELECT contact_id FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 ORDER BY position',
      [account.accountId, id],
    );
    return rows.map(({ contactId }) => contactId);
  };
  const lines = (count: number) => Array.from({ length: count }, () => ({ phone: uniquePhone() }));

  describe('for groups', () => {
    it('takes their members, once each, instead of contacts', async () => {
      const [a, b, c] = [await contact(), await contact(), await contact()];
      const group_ids = [await group([a.id, b.id]), await group([b.id, c.id])];
      const { status, body } = await create({ group_ids });
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          status: 'success',
          message: 'Campaign created as draft for 3 contacts',
          campaign_id: expect.any(String),
          name: 'Spring',
          status_value: 'draft',
          total_contacts: 3,
          invalid_phones: [],
          timestamp: expect.any(String),
        },
      });
      expect((await recipientsOf(body.campaign_id)).sort()).toEqual([a.id, b.id, c.id].sort());
    });

    it('adds their members after the listed contacts', async () => {
      const [a, b] = [await contact(), await contact()];
      const { body } = await create({
        contacts: [{ phone: uniquePhone() }, { phone: `+${b.phone_number}` }, { phone: 'nobody' }],
        group_ids: [await group([a.id, b.id])],
      });
      expect(body).toMatchObject({ total_contacts: 3, invalid_phones: ['nobody'] });
      expect((await recipientsOf(body.campaign_id)).slice(1)).toEqual([b.id, a.id]);
    });

    it('takes the current members; later changes to a group have no effect', async () => {
      const [a, b] = [await contact(), await contact()];
      const id = await group([a.id]);
      const { body } = await create({ group_ids: [id] });
      await account.api.post(`/api/v1/groups/${id}/contacts`, { contact_ids: [b.id] });
      await account.api.delete(`/api/v1/groups/${id}`);
      expect(await recipientsOf(body.campaign_id)).toEqual([a.id]);
    });

    it('leaves out deleted members and includes those without a phone number', async () => {
      const deleted = await contact();
      const id = await group([deleted.id]);
      await account.api.delete(`/api/v1/contacts/${deleted.id}`);
      const user = `US.${uniqueDigits()}`;
      const [hidden] = await world.unitOfWork.autocommit.rows<{ id: string }>(
        `INSERT INTO contacts (account_id, id, user_id, first_name, source) VALUES ($1, $2, $3, 'Ada', 'inbound')
         RETURNING id`,
        [account.accountId, newRecordId(), user],
      );
      await account.api.post(`/api/v1/groups/${id}/contacts`, { contact_ids: [hidden?.id] });
      const { body } = await create({ group_ids: [id] });
      expect(await recipientsOf(body.campaign_id)).toEqual([hidden?.id]);
    });

    it('names unknown and foreign groups (404) before it rejects a foreign business phone (403)', async () => {
      const other = await world.account();
      const [unknown, foreign] = [newRecordId(), await group([], other)];
      const group_ids = [await group([(await contact()).id]), unknown, foreign];
      expect(await refused({ group_ids, waba_phone_id: other.phone.id })).toEqual({
        status: 404,
        message: `groups not found: ${unknown}, ${foreign}`,
      });
      expect(await refused({ group_ids: [unknown] })).toEqual({ status: 404, message: `group ${unknown} not found` });
    });

    it('names an unknown template (404) and a foreign phone (403) before it rejects times (400)', async () => {
      const other = await world.account();
      const past = { contacts: [{ phone: uniquePhone() }], send_before: '2020-01-01T00:00:00Z' };
      expect(await refused({ ...past, template_name: 'unknown' })).toMatchObject({ status: 404 });
      expect(await refused({ ...past, waba_phone_id: other.phone.id })).toMatchObject({ status: 403 });
      expect(await refused(past)).toEqual(badRequest(/^send_before must be in the future/));
    });

    it('rejects groups and contacts without any recipient (400)', async () => {
      const empty = await group([]);
      expect(await refused({ group_ids: [empty] })).toEqual(badRequest(/^the campaign has no recipients/));
      expect(await refused({ group_ids: [empty], contacts: [{ phone: '12' }] })).toEqual(
        badRequest(/^the campaign has no recipients/),
      );
    });

    it(`takes ${MAX_CONTACTS} contacts in total and rejects one more (400)`, async () => {
      const full = await bigGroup(MAX_CONTACTS);
      expect((await create({ group_ids: [full] })).body).toMatchObject({ total_contacts: MAX_CONTACTS });
      const [member] = await world.unitOfWork.autocommit.rows<{ phoneNumber: string }>(
        `SELECT phone_number FROM contacts WHERE account_id = $1 AND id IN (
           SELECT contact_id FROM group_members WHERE account_id = $1 AND group_id = $2) LIMIT 1`,
        [account.accountId, full],
      );
      const contacts = [{ phone: member?.phoneNumber }];
      expect((await create({ group_ids: [full], contacts })).body).toMatchObject({ total_contacts: MAX_CONTACTS });
      expect(await refused({ group_ids: [full], contacts: lines(1) })).toEqual(
        badRequest('contacts and group_ids must name at most 10000 different contacts together (got 10001)'),
      );
      await account.api.post(`/api/v1/groups/${full}/contacts`, { contact_ids: [(await contact()).id] });
      expect(await refused({ group_ids: [full] })).toEqual(
        badRequest('contacts and group_ids must name at most 10000 different contacts together (got more than 10000)'),
      );
    });
  });

  describe('field checks', () => {
    it.each([
      [{}, 'contacts or group_ids is required'],
      [{ contacts: null, group_ids: null }, 'contacts or group_ids is required'],
      [{ contacts: 'all' }, 'contacts must be an array of {phone, name?} (got all)'],
      [{ contacts: {} }, 'contacts must be an array of {phone, name?} (got {})'],
      // A code of one of them must not be quoted.
      [
        { contacts: '[{"body_data":{"1":"123456"}}]' },
        'contacts must be an array of {phone, name?} (got a string of JSON)',
      ],
      [{ contacts: { body_data: { '1': '123456' } } }, 'contacts must be an array of {phone, name?} (got an object)'],
      [
        { contacts: ['4915112345678'] },
        'contacts[0] must be an object with phone and optionally name (got 4915112345678)',
      ],
      [
        { contacts: [['4915112345678']] },
        'contacts[0] must be an object with phone and optionally name (got an array)',
      ],
      [{ contacts: [] }, 'contacts or group_ids is required'],
      [{ contacts: ['49151'] }, 'contacts[0] must be an object with phone and optionally name (got 49151)'],
      [{ contacts: [{ name: 'Ada' }] }, 'contacts[0].phone is required'],
      [{ contacts: [{ phone: 49151 }] }, 'contacts[0].phone must be a string, not a number (49151)'],
      [{ contacts: [{ phone: '4'.repeat(65) }] }, 'contacts[0].phone must be at most 64 characters (got 65)'],
      [{ contacts: [{ phone: '49', name: 7 }] }, 'contacts[0].name must be a string, not a number (7)'],
      [
        { contacts: [{ phone: '49', name: 'x'.repeat(257) }] },
        'contacts[0].name must be at most 256 characters (got 257)',
      ],
      [{ group_ids: 'vip' }, 'group_ids must be an array of ids, not a string ("vip")'],
      [{ group_ids: [] }, 'contacts or group_ids is required'],
      [{ group_ids: ['vip'] }, 'group_ids[0] must be an id (got vip)'],
      [
        { group_ids: Array.from({ length: 1001 }, () => newRecordId()) },
        'group_ids must have at most 1000 entries (got 1001)',
      ],
    ])('rejects %j (400): %s', async (fields, message) => {
      expect(await refused(fields)).toEqual(badRequest(message));
    });

    it(`takes ${MAX_CONTACTS} entries and rejects one more (400), even for the same number`, async () => {
      const phone = uniquePhone();
      const same = Array.from({ length: MAX_CONTACTS }, () => ({ phone }));
      expect((await create({ contacts: same })).body).toMatchObject({ total_contacts: 1 });
      expect(await refused({ contacts: [...same, { phone }] })).toEqual(
        badRequest(`contacts must have at most ${MAX_CONTACTS} entries (got ${MAX_CONTACTS + 1})`),
      );
      const { status, body } = await create({ contacts: lines(MAX_CONTACTS) });
      expect({ status, total: body.total_contacts }).toEqual({ status: 200, total: MAX_CONTACTS });
    });

    it('takes a body of 4 MiB and rejects one more byte (413)', async () => {
      const post = (bytes: number) => {
        const raw = JSON.stringify({ name: 'Spring', template_name: template.name, contacts: lines(MAX_CONTACTS) });
        return account.api.post('/api/v1/campaigns/', undefined, { raw: raw.padEnd(bytes) });
      };
      expect(await post(4 * 1024 * 1024)).toMatchObject({ status: 200, body: { total_contacts: MAX_CONTACTS } });
      expect((await post(4 * 1024 * 1024 + 1)).status).toBe(413);
    });

    it('takes 1000 groups', async () => {
      const id = await group([(await contact()).id]);
      const group_ids = Array.from({ length: 1000 }, () => id);
      expect((await create({ group_ids })).body).toMatchObject({ total_contacts: 1 });
    });

    it('takes a contact name of 256 characters, and the first of two entries for one number', async () => {
      const phone = uniquePhone();
      const name = '𝒜'.repeat(256);
      const { status } = await create({
        contacts: [
          { phone, name },
          { phone: `+${phone}`, name: 'Second' },
        ],
      });
      expect(status).toBe(200);
      const { body } = await account.api.get<{ contacts: { first_name: string }[] }>(
        `/api/v1/contacts/?search=${phone}`,
      );
      expect(body.contacts).toEqual([expect.objectContaining({ first_name: name })]);
    });
  });

  it('answers a repeated request with the same campaign, which is created once', async () => {
    const { id } = await contact();
    const fields = { group_ids: [await group([id])], scheduled_at: '2099-01-31T09:00:00Z', name: newRecordId() };
    const headers = { 'Idempotency-Key': newRecordId() };
    const post = () => account.api.post('/api/v1/campaigns/', { template_name: template.name, ...fields }, { headers });
    const [first, second] = [await post(), await post()];
    expect(first).toMatchObject({ status: 200, body: { status_value: 'scheduled', total_contacts: 1 } });
    expect(second.body).toEqual(first.body);
    const rows = await world.unitOfWork.autocommit.rows(
      'SELECT id FROM campaigns WHERE account_id = $1 AND name = $2',
      [account.accountId, fields.name],
    );
    expect(rows).toHaveLength(1);
  });
});
