import { act, campaignOf, draft, recipientsOf, untilCampaign } from '../campaigns/campaigns.js';
import { sentUpstream } from '../messages/messages.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { columnsWith, dumpOf } from './database-dump.js';

/** Distinct and unlikely to occur by chance. */
const CODES = ['QZ817264', 'QZ553310', 'QZ902817', 'QZ446120', 'QZ731198', 'QZ600245'] as const;
const [SINGLE, SHARED, OWN, PENDING, ODD, LATE] = CODES;

describe('one-time codes from before they were masked', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  let template: { id: string; name: string };
  let body: string;

  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    world = await World.start({ databaseUrl });
    await world.simulator.behave({ statuses: [] });
    account = await world.account({ credits: 100 });
    template = await approvedTemplate(world, account, { category: 'AUTHENTICATION', body: undefined });
    // The network owns the text; a decision that came as a callback does not hold it.
    expect((await account.api.post('/api/v1/templates/sync')).status).toBe(200);
    const row = await run<{ body: string }>('SELECT body FROM templates WHERE account_id = $1 AND id = $2', [
      template.id,
    ]);
    body = row?.body ?? '';
    expect(body).toContain('{{1}}');
  });
  afterAll(() => world.stop());

  const run = <Row>(sql: string, more: unknown[] = []): Promise<Row | null> =>
    world.unitOfWork.autocommit.row<Row & object>(sql, [account.accountId, ...more]);
  const filled = (code: string): string => body.replace('{{1}}', code);
  const columns = async (...codes: string[]): Promise<string[]> => columnsWith(await dumpOf(databaseUrl), codes);
  const untilMasked = () =>
    until(
      'the account is done',
      async () => (await run('SELECT 1 FROM code_masking_runs WHERE account_id = $1')) === null,
    );
  const untilPass = () =>
    until('the first pass is over', async () =>
      run('SELECT 1 FROM code_masking_runs WHERE account_id = $1 AND passes = 1'),
    );
  const rows = {
    begin: () => run('INSERT INTO code_masking_runs (account_id) VALUES ($1) RETURNING account_id'),
    /** The second pass is due in an hour. */
    hurry: () => run('UPDATE code_masking_runs SET due_at = now() WHERE account_id = $1 RETURNING account_id'),
  };
  const conversations = async (): Promise<string[]> => {
    const all = await world.unitOfWork.autocommit.rows<{ preview: string }>(
      'SELECT last_message_preview AS preview FROM conversations WHERE account_id = $1 ORDER BY last_message_at',
      [account.accountId],
    );
    return all.map(({ preview }) => preview);
  };
  /** A message as the release before stored it, with its conversation. */
  const oldMessage = async (content: string, templateName: string): Promise<string> => {
    const { body: sent, text } = await account.api.post<{ message_id: string }>('/api/v1/messages/send', {
      template_name: template.name,
      contact_phone: uniquePhone(),
      body_data: { '1': '0' },
    });
    if (sent.message_id === undefined) throw new Error(text);
    await run(
      `WITH message AS (
         UPDATE messages SET content = $3, template_name = $4 WHERE account_id = $1 AND id = $2 RETURNING contact_id
       )
       UPDATE conversations t SET last_message_preview = $3 FROM message
       WHERE t.account_id = $1 AND t.contact_id = message.contact_id RETURNING t.account_id`,
      [sent.message_id, content, templateName],
    );
    return sent.message_id;
  };
  /** Turns a draft into what the release before stored. */
  const asBefore = async (id: string, content: object, personal: (object | null)[]): Promise<void> => {
    await run('UPDATE campaigns SET content = $3, code = NULL WHERE account_id = $1 AND id = $2 RETURNING id', [
      id,
      content,
    ]);
    for (const [position, values] of personal.entries()) {
      await run(
        `UPDATE campaign_recipients SET personal = $4, code = NULL
         WHERE account_id = $1 AND campaign_id = $2 AND position = $3 RETURNING contact_id`,
        [id, position, values],
      );
    }
  };
  const values = (code: string | null) => ({
    bodyData: code === null ? {} : { '1': code },
    headerData: {},
    mediaUrl: null,
    filename: null,
    location: null,
    buttonParams: code === null ? [] : [{ index: 0, urlParam: code, payload: null, couponCode: null }],
    carouselData: null,
    expirationTimeMs: null,
  });
  const withCode = (phone: string) => ({ phone, body_data: { '1': 'any' } });
  const both = () => ({ contacts: [withCode(uniquePhone()), { phone: uniquePhone() }], body_data: { '1': 'any' } });

  it('disappear from messages, previews and ended campaigns, and later from those that may still send', async () => {
    const known = await oldMessage(filled(SINGLE), template.name);
    const odd = await oldMessage(`Ihr Code ist ${ODD}`, template.name);
    const other = await oldMessage('Order QZ1 is ready', 'order_ready');
    const ended = await draft(account, template.name, 0, both());
    await act(account, ended, 'cancel');
    await until('its own codes are deleted', async () => {
      const row = await run('SELECT 1 FROM campaign_recipients WHERE account_id = $1 AND code IS NOT NULL');
      return row === null;
    });
    await asBefore(ended, values(SHARED), [{ bodyData: { '1': OWN } }, null]);
    const waiting = await draft(account, template.name, 0, both());
    await asBefore(waiting, values(SHARED), [{ bodyData: { '1': PENDING } }, null]);
    expect(await columns(...CODES)).toEqual([
      'campaign_recipients.personal',
      'campaigns.content',
      'conversations.last_message_preview',
      'messages.content',
    ]);

    await rows.begin();
    await untilPass();
    expect(await columns(SINGLE, ODD, OWN)).toEqual([]);
    expect(await columns(SHARED, PENDING)).toEqual(['campaign_recipients.personal', 'campaigns.content']);
    const contentOf = async (id: string) =>
      (await run<{ content: string }>('SELECT content FROM messages WHERE account_id = $1 AND id = $2', [id]))?.content;
    expect(await contentOf(known)).toBe(filled('•'));
    expect(await contentOf(odd)).toBe('•');
    expect(await contentOf(other)).toBe('Order QZ1 is ready');
    expect(await conversations()).toEqual([filled('•'), '•', 'Order QZ1 is ready']);
    expect(await campaignOf(account, ended)).toMatchObject({ body_data: { '1': '•' }, button_params: [] });

    // A process of the old release stores another one, after the run has passed it.
    await oldMessage(filled(LATE), template.name);
    await rows.hurry();
    await untilMasked();
    expect(await columns(...CODES)).toEqual([]);

    expect((await act(account, waiting, 'send')).status).toBe(202);
    await untilCampaign(account, waiting, 'completed');
    const sent = JSON.stringify(await sentUpstream(world, account.phone));
    expect([sent.includes(PENDING), sent.includes(SHARED), sent.includes(OWN)]).toEqual([true, true, false]);
    expect((await recipientsOf(account, waiting)).map(({ status }) => status)).toEqual(['sent', 'sent']);
    await until('its codes are deleted', async () => {
      const row = await run(
        `SELECT 1 FROM campaigns g JOIN campaign_recipients r ON r.account_id = g.account_id AND r.campaign_id = g.id
         WHERE g.account_id = $1 AND coalesce(g.code, r.code) IS NOT NULL`,
      );
      return row === null;
    });
  });

  it('disappear from the network’s errors and from the events about them', async () => {
    const body = (id: string, error: string) =>
      JSON.stringify({
        event: 'message.failed',
        message: { message_id: id, error_message: error, error_code: 132000 },
      });
    /** A failed message as the release before stored it, with its event. */
    const failed = async (content: string, error: string, code = 132000): Promise<{ id: string; eventId: string }> => {
      const id = await oldMessage(content, template.name);
      await run(
        'UPDATE messages SET error_message = $3, error_code = $4 WHERE account_id = $1 AND id = $2 RETURNING id',
        [id, error, code],
      );
      const event = await run<{ id: string }>(
        `INSERT INTO events (account_id, id, occurred_at, kind, body)
         VALUES ($1, new_record_id(), now(), 'message.failed', $2) RETURNING id`,
        [body(id, error)],
      );
      return { id, eventId: event?.id ?? '' };
    };
    const quoted = await failed(filled(SINGLE), `the network refused "${SINGLE}"`);
    const unknown = await failed(filled('•'), `the network refused "${SHARED}"`);
    const odd = await failed(`Ihr Code ist ${ODD}`, `the network refused "${ODD}"`);
    const harmless = await failed(filled(OWN), 'the number may not be on WhatsApp (131026)');
    const ours = await failed(`Ihr Code ist ${ODD}`, 'the outcome is unknown', 900_002);
    expect(await columns(...CODES)).toEqual([
      'conversations.last_message_preview',
      'events.body',
      'messages.content',
      'messages.error_message',
    ]);

    await rows.begin();
    await untilPass();
    expect(await columns(...CODES)).toEqual([]);
    const errorOf = async ({ id, eventId }: { id: string; eventId: string }) => {
      const message = await run<{ errorMessage: string }>(
        'SELECT error_message FROM messages WHERE account_id = $1 AND id = $2',
        [id],
      );
      const event = await run<{ body: string }>('SELECT body FROM events WHERE account_id = $1 AND id = $2', [eventId]);
      const { error_message } = (JSON.parse(event?.body ?? '') as { message: { error_message: string } }).message;
      expect(error_message).toBe(message?.errorMessage);
      return error_message;
    };
    expect(await Promise.all([quoted, unknown, odd, harmless, ours].map(errorOf))).toEqual([
      'the network refused "•"',
      '•',
      '•',
      'the number may not be on WhatsApp (131026)',
      'the outcome is unknown',
    ]);
    await rows.hurry();
    await untilMasked();
  });

  it('are masked in more messages than one batch, by a process that continues where another was killed', async () => {
    const contact = await run<{ id: string }>('SELECT id FROM contacts WHERE account_id = $1 LIMIT 1');
    const insert = (count: number) =>
      world.unitOfWork.transaction(
        (tx) =>
          tx.row<{ id: string }>(
            `WITH inserted AS (
           INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, template_name, status)
           SELECT $1, new_record_id(), 'out', $2, $3, 'template', $4 || n, $5, 'sent' FROM generate_series(1, $6::integer) n
           RETURNING id
         ) SELECT max(id::text) AS id FROM inserted`,
            [account.accountId, contact?.id, account.phone.id, `Code ${SINGLE}-`, template.name, count],
          ),
        { statementMs: 60_000 },
      );
    const passed = await insert(10);
    await insert(4500);
    await run(`INSERT INTO code_masking_runs (account_id, position) VALUES ($1, $2) RETURNING account_id`, [
      passed?.id,
    ]);
    await untilPass();
    const left = await run<{ passed: number; others: number }>(
      `SELECT count(*) FILTER (WHERE id <= $2)::integer AS passed, count(*) FILTER (WHERE id > $2)::integer AS others
       FROM messages WHERE account_id = $1 AND content LIKE '%QZ%-%'`,
      [passed?.id],
    );
    // Only those that the killed process had passed are left to the second pass. Ids of the same millisecond are random.
    expect(left?.passed).toBeGreaterThanOrEqual(10);
    expect(left?.others).toBe(0);
    await rows.hurry();
    await untilMasked();
    expect(await columns(SINGLE)).toEqual([]);
  });
});
