import fc from 'fast-check';
import { sendCampaign } from '../messages/campaign-messages.js';
import { eventsOf, openWindow, recordOf, SEND, SEND_MESSAGE, secondsAgo } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { changeOf, envelope, postCallback, receivedBy, unhandledOf } from './inbound.js';

const MIB = 1024 * 1024;

describe('network callbacks', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });

  const text = (body: string, more: Record<string, unknown> = {}) => ({
    from: uniquePhone(),
    id: `wamid.${uniqueDigits()}`,
    timestamp: String(secondsAgo(0)),
    type: 'text',
    text: { body },
    ...more,
  });
  const hello = (body = 'Hello') =>
    envelope(account.phone.wabaId, 'messages', changeOf(account.phone, { messages: [text(body)] }));
  const callback = async (field: string, value: unknown): Promise<number> =>
    (await postCallback(world, envelope(account.phone.wabaId, field, value))).status;
  const unhandled = () => unhandledOf(world, account.accountId);
  /** Stored callbacks without a tenant that contain `mark`. */
  const keptRaw = async (mark: string) =>
    (await unhandledOf(world, null)).filter(({ body }) => JSON.stringify(body).includes(mark));

  describe('are confirmed by GET', () => {
    const confirm = (query: Record<string, string>) =>
      fetch(`${world.baseUrl}/network/callbacks?${new URLSearchParams(query)}`);

    it('which returns the challenge as plain text', async () => {
      const token = world.environment.network.verifyToken;
      const challenge = '<b>1158201444</b>';
      const answer = await confirm({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': challenge });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await answer.text()).toBe(challenge);
    });

    it.each([
      [{ 'hub.mode': 'subscribe', 'hub.verify_token': 'wrong', 'hub.challenge': '1' }],
      [{ 'hub.mode': 'unsubscribe', 'hub.verify_token': 'test-verify-token', 'hub.challenge': '1' }],
      [{ 'hub.mode': 'subscribe', 'hub.challenge': '1' }],
      [{}],
    ])('which refuses %j with 403', async (query) => {
      const answer = await confirm(query as Record<string, string>);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: 'forbidden' });
    });
  });

  describe('are trusted by their signature alone', () => {
    it('over the raw bytes, including escapes and spaces', async () => {
      const body = hello('\u00e9😀').replace('é', '\\u00e9').replace('{', '{ \n ');
      expect((await postCallback(world, body)).status).toBe(200);
      expect(await receivedBy(account)).toMatchObject([{ content: 'é😀' }]);
    });

    it.each([
      ['none', null],
      ['an empty one', ''],
      ['a wrong one', `sha256=${'0'.repeat(64)}`],
      ['one of a different length', 'sha256=00'],
      ['one without its kind', '0'.repeat(64)],
    ])('%s is 401 and stores nothing', async (_, signature) => {
      const mark = uniqueDigits();
      const answer = await postCallback(world, hello(mark), signature);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: 'unauthorized' });
      expect(await receivedBy(account)).toEqual([]);
      expect([...(await unhandled()), ...(await keptRaw(mark))]).toEqual([]);
    });

    it('of another body is 401', async () => {
      const [one, other] = [hello('one'), hello('other')];
      const signature = (await import('node:crypto')).createHmac('sha256', 'test-app-secret').update(one).digest('hex');
      expect((await postCallback(world, other, `sha256=${signature}`)).status).toBe(401);
      expect((await postCallback(world, one, `sha256=${signature.toUpperCase()}`)).status).toBe(200);
    });
  });

  describe('that are signed but unusable are answered 200 and recorded', () => {
    it.each([
      ['invalid JSON', (mark: string) => `not json ${mark}`],
      ['a JSON string', (mark: string) => JSON.stringify(mark)],
      ['a list', (mark: string) => JSON.stringify([mark])],
      ['another object', (mark: string) => JSON.stringify({ object: 'page', entry: [mark] })],
      ['an envelope without entries', (mark: string) => JSON.stringify({ object: 'whatsapp_business_account', mark })],
      ['excessive nesting', (mark: string) => `${'['.repeat(50_000)}${']'.repeat(50_000)} ${mark}`],
      ['NUL bytes', (mark: string) => `\u0000 ${mark}`],
    ])('%s', async (_, bodyOf) => {
      const mark = `mark${uniqueDigits()}`;
      expect((await postCallback(world, bodyOf(mark))).status).toBe(200);
      expect(await keptRaw(mark)).toMatchObject([{ field: null, reason: 'not a network envelope' }]);
    });

    it('valid JSON that is nested too deeply to be kept', async () => {
      expect((await postCallback(world, `${'['.repeat(50_000)}${']'.repeat(50_000)}`)).status).toBe(200);
      const deep = text('Deep', { extra: JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`) });
      const answer = await callback('messages', changeOf(account.phone, { messages: [deep, text('Next')] }));
      expect(answer).toBe(200);
      expect((await receivedBy(account)).at(-1)).toMatchObject({ content: 'Next' });
    });

    it('invalid UTF-8', async () => {
      const mark = `mark${uniqueDigits()}`;
      expect((await postCallback(world, Buffer.from([0xff, 0xfe, ...Buffer.from(mark)]))).status).toBe(200);
      expect(await keptRaw(mark)).toHaveLength(1);
    });

    it.each([
      ['an unknown field', 'security', { event: 'PIN_CHANGED' }],
      ['an unknown field with NUL in its name', 'sec\u0000urity', { event: 'x' }],
      ['messages without messages', 'messages', { messaging_product: 'whatsapp' }],
      ['a value that is not an object', 'messages', 5],
      [
        'a template decision about an unknown template',
        'message_template_status_update',
        { message_template_id: 1, event: 'APPROVED' },
      ],
      [
        'a template decision with NUL',
        'message_template_status_update',
        { message_template_id: '\u0000', event: '\u0000' },
      ],
      [
        'an upgrade of an unknown phone',
        'phone_number_quality_update',
        { display_phone_number: '1', event: 'THROUGHPUT_UPGRADE' },
      ],
      ['an empty account update', 'account_update', { event: 'VERIFIED_ACCOUNT' }],
    ])('%s', async (_, field, value) => {
      expect(await callback(field, value)).toBe(200);
      expect(await unhandled()).toMatchObject([{ field: field.replace('\u0000', ''), body: value }]);
    });

    it('with all digits of ids that JavaScript would round', async () => {
      const notice = envelope(account.phone.wabaId, 'security', { id: '<id>', ids: ['<id>'], count: 3 });
      expect((await postCallback(world, notice.replaceAll('"<id>"', '12345678901234567891'))).status).toBe(200);
      const digits = '12345678901234567891';
      expect(await unhandled()).toMatchObject([{ body: { id: digits, ids: [digits], count: 3 } }]);
    });

    it('while the usable parts of the same body are processed', async () => {
      const change = (field: unknown, value: unknown) => ({ field, value });
      const body = {
        object: 'whatsapp_business_account',
        entry: [
          5,
          { id: '1', changes: 'x' },
          {
            id: account.phone.wabaId,
            changes: [
              null,
              change('odd', {}),
              change('messages', changeOf(account.phone, { messages: [text('Fine')] })),
            ],
          },
          { changes: [change(7, {})] },
        ],
      };
      expect((await postCallback(world, JSON.stringify(body))).status).toBe(200);
      expect(await receivedBy(account)).toMatchObject([{ content: 'Fine' }]);
      expect(await unhandled()).toMatchObject([{ field: 'odd' }]);
    });

    it('without losing other reports when one cannot be stored', async () => {
      const sent = await openWindow(world, account.phone, uniquePhone());
      expect(sent).toMatch(/^wamid/);
      const odd = { id: 'wamid.\u0000x', status: 'read\ud800', timestamp: '99999999999999', recipient_id: '\u0000' };
      expect(await callback('messages', changeOf(account.phone, { statuses: [odd, {}, { id: 5 }] }))).toBe(200);
      expect(await unhandled()).toHaveLength(3);
    });
  });

  it('are answered 200 whatever they contain, and never affect others in the same body', async () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('text', 'button', 'sent', '\u0000', '1', -1, 1e300),
    );
    const part = (...names: string[]) =>
      fc.record(Object.fromEntries(names.map((name) => [name, odd])), { requiredKeys: [] });
    const messages = fc.array(
      fc.oneof(
        odd,
        part('from', 'id', 'timestamp', 'type', 'text', 'button', 'interactive', 'reaction', 'context', 'image'),
      ),
      { maxLength: 3 },
    );
    const statuses = fc.array(fc.oneof(odd, part('id', 'status', 'timestamp', 'biz_opaque_callback_data', 'errors')), {
      maxLength: 3,
    });
    const contacts = fc.oneof(odd, fc.array(part('wa_id', 'user_id', 'profile'), { maxLength: 2 }));
    await fc.assert(
      fc.asyncProperty(
        messages,
        statuses,
        contacts,
        part('event', 'ban_info', 'user_preferences', 'metadata'),
        odd,
        async (written, told, who, notice, field) => {
          const fine = text('Fine');
          const change = changeOf(account.phone, { contacts: who, statuses: told, messages: [...written, fine] });
          const noticeFields = ['user_preferences', 'account_alerts', 'message_template_status_update', field];
          const body = {
            object: 'whatsapp_business_account',
            entry: [
              {
                id: account.phone.wabaId,
                changes: [
                  ...noticeFields.map((name) => ({
                    field: name,
                    value: { ...changeOf(account.phone, {}), ...notice },
                  })),
                  { field: 'messages', value: change },
                ],
              },
            ],
          };
          expect((await postCallback(world, JSON.stringify(body))).status).toBe(200);
          expect((await receivedBy(account)).map(({ network_message_id }) => network_message_id)).toContain(fine.id);
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('may have at most 4 MiB', async () => {
    const filled = (size: number) => {
      const body = hello('x');
      return body + ' '.repeat(size - Buffer.byteLength(body));
    };
    expect((await postCallback(world, filled(4 * MIB))).status).toBe(200);
    const answer = await postCallback(world, filled(4 * MIB + 1));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: 'payload_too_large' });
    expect(await receivedBy(account)).toHaveLength(1);
  });

  describe('about the business account', () => {
    const freeForm = (contact_phone: string) =>
      account.api.post(SEND_MESSAGE, { contact_phone, message_type: 'text', message: 'Hi' });

    it.each([
      [
        'ban',
        { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE', waba_ban_date: 'x' } },
        { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
      ],
      ['loss of access', { event: 'PARTNER_REMOVED' }, { event: 'PARTNER_ADDED' }],
    ])('where a %s stops sending until it is lifted', async (_, imposed, lifted) => {
      const contact = uniquePhone();
      await openWindow(world, account.phone, contact);
      const { name } = await approvedTemplate(world, account);
      const { body: draft } = await account.api.post('/api/v1/campaigns/', {
        name: 'Held',
        template_name: name,
        contacts: [{ phone: contact }],
      });
      expect(await callback('account_update', imposed)).toBe(200);
      const refused = await until('sending is refused', async () => {
        const answer = await freeForm(contact);
        return answer.status === 400 && answer;
      });
      expect(refused.body).toMatchObject({
        error: 'network_rejected',
        message: expect.stringContaining('the network'),
      });
      const template = await account.api.post(SEND, { template_name: name, contact_phone: contact });
      expect([template.status, template.body['error']]).toEqual([400, 'network_rejected']);
      expect(await recordOf(account, template.headers.get('x-message-id'))).toMatchObject({
        status: 'failed',
        error_code: 131031,
        error_message: template.body['message'],
      });
      expect((await eventsOf(world, account)).at(-1)).toMatchObject({
        event: 'message.failed',
        message: { message_id: template.headers.get('x-message-id'), previous_status: 'pending', error_code: 131031 },
      });
      const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
      expect(ledger.filter(({ type }) => type === 'template')).toEqual([]);
      const campaign = await account.api.post(`/api/v1/campaigns/${draft['campaign_id']}/send`);
      expect([campaign.status, campaign.body]).toEqual([
        400,
        { error: 'bad_request', message: expect.stringMatching(/^the business account is not active: /) },
      ]);

      expect(await callback('account_update', lifted)).toBe(200);
      await until('it may send again', async () => (await freeForm(contact)).status === 200);
      await sendCampaign(world, account, 1);
      expect((await unhandled()).filter(({ field }) => field === 'account_update')).toEqual([]);
    });

    it('report reviewed templates', async () => {
      await world.simulator.behave({ review: 'manual' });
      const created = await account.api.post('/api/v1/templates/create', {
        name: 'reviewed',
        category: 'UTILITY',
        body: { text: 'Hello' },
      });
      const meta = String(created.body['meta_template_id']);
      const template = async () =>
        (await account.api.get<{ template: unknown }>(`/api/v1/templates/${created.body['template_id']}`)).body
          .template;
      expect(await template()).toMatchObject({ status: 'PENDING' });
      await world.simulator.review(meta, 'reject', 'INVALID_FORMAT');
      await eventually(async () =>
        expect(await template()).toMatchObject({ status: 'REJECTED', rejection_reason: 'INVALID_FORMAT' }),
      );
    });
  });
});
