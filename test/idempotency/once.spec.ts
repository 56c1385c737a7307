import type { ApiResponse } from '../support/api-client.js';
import { crowd, crowdOf } from '../support/crowd.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { isReplay, keyRow, killOwner, killOwnerEarly, poster, uniqueKey } from './keys.js';

const SEND = '/api/v1/messages/send';
const FREE_FORM = '/api/v1/messages/send-message';
const CAMPAIGNS = '/api/v1/campaigns/';
const CONTACTS = '/api/v1/contacts/';

describe('a POST repeated with its Idempotency-Key', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };
  beforeAll(async () => {
    world = await World.start();
    account = await world.account();
    template = await approvedTemplate(world, account);
  });
  afterEach(() => world.simulator.behave({ latency_ms: 0, error: null, reset_after_accept_rate: 0, drop_rate: 0 }));
  afterAll(() => world.stop());

  const post = (body: unknown, key: string, path = SEND) => poster(account, path)(body, key);
  const message = (phone = uniquePhone()) => ({ template_name: template.name, contact_phone: phone });
  const sentTo = async (phone: string) =>
    (await world.simulator.ledger(account.phone.phoneNumberId)).filter(({ to }) => to === phone);
  const expectReplay = (again: ApiResponse, first: ApiResponse) => {
    expect([again.status, again.text, isReplay(again)]).toEqual([first.status, first.text, true]);
  };
  const timesMade = async (key: string) => {
    const row = await keyRow(world, account, key);
    const found = await world.unitOfWork.autocommit.row<{ count: number }>(
      'SELECT count(*) AS count FROM messages WHERE account_id = $1 AND id = $2',
      [account.accountId, row?.recordId],
    );
    return found?.count;
  };

  it('sends one message, however often it is repeated', async () => {
    const [phone, key] = [uniquePhone(), uniqueKey()];
    const first = await post(message(phone), key);
    expect(first.status).toBe(200);
    expectReplay(await post(message(phone), key), first);
    expectReplay(await post(message(phone), key), first);
    expect(await sentTo(phone)).toHaveLength(1);
  });

  it('sends one message for 20 concurrent requests with one key; the others are replays or 409', async () => {
    await world.simulator.behave({ latency_ms: 100 });
    const [phone, key] = [uniquePhone(), uniqueKey()];
    // All at once: the first that is answered ends the race.
    const answers = await crowd(20, () => post(message(phone), key), 20);
    const made = answers.filter((answer) => answer.status === 200 && !isReplay(answer));
    expect(made).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status !== 409) expect([answer.status, answer.text]).toEqual([200, made[0]?.text]);
      else {
        expect(answer.body).toEqual({ error: 'conflict', message: expect.stringContaining('in progress') });
        expect(answer.headers.get('retry-after')).toBe('1');
      }
    }
    expect(await sentTo(phone)).toHaveLength(1);
  });

  it('keeps different keys apart when sends share a commit', async () => {
    const sends = Array.from({ length: 20 }, () => ({ body: message(), key: uniqueKey() }));
    const first = await crowdOf(sends, ({ body, key }) => post(body, key));
    const again = await crowdOf(sends, ({ body, key }) => post(body, key));
    first.forEach((answer, index) => {
      expect(answer.status).toBe(200);
      expectReplay(again[index] as ApiResponse, answer);
    });
    for (const [index, { key }] of sends.entries()) {
      expect((await keyRow(world, account, key))?.recordId).toBe(first[index]?.body.message_id);
    }
  });

  it('creates one contact for 20 concurrent requests with one key', async () => {
    const [contact, key] = [{ phone_number: uniquePhone(), first_name: 'Ada' }, uniqueKey()];
    const answers = await crowd(20, () => post(contact, key, CONTACTS), 20);
    expect(answers.filter((answer) => answer.status === 201 && !isReplay(answer))).toHaveLength(1);
    expect(answers.every(({ body, status }) => status === 201 || /in progress/.test(String(body.message)))).toBe(true);
  });

  it('creates one campaign and starts it once', async () => {
    const [body, key, sendKey] = [
      { name: 'Spring', template_name: template.name, contacts: [{ phone: uniquePhone() }, { phone: '12' }] },
      uniqueKey(),
      uniqueKey(),
    ];
    const made = await post(body, key, CAMPAIGNS);
    expect(made.status).toBe(200);
    expectReplay(await post(body, key, CAMPAIGNS), made);
    const path = `${CAMPAIGNS}${made.body.campaign_id}/send`;
    const started = await post(undefined, sendKey, path);
    expect(started.status).toBe(202);
    expectReplay(await post(undefined, sendKey, path), started);
    expect((await post(undefined, uniqueKey(), path)).status).toBe(400);
  });

  it('replays a rejection by the network with its X-Message-Id and sends nothing', async () => {
    await world.simulator.behave({ error: { code: 131026, rate: 1 } });
    const [phone, key] = [uniquePhone(), uniqueKey()];
    const first = await post(message(phone), key);
    expect([first.status, first.body.error]).toEqual([400, 'network_rejected']);
    await world.simulator.behave({ error: null });
    const again = await post(message(phone), key);
    expectReplay(again, first);
    expect(again.headers.get('x-message-id')).toBe(first.headers.get('x-message-id'));
    expect(await sentTo(phone)).toHaveLength(0);
  });

  it('replays a 504: a message that may have been sent is not sent again', async () => {
    await world.simulator.behave({ reset_after_accept_rate: 1 });
    const [phone, key] = [uniquePhone(), uniqueKey()];
    const first = await post(message(phone), key);
    expect([first.status, first.body.error]).toEqual([504, 'network_timeout']);
    await world.simulator.behave({ reset_after_accept_rate: 0 });
    const again = await post(message(phone), key);
    expectReplay(again, first);
    expect(again.headers.get('x-message-id')).toBe(first.headers.get('x-message-id'));
  });

  describe('whose process died', () => {
    it('answers 409 until the lease expires', async () => {
      const [body, key] = [message(), uniqueKey()];
      await post(body, key);
      await killOwner(world, account, key);
      await world.unitOfWork.autocommit.affected(
        `UPDATE idempotency_keys SET lease_until = now() + interval '50 seconds'
         WHERE account_id = $1 AND idempotency_key = $2`,
        [account.accountId, key],
      );
      expect((await post(body, key)).status).toBe(409);
      expect((await post({ ...body, contact_name: 'Eve' }, key)).status).toBe(422);
    });

    it('answers 504 with X-Message-Id for a pending message, and never runs again', async () => {
      const [phone, key] = [uniquePhone(), uniqueKey()];
      await world.simulator.behave({ reset_after_accept_rate: 1, drop_rate: 1 });
      const lost = await post(message(phone), key);
      await killOwner(world, account, key);
      const first = await post(message(phone), key);
      expect([first.status, first.body.error, isReplay(first)]).toEqual([504, 'network_timeout', true]);
      expect(first.headers.get('x-message-id')).toBe(lost.headers.get('x-message-id'));
      expectReplay(await post(message(phone), key), first);
      expect(await sentTo(phone)).toHaveLength(1);
    });

    it('answers as the send would have for a message the network accepted', async () => {
      const [phone, key] = [uniquePhone(), uniqueKey()];
      const first = await post(message(phone), key);
      await killOwner(world, account, key);
      const again = await post(message(phone), key);
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...first.body, timestamp: expect.any(String) });
      expectReplay(await post(message(phone), key), again);
      expect(await sentTo(phone)).toHaveLength(1);
      expect(await timesMade(key)).toBe(1);
    });

    it('lets only one of 20 requests answer from the message, and sends nothing', async () => {
      const [phone, key] = [uniquePhone(), uniqueKey()];
      await post(message(phone), key);
      await killOwner(world, account, key);
      const answers = await crowd(20, () => post(message(phone), key), 20);
      expect(answers.every((answer) => answer.status === 409 || (answer.status === 200 && isReplay(answer)))).toBe(
        true,
      );
      expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
      expect(await sentTo(phone)).toHaveLength(1);
    });

    it('runs when nothing was created', async () => {
      const [phone, key] = [uniquePhone(), uniqueKey()];
      await post(message(phone), key);
      await killOwnerEarly(world, account, key);
      const again = await post(message(phone), key);
      expect([again.status, isReplay(again)]).toEqual([200, false]);
      expect(await sentTo(phone)).toHaveLength(2);
    });

    it('stops an owner presumed dead from creating anything', async () => {
      const [phone, key] = [uniquePhone(), uniqueKey()];
      const { unitOfWork } = world;
      // The first request waits for a contact that another session has locked, while its key is taken over.
      const contact = { phone_number: phone, first_name: 'Ada' };
      const { body } = await poster(account, CONTACTS)(contact);
      const id = (body.contact as { id: string }).id;
      let late: Promise<ApiResponse> | undefined;
      const session = await ForeignSession.open(world.environment.databaseUrl);
      try {
        await session.lock('contacts', 'account_id = $1 AND id = $2', [account.accountId, id]);
        late = post(contact, key, CONTACTS);
        await until('the key is taken over', () =>
          unitOfWork.autocommit.affected(
            `UPDATE idempotency_keys SET owner = gen_random_uuid() WHERE account_id = $1 AND idempotency_key = $2`,
            [account.accountId, key],
          ),
        );
        await session.query('UPDATE contacts SET deleted_at = now() WHERE account_id = $1 AND id = $2', [
          account.accountId,
          id,
        ]);
        await session.query('COMMIT');
      } finally {
        await session.close();
      }
      expect((await late)?.status).toBe(409);
      expect((await account.api.get(`${CONTACTS}${id}`)).status).toBe(404);
      expect(await keyRow(world, account, key)).toMatchObject({ recordId: null, statusCode: null });
    });

    it('answers from the free-form message, contact, group, template or webhook that was created', async () => {
      const phone = uniquePhone();
      await world.simulator.inbound({
        phone_number_id: account.phone.phoneNumberId,
        from: phone,
        type: 'text',
        text: 'hi',
      });
      const name = () => `n_${uniquePhone()}`;
      const requests: [path: string, body: unknown][] = [
        [FREE_FORM, { contact_phone: phone, message_type: 'text', message: 'hello' }],
        [CONTACTS, { phone_number: uniquePhone(), first_name: 'Ada' }],
        ['/api/v1/groups/', { name: name() }],
        ['/api/v1/templates/create', { name: name(), category: 'UTILITY', body: { text: 'Hello' } }],
        ['/api/v1/webhooks/', { url: 'http://127.0.0.1:9/hook', secret: 'shh' }],
        [CAMPAIGNS, { name: 'Spring', template_name: template.name, contacts: [{ phone }, { phone: '12' }] }],
      ];
      for (const [path, body] of requests) {
        const key = uniqueKey();
        const first = await post(body, key, path);
        expect([path, first.status < 300]).toEqual([path, true]);
        await killOwner(world, account, key);
        const again = await post(body, key, path);
        expect([path, again.status, isReplay(again)]).toEqual([path, first.status, true]);
        const { timestamp: _, meta_status: __, ...same } = first.body;
        expect(again.body).toMatchObject(same);
      }
    });

    it('answers 202 for a campaign that was started', async () => {
      const body = { name: 'Spring', template_name: template.name, contacts: [{ phone: uniquePhone() }] };
      const { body: made } = await post(body, uniqueKey(), CAMPAIGNS);
      const [path, key] = [`${CAMPAIGNS}${made.campaign_id}/send`, uniqueKey()];
      const first = await post(undefined, key, path);
      await killOwner(world, account, key);
      const again = await post(undefined, key, path);
      expect([again.status, isReplay(again)]).toEqual([202, true]);
      expect(again.body).toEqual({ ...first.body, timestamp: expect.any(String) });
    });
  });

  it('is released by a 503: the message was not sent and may be sent with the same key', async () => {
    const away = await World.start({ env: { PARLEY_ROLES: 'api', NETWORK_BASE_URL: 'http://127.0.0.1:9' } });
    try {
      // Opens the window directly, because templates need the network.
      const tenant = await world.account();
      const phone = uniquePhone();
      await world.simulator.inbound({
        phone_number_id: tenant.phone.phoneNumberId,
        from: phone,
        type: 'text',
        text: 'hi',
      });
      const [body, key] = [{ contact_phone: phone, message_type: 'text', message: 'hello' }, uniqueKey()];
      const client = { api: Object.assign(Object.create(tenant.api), { baseUrl: away.baseUrl }) };
      const refused = await poster(client, FREE_FORM)(body, key);
      expect([refused.status, refused.body.error]).toEqual([503, 'network_unavailable']);
      expect(await keyRow(world, tenant, key)).toBeNull();
      const sent = await poster(tenant, FREE_FORM)(body, key);
      expect([sent.status, isReplay(sent)]).toEqual([200, false]);
    } finally {
      await away.stop();
    }
  });
});
