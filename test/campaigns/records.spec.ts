import type { RecordParts } from '../../src/messages/sent-parts.js';
import { report, type MessageRecord as Shown } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act, draft, PATIENT, started, untilCampaign } from './campaigns.js';

type CampaignRecord = Shown & RecordParts;

const ORDER = {
  header: { format: 'TEXT', text: 'Order {{1}}', text_example: { '1': '17' } },
  body: { text: 'Hello {{1}}, it is here.', examples: { '1': 'Ada' } },
  footer: { text: 'Thank you' },
  buttons: [
    { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', url_example: 'x' },
    { type: 'QUICK_REPLY', text: 'Stop' },
  ],
};
const SHARED = {
  header_data: { '1': '0' },
  body_data: { '1': 'there' },
  button_params: [{ index: 0, url_param: 'all' }],
};
const looked = (number: string, name: string, url: string, more: object = {}) => ({
  header: `Order ${number}`,
  body: `Hello ${name}, it is here.`,
  footer: 'Thank you',
  buttons: [
    { type: 'URL', text: 'Track', url: `https://example.com/${url}` },
    { type: 'QUICK_REPLY', text: 'Stop' },
  ],
  ...more,
});

describe('the record of a campaign message', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });

  /** The newest message of each contact, by number. */
  const records = async (): Promise<Map<string, CampaignRecord>> => {
    const { body } = await account.api.get<{ messages: CampaignRecord[] }>('/api/v1/messages/?limit=100');
    return new Map(body.messages.reverse().map((each) => [each.contact_phone, each]));
  };
  const lookOf = async (phone: string): Promise<unknown> => (await records()).get(phone)?.rendered;
  const sql = (statement: string) => world.unitOfWork.autocommit.affected(statement, [account.accountId]);
  /** Changes the template upstream, and here. */
  const edit = async (name: string, footer: string): Promise<void> => {
    const { body } = await account.api.get<{ templates: { name: string; id: string }[] }>('/api/v1/templates/');
    const id = body.templates.find((each) => each.name === name)?.id;
    const row = await world.unitOfWork.autocommit.row<{ components: { type: string; text?: string }[] }>(
      'SELECT components FROM templates WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    const components = row?.components.map((each) => (each.type === 'FOOTER' ? { ...each, text: footer } : each)) ?? [];
    await world.simulator.hold(account.phone.wabaId, name, components);
    expect((await account.api.post('/api/v1/templates/sync', {})).status).toBe(200);
  };

  it('shows what each recipient got, also in the thread', async () => {
    const { name } = await approvedTemplate(world, account, ORDER);
    const [ada, bob] = [uniquePhone(), uniquePhone()];
    const contacts = [
      {
        phone: ada,
        header_data: { '1': '4711' },
        body_data: { '1': 'Ada' },
        button_params: [{ index: 0, url_param: '4711' }],
      },
      { phone: bob },
    ];
    const id = await started(account, name, [], { contacts, ...SHARED });
    await untilCampaign(account, id, 'completed');
    expect(await lookOf(ada)).toEqual(looked('4711', 'Ada', '4711'));
    expect(await lookOf(bob)).toEqual(looked('0', 'there', 'all'));
    const { body } = await account.api.get<{ messages: unknown[] }>(`/api/v1/conversations/${ada}/messages`);
    expect(body.messages).toEqual([(await records()).get(ada)]);
    const stored = await world.unitOfWork.autocommit.row(
      'SELECT count(payload)::integer AS found FROM messages WHERE account_id = $1',
      [account.accountId],
    );
    expect(stored).toEqual({ found: 0 });
  });

  it('shows values taken from the contact as they were sent', async () => {
    const { name } = await approvedTemplate(world, account, ORDER);
    const phone = uniquePhone();
    const created = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: phone,
      first_name: 'Grace',
    });
    const body_data = { '1': { contact_field: 'first_name' } };
    const id = await started(account, name, [phone], { ...SHARED, body_data });
    await untilCampaign(account, id, 'completed');
    await account.api.patch(`/api/v1/contacts/${created.body.contact.id}`, { first_name: 'Ada' });
    expect(await lookOf(phone)).toEqual(looked('0', 'Grace', 'all'));
  });

  it('shows the template as it was sent, whatever becomes of it', async () => {
    const { name, id: templateId } = await approvedTemplate(world, account, ORDER);
    const [first, second] = [uniquePhone(), uniquePhone()];
    const one = await started(account, name, [first], SHARED);
    await untilCampaign(account, one, 'completed');
    await edit(name, 'Goodbye');
    const two = await started(account, name, [second], SHARED);
    await untilCampaign(account, two, 'completed');
    expect((await account.api.delete(`/api/v1/templates/${templateId}`)).status).toBe(200);
    expect(await lookOf(first)).toEqual(looked('0', 'there', 'all'));
    expect(await lookOf(second)).toEqual(looked('0', 'there', 'all', { footer: 'Goodbye' }));
  });

  it('shows each run of a campaign with the template of that run', async () => {
    const { name } = await approvedTemplate(world, account, ORDER);
    const [sent, retried] = [uniquePhone(), uniquePhone()];
    const id = await started(account, name, [sent, retried], SHARED);
    await untilCampaign(account, id, 'completed');
    const before = (await records()).get(retried);
    const failed = {
      id: String(before?.network_message_id),
      status: 'failed',
      errors: [{ code: 131000, title: 'No' }],
    };
    expect(await report(world, account.phone.phoneNumberId, failed)).toBe(200);
    await edit(name, 'Goodbye');
    expect((await act(account, id, 'retry-failed')).status).toBe(200);
    await untilCampaign(account, id, 'completed');
    expect((await records()).get(retried)?.message_id).not.toBe(before?.message_id);
    expect(await lookOf(retried)).toEqual(looked('0', 'there', 'all', { footer: 'Goodbye' }));
    expect(await lookOf(sent)).toEqual(looked('0', 'there', 'all'));
  });

  it('is read from campaign and template for campaigns of earlier releases', async () => {
    const { name } = await approvedTemplate(world, account, ORDER);
    const phone = uniquePhone();
    const id = await started(account, name, [phone], SHARED);
    await untilCampaign(account, id, 'completed');
    await sql('UPDATE campaigns SET sent_templates = NULL WHERE account_id = $1');
    expect(await lookOf(phone)).toEqual(looked('0', 'there', 'all'));
  });

  it('shows no look that the values no longer fit', async () => {
    const { name } = await approvedTemplate(world, account, ORDER);
    const phone = uniquePhone();
    const id = await started(account, name, [phone], SHARED);
    await untilCampaign(account, id, 'completed');
    await sql('UPDATE campaigns SET sent_templates = NULL WHERE account_id = $1');
    await sql(`UPDATE templates SET components = '[{"type":"BODY","text":"Hi"}]' WHERE account_id = $1`);
    const shown = (await records()).get(phone);
    expect(shown).toMatchObject({ content: 'Hello there, it is here.' });
    expect(shown).not.toHaveProperty('rendered');
  });

  it('never shows a one-time code', async () => {
    const { name } = await approvedTemplate(world, account, { category: 'AUTHENTICATION', body: undefined });
    const phone = uniquePhone();
    const id = await started(account, name, [phone], { body_data: { '1': '314159' } });
    await untilCampaign(account, id, 'completed');
    const shown = (await records()).get(phone);
    expect(JSON.stringify(shown)).not.toContain('314159');
    expect(shown?.rendered?.body).toContain('•');
  });

  it('goes with the person', async () => {
    const { name } = await approvedTemplate(world, account, ORDER);
    const phone = uniquePhone();
    const id = await draft(account, name, [phone], SHARED);
    await act(account, id, 'send');
    await untilCampaign(account, id, 'completed');
    const { message_id, contact_id } = (await records()).get(phone) ?? { message_id: '', contact_id: '' };
    await account.api.delete(`/api/v1/contacts/${contact_id}?erase=true`);
    const { body } = await account.api.get<{ message_record: CampaignRecord }>(`/api/v1/messages/${message_id}`);
    expect(body.message_record).not.toHaveProperty('rendered');
  });
});
