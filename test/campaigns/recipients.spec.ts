import { newRecordId } from '../../src/values/record-id.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  campaignOf,
  draft,
  PATIENT,
  pathOf,
  type RecipientRecord,
  recipientsOf,
  refusedPhone,
  untilCampaign,
} from './campaigns.js';

describe('campaign recipients', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };
  /** One contact who reads, one whom the network refuses, and one with a formula for a name. */
  let phones: [string, string, string];
  let sent: string;

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ status_delay_ms: 1 });
    account = await world.account();
    template = await approvedTemplate(world, account);
    phones = [uniquePhone(), refusedPhone(), uniquePhone()];
    const created = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
      name: 'Winter',
      template_name: template.name,
      contacts: [
        { phone: phones[0], name: 'Ada Love' },
        { phone: phones[1], name: 'Grace' },
        { phone: phones[2], name: '=1+1,"x"' },
      ],
    });
    sent = created.body.campaign_id;
    expect((await act(account, sent, 'send')).status).toBe(202);
    await untilCampaign(account, sent, 'completed');
    await until('both are read', async () => (await campaignOf(account, sent)).read_count === 2);
  });
  afterAll(() => world.stop());

  it('are listed in sending order, each with its message and failure reason', async () => {
    const { status, body } = await account.api.get(pathOf(sent, '/recipients'));
    expect(status).toBe(200);
    const { created_at } = await campaignOf(account, sent);
    const common = {
      contact_id: expect.any(String),
      message_id: expect.any(String),
      attempts: 1,
      error_code: null,
      error_message: null,
      retryable: false,
      clicked_at: null,
      replied_at: null,
      created_at,
    };
    const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
    const reached = { status: 'read', sent_at: time, delivered_at: time, read_at: time };
    expect(body).toEqual({
      status: 'success',
      recipients: [
        { ...common, ...reached, contact_phone: phones[0], contact_name: 'Ada Love' },
        {
          ...common,
          contact_phone: phones[1],
          contact_name: 'Grace',
          status: 'failed',
          sent_at: null,
          delivered_at: null,
          read_at: null,
          error_code: 131030,
          error_message: expect.stringContaining('the recipient is not on the list of allowed test numbers'),
        },
        { ...common, ...reached, contact_phone: phones[2], contact_name: '=1+1,"x"' },
      ],
      counts: { pending: 0, accepted: 0, sent: 0, delivered: 0, read: 2, clicked: 0, failed: 1, cancelled: 0 },
      total: 3,
      page: 1,
      limit: 20,
    });
  });

  it.each([
    ['read', [0, 2]],
    ['failed', [1]],
    ['pending', []],
    ['cancelled', []],
  ] as const)('are listed by status: %s', async (status, places) => {
    const { body } = await account.api.get<{ recipients: RecipientRecord[]; total: number }>(
      pathOf(sent, `/recipients?status=${status}`),
    );
    expect(body.recipients.map(({ contact_phone }) => contact_phone)).toEqual(places.map((place) => phones[place]));
    expect(body.total).toBe(places.length);
  });

  it('are paged', async () => {
    const { body } = await account.api.get(pathOf(sent, '/recipients?status=read&limit=1&page=2'));
    expect(body).toMatchObject({ recipients: [{ contact_phone: phones[2] }], total: 2, page: 2, limit: 1 });
  });

  it.each([
    [
      'status=over',
      'status must be one of pending, accepted, sent, delivered, read, clicked, failed, cancelled (got over)',
    ],
    ['limit=101', 'limit must be a whole number from 1 to 100 (got 101)'],
    ['page=0', 'page must be a whole number from 1 to 1000000000 (got 0)'],
  ])('reject ?%s (400)', async (query, message) => {
    expect(await account.api.get(pathOf(sent, `/recipients?${query}`))).toMatchObject({
      status: 400,
      body: { error: 'bad_request', message },
    });
  });

  it('are pending in a draft', async () => {
    const id = await draft(account, template.name, 2);
    const untouched = { status: 'pending', message_id: null, attempts: 0, retryable: false };
    expect(await recipientsOf(account, id)).toMatchObject([untouched, untouched]);
  });

  it('are exported as CSV without anything that a spreadsheet would execute', async () => {
    const { status, headers, text } = await account.api.get(pathOf(sent, '/recipients.csv'));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="recipients.csv"');
    const [first, second, third] = await recipientsOf(account, sent);
    expect(text.split('\n')).toEqual([
      'contact_phone,contact_name,status,error_code,error_message,message_id',
      `${phones[0]},Ada Love,read,,,${first?.message_id}`,
      expect.stringMatching(new RegExp(`^${phones[1]},Grace,failed,131030,.+,${second?.message_id}$`)),
      `${phones[2]},"'=1+1,""x""",read,,,${third?.message_id}`,
      '',
    ]);
  });

  it('are exported with the mark that Excel needs, unless it is left out', async () => {
    const headers = { authorization: `Bearer ${account.api.apiKey}` };
    const bytesOf = async (query: string): Promise<Buffer> =>
      Buffer.from(
        await (await fetch(world.baseUrl + pathOf(sent, `/recipients.csv${query}`), { headers })).arrayBuffer(),
      );
    const marked = await bytesOf('');
    expect(marked.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(await bytesOf('?bom=false')).toEqual(marked.subarray(3));
  });

  it('are exported with the cancelled ones and the reason', async () => {
    const phone = uniquePhone();
    const id = await draft(account, template.name, [phone]);
    await act(account, id, 'cancel');
    const { text } = await account.api.get(pathOf(id, '/recipients.csv'));
    expect(text.split('\n')[1]).toMatch(
      new RegExp(
        `^${phone},User #\\d{6},cancelled,900005,The campaign was cancelled before this message was sent\\.,$`,
      ),
    );
  });

  it('are exported once each and in order when the export takes several statements', async () => {
    const many = Array.from({ length: 4500 }, () => uniquePhone());
    const id = await draft(account, template.name, many);
    const { text } = await account.api.get(pathOf(id, '/recipients.csv'));
    const exported = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(exported).toEqual(many);
  });

  it('are identified by user id when they hide their number', async () => {
    const id = await draft(account, template.name, 1);
    const [recipient] = await recipientsOf(account, id);
    await world.unitOfWork.autocommit.affected(
      "UPDATE contacts SET phone_number = NULL, user_id = 'US.1349' WHERE account_id = $1 AND id = $2",
      [account.accountId, recipient?.contact_id],
    );
    expect(await recipientsOf(account, id)).toMatchObject([{ contact_phone: null, contact_user_id: 'US.1349' }]);
    expect((await account.api.get(pathOf(id, '/recipients.csv'))).text.split('\n')[1]).toMatch(/^,User #/);
  });

  it('require campaigns:read (403) and an existing campaign (404)', async () => {
    const writer = await world.account({ scopes: ['campaigns:write'] });
    for (const rest of ['/recipients', '/recipients.csv']) {
      expect(await writer.api.get(pathOf(sent, rest))).toMatchObject({ status: 403 });
      expect(await account.api.get(pathOf(newRecordId(), rest))).toMatchObject({ status: 404 });
    }
  });
});
