import { openWindow, type Report, report } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  campaignOf,
  draft,
  expectFunnelListed,
  PATIENT,
  pathOf,
  type RecipientRecord,
  refusedPhone,
  untilCampaign,
} from './campaigns.js';

interface RecipientList {
  readonly recipients: RecipientRecord[];
  readonly counts: Record<string, number> | null;
  readonly total: number;
  readonly next_cursor?: string | null;
  readonly message?: string;
}

const NAMES = ['Ada Löwe', 'berta Beck', 'Carl', 'ädele', 'Zoë', 'ADA LOWE'] as const;
type Name = (typeof NAMES)[number];

describe('lists of recipients', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };
  let id: string;
  let phones: Record<Name, string>;

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ statuses: [] });
    account = await world.account();
    template = await approvedTemplate(world, account, { buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] });
    phones = Object.fromEntries(
      NAMES.map((name) => [name, name === 'ädele' ? refusedPhone() : uniquePhone()]),
    ) as typeof phones;
    const created = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
      name: 'Winter',
      template_name: template.name,
      contacts: NAMES.map((name) => ({ phone: phones[name], name })),
    });
    id = created.body.campaign_id;
    expect((await act(account, id, 'send')).status).toBe(202);
    await untilCampaign(account, id, 'completed');
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    const tell = async (name: Name, status: Omit<Report, 'id'>) => {
      const entry = ledger.find(({ to }) => to === phones[name]);
      const named = { id: String(entry?.id), biz_opaque_callback_data: String(entry?.biz_opaque_callback_data) };
      expect(await report(world, account.phone.phoneNumberId, { ...named, ...status })).toBe(200);
      return named.id;
    };
    await tell('berta Beck', { status: 'delivered' });
    await tell('Carl', { status: 'failed', errors: [{ code: 131000, title: 'No' }] });
    const read = await tell('Ada Löwe', { status: 'read' });
    await tell('Zoë', { status: 'sent' });
    const tap = { type: 'button', text: 'Yes', payload: 'Yes', context_id: read };
    await openWindow(world, account.phone, phones['Ada Löwe'], tap);
    await openWindow(world, account.phone, phones['Zoë'], { text: 'Thanks' });
    await until('all is counted', async () => {
      const { read_count, delivered_count, failed_count, replied_count } = await campaignOf(account, id);
      return read_count === 1 && delivered_count === 2 && failed_count === 2 && replied_count === 2;
    });
    // The times that were noted, moved apart.
    await world.unitOfWork.autocommit.affected(
      `UPDATE messages SET delivered_at = CASE WHEN delivered_at IS NOT NULL THEN created_at + interval '1 minute' END,
                           read_at = CASE WHEN read_at IS NOT NULL THEN created_at + interval '2 minutes' END,
                           clicked_at = CASE WHEN clicked_at IS NOT NULL THEN created_at + interval '3 minutes' END
       WHERE account_id = $1 AND campaign_id = $2`,
      [account.accountId, id],
    );
    await world.unitOfWork.autocommit.affected(
      `UPDATE campaign_recipients SET replied_at = replied_at + interval '4 minutes' WHERE account_id = $1 AND campaign_id = $2`,
      [account.accountId, id],
    );
    await world.unitOfWork.autocommit.affected(
      `UPDATE campaign_recipients r SET replied_at = r.replied_at + interval '4 minutes'
       FROM contacts c
       WHERE r.account_id = $1 AND r.campaign_id = $2 AND c.account_id = $1 AND c.id = r.contact_id AND c.phone_number = $3`,
      [account.accountId, id, phones['Zoë']],
    );
  });
  afterAll(() => world.stop());

  const get = (query: string, of = id) => account.api.get<RecipientList>(pathOf(of, `/recipients?${query}`));
  const namesOf = async (query: string): Promise<string[]> => {
    const { status, body, text } = await get(query);
    if (status !== 200) throw new Error(text);
    expect(body.total).toBe(body.recipients.length);
    return body.recipients.map(({ contact_name }) => contact_name);
  };

  it.each([
    ['reached=sent', ['Ada Löwe', 'berta Beck', 'Carl', 'Zoë', 'ADA LOWE']],
    ['reached=delivered', ['Ada Löwe', 'berta Beck']],
    ['reached=read', ['Ada Löwe']],
    ['reached=clicked', ['Ada Löwe']],
    ['reached=replied', ['Ada Löwe', 'Zoë']],
    ['error_code=131000', ['Carl']],
    ['error_code=131030', ['ädele']],
    ['error_code=7', []],
    ['search=ada lowe', ['Ada Löwe', 'ADA LOWE']],
    ['search=ADELE', ['ädele']],
    ['search=  ', [...NAMES]],
    ['search=nobody', []],
    ['order=name', ['Ada Löwe', 'ADA LOWE', 'ädele', 'berta Beck', 'Carl', 'Zoë']],
    ['order=last_activity&reached=delivered', ['Ada Löwe', 'berta Beck']],
    ['order=name&search=a&reached=sent', ['Ada Löwe', 'ADA LOWE', 'berta Beck', 'Carl']],
    ['search=l&status=failed', ['Carl', 'ädele']],
    ['search=l&error_code=131000&reached=sent&order=name', ['Carl']],
    ['status=failed&reached=delivered', []],
  ])('choose by %s', async (query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  it('find a number in any notation', async () => {
    const digits = phones.Zoë;
    const written = encodeURIComponent(`+${digits.slice(0, 2)} (0)${digits.slice(2, 6)}-${digits.slice(6)}`);
    expect(await namesOf(`search=${written}`)).toEqual(['Zoë']);
  });

  it('equal the counters of the campaign', async () => {
    await expectFunnelListed(account, id);
  });

  it('put the latest activity first and people without any last, and each row shows its times', async () => {
    const { body } = await get('order=last_activity');
    const latest = (record: RecipientRecord | undefined): number => {
      const { sent_at, delivered_at, read_at, clicked_at, replied_at } = record as RecipientRecord;
      const times = [sent_at, delivered_at, read_at, clicked_at, replied_at];
      return Math.max(0, ...times.flatMap((time) => (time === null ? [] : [Date.parse(time)])));
    };
    const times = body.recipients.map(latest);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const byName = new Map(body.recipients.map((record) => [record.contact_name, record]));
    const iso = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(body.recipients[0]).toMatchObject({ contact_name: 'Zoë', sent_at: iso, read_at: null, replied_at: iso });
    expect(body.recipients.at(-1)).toMatchObject({ contact_name: 'ädele', sent_at: null, replied_at: null });
    // Read without a report of the delivery: the later step implies the earlier one.
    const reader = byName.get('Ada Löwe');
    expect(reader).toMatchObject({ sent_at: iso, read_at: iso, clicked_at: iso, replied_at: iso });
    expect(reader?.delivered_at).toBe(reader?.read_at);
    expect(byName.get('berta Beck')).toMatchObject({ delivered_at: iso, read_at: null, clicked_at: null });
    expect(byName.get('Carl')).toMatchObject({ sent_at: iso, delivered_at: null });
  });

  it('count by status what the search finds, whatever else is chosen', async () => {
    const none = { pending: 0, accepted: 0, sent: 0, delivered: 0, read: 0, clicked: 0, failed: 0, cancelled: 0 };
    const all = { ...none, sent: 2, delivered: 1, clicked: 1, failed: 2 };
    for (const query of ['', 'status=sent', 'reached=read&order=name', 'error_code=131000', 'limit=1&page=3']) {
      expect([query, (await get(query)).body.counts]).toEqual([query, all]);
    }
    expect((await get('search=ada&status=failed')).body).toMatchObject({
      total: 0,
      counts: { ...none, sent: 1, clicked: 1 },
    });
    const planned = await draft(account, template.name, 2);
    expect((await get('', planned)).body.counts).toEqual({ ...none, pending: 2 });
    await act(account, planned, 'cancel');
    expect((await get('', planned)).body.counts).toEqual({ ...none, cancelled: 2 });
  });

  it.each([
    '',
    'order=name',
    'order=last_activity',
    'order=name&search=a',
    'reached=sent',
    'order=last_activity&reached=sent&search=a',
  ])('are walked in their order, and a walk counts no statuses: %s', async (query) => {
    const walked: string[] = [];
    for (let next: string | null | undefined = ''; typeof next === 'string'; ) {
      const { status, body, text } = await get(`${query}&limit=2&cursor=${next}`);
      if (status !== 200) throw new Error(text);
      expect(body.counts).toBeNull();
      walked.push(...body.recipients.map(({ contact_phone }) => contact_phone));
      next = body.next_cursor;
    }
    const { recipients, total } = (await get(query)).body;
    expect(walked).toEqual(recipients.map(({ contact_phone }) => contact_phone));
    expect(total).toBe(walked.length);
  });

  it.each([
    ['reached=reed', 'reached must be one of sent, delivered, read, clicked, replied (got reed). Did you mean "read"?'],
    ['order=names', 'order must be one of last_activity, name (got names). Did you mean "name"?'],
    ['error_code=x', 'error_code must be a whole number from 0 to 2147483647 (got x)'],
    ['error_code=2147483648', 'error_code must be a whole number from 0 to 2147483647 (got 2147483648)'],
  ])('reject ?%s (400)', async (query, message) => {
    expect(await get(query)).toMatchObject({ status: 400, body: { error: 'bad_request', message } });
  });
});
