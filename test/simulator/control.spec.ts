import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { until } from '../support/until.js';
import { CUSTOMER, PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

describe('control calls of the simulated network', () => {
  let network: SimulatedNetwork;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  it('show and merge the behaviour', async () => {
    await network.call('POST', '/_sim/reset');
    const defaults = {
      latency_ms: 0,
      max_mps: 0,
      review: 'auto',
      review_delay_ms: 1000,
      statuses: ['sent', 'delivered', 'read'],
      status_delay_ms: 100,
      callback_batch: 1,
      duplicate_rate: 0,
      reorder_rate: 0,
      drop_rate: 0,
      reset_after_accept_rate: 0,
      error: null,
    };
    expect((await network.call('GET', '/_sim/behaviour')).body).toMatchObject(defaults);
    const change = { latency_ms: 1, error: { code: 1, rate: 0.5 } };
    expect((await network.call('POST', '/_sim/behaviour', change)).body).toMatchObject({ ...defaults, ...change });
  });

  it.each([
    [{ latency_ms: -1 }, 'latency_ms'],
    [{ drop_rate: 2 }, 'drop_rate'],
    [{ statuses: ['seen'] }, 'statuses'],
    [{ callback_batch: 0 }, 'callback_batch'],
    [{ error: { code: 'x', rate: 1 } }, 'error'],
    [{ review: 'never' }, 'review'],
    [{ velocity: 1 }, 'velocity'],
  ])('refuse the behaviour %j and change nothing', async (change, word) => {
    const before = (await network.call('GET', '/_sim/behaviour')).body;
    const { status, body } = await network.call<{ message: string }>('POST', '/_sim/behaviour', {
      max_mps: 9,
      ...change,
    });
    expect(status).toBe(400);
    expect(body.message).toContain(word);
    expect((await network.call('GET', '/_sim/behaviour')).body).toEqual(before);
  });

  it('answer 404 to unknown control paths and 400 to bad input', async () => {
    expect((await network.call('GET', '/_sim/nothing')).status).toBe(404);
    expect((await network.call('GET', '/_sim/reset')).status).toBe(404);
    expect((await network.call('POST', '/_sim/behaviour', '{')).status).toBe(400);
    expect((await network.call('POST', '/_sim/phones', { phone_number_id: '1' })).status).toBe(400);
    expect((await network.call('POST', '/_sim/callback', {})).status).toBe(400);
    expect((await network.call('GET', '/_sim/ledger?limit=0')).status).toBe(400);
    expect((await network.call('GET', '/_sim/ledger?after=nobody')).status).toBe(400);
    expect((await network.call('POST', '/_sim/templates/1/review', { decision: 'approve' })).status).toBe(404);
  });

  it('add phones, also of another account', async () => {
    const phone = { phone_number_id: '777', waba_id: '888', display_phone_number: '+1 555 0100' };
    expect((await network.call('POST', '/_sim/phones', phone)).body).toEqual(phone);
    const { body } = await network.call<{ data: object[] }>('GET', '/v23.0/888/phone_numbers');
    expect(body.data).toMatchObject([{ id: '777', display_phone_number: '+1 555 0100' }]);
  });

  it('set details of a phone, and send notices about its business account', async () => {
    const ids = { phone_number_id: '779', waba_id: '889', display_phone_number: '+1 555 0101' };
    const given = { quality_rating: 'YELLOW', throughput_level: 'HIGH', portfolio_id: '999' };
    const added = await network.call('POST', '/_sim/phones', { ...ids, ...given, messaging_limit: 2000 });
    expect(added.body).toEqual({ ...ids, ...given, messaging_limit: 'TIER_2K' });
    expect((await network.call('GET', '/v23.0/779')).body).toMatchObject({
      quality_rating: 'YELLOW',
      throughput: { level: 'HIGH' },
      whatsapp_business_manager_messaging_limit: 'TIER_2K',
    });
    expect((await network.call('GET', '/v23.0/889')).body).toMatchObject({ owner_business_info: { id: '999' } });
    expect((await network.call('GET', '/v23.0/890')).status).toBe(400);
    expect((await network.call('POST', '/_sim/phones', { ...ids, quality_rating: 1 })).status).toBe(400);
    const value = { max_daily_conversations_per_business: -1 };
    await network.call('POST', '/_sim/callback', { field: 'business_capability_update', value, waba_id: '889' });
    const entries = network.receiver.callbacks.map(({ raw }) => JSON.parse(raw.toString()).entry[0]);
    const time = expect.any(Number);
    expect(entries).toContainEqual({ id: '889', time, changes: [{ field: 'business_capability_update', value }] });
    expect((await network.call('POST', '/_sim/phones', { ...ids, error_code: 'x' })).status).toBe(400);
  });

  it('send inbound messages of every type, and answer with their id and the callback status', async () => {
    const types = ['text', 'image', 'video', 'audio', 'document', 'sticker', 'button', 'button_reply', 'reaction'];
    const others = ['location', 'contacts', 'order', 'system', 'unsupported'];
    for (const type of [...types, ...others]) {
      const more = {
        type,
        text: 'Grüße',
        payload: 'P',
        button_id: 'b',
        title: 'T',
        context_id: 'wamid.q',
        emoji: '👍',
      };
      const { id, callback_status } = await network.inbound(CUSTOMER, more);
      expect(callback_status).toBe(200);
      const message = network.receiver.messages.at(-1);
      expect(message).toMatchObject({ id, from: CUSTOMER, type: type === 'button_reply' ? 'interactive' : type });
    }
    const [text] = network.receiver.messages;
    expect(text).toEqual({
      from: CUSTOMER,
      from_user_id: userIdOf(CUSTOMER),
      id: expect.any(String),
      timestamp: expect.stringMatching(/^\d{10}$/),
      type: 'text',
      text: { body: 'Grüße' },
      context: { from: '4930901820', id: 'wamid.q' },
    });
  });

  it('pass on name, media, referral, timestamp and id, and repeat a given id', async () => {
    const media = { id: '1', mime_type: 'image/png', sha256: 'abc', caption: 'Look' };
    const referral = { source_type: 'ad', source_id: '9' };
    const more = { type: 'image', media, referral, name: 'Ada', id: 'wamid.mine', timestamp: 1_700_000_000 };
    for (let i = 0; i < 2; i += 1) expect((await network.inbound(CUSTOMER, more)).id).toBe('wamid.mine');
    const value = network.receiver.changes[1]?.value;
    expect(value).toMatchObject({
      contacts: [{ profile: { name: 'Ada' }, wa_id: CUSTOMER, user_id: userIdOf(CUSTOMER) }],
      messages: [{ id: 'wamid.mine', timestamp: '1700000000', image: media, referral }],
    });
  });

  it('report the status of a refused callback and repeat it', async () => {
    network.receiver.answer = (attempt) => (attempt === 1 ? 401 : 200);
    expect((await network.inbound(CUSTOMER)).callback_status).toBe(401);
    await until('it is repeated', () => network.receiver.messages.length >= 2);
  });

  it.each([
    [{ phone_number_id: 'nobody' }],
    [{ from: '+49' }],
    [{ from: undefined }],
    [{ from: undefined, from_user_id: CUSTOMER }],
    [{ from_user_id: 'US.1' }],
    [{ type: 'telepathy' }],
    [{ text: undefined }],
    [{ timestamp: 'yesterday' }],
  ])('refuse the inbound %j with 400', async (more) => {
    const input = { phone_number_id: PHONE, from: CUSTOMER, type: 'text', text: 'x', ...more };
    expect((await network.call('POST', '/_sim/inbound', input)).status).toBe(400);
  });

  it('send any callback signed, to the account its value names', async () => {
    const value = { ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } };
    expect((await network.call('POST', '/_sim/callback', { field: 'account_update', value })).body).toEqual({
      callback_status: 200,
    });
    expect(network.receiver.changes).toEqual([{ account: WABA, field: 'account_update', value }]);
    expect(network.receiver.callbacks[0]?.headers['x-hub-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
  });

  it('page the ledger by message id, and count total and distinct', async () => {
    await network.inbound(CUSTOMER);
    await network.behave({ statuses: [] });
    const ids = [];
    for (const data of ['a', 'b', 'a', 'ü', 'c']) {
      ids.push(await network.sendText(CUSTOMER, { biz_opaque_callback_data: data }));
    }
    const first = await network.ledger('?limit=2');
    expect(first).toMatchObject({ total: 5, distinct: 4 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.data[0]).toEqual({
      id: ids[0],
      to: CUSTOMER,
      phone_number_id: PHONE,
      biz_opaque_callback_data: 'a',
      type: 'text',
      template_name: null,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const rest = await network.ledger(`?limit=100000&after=${first.data[1]?.id}`);
    expect(rest.data.map((entry) => entry.biz_opaque_callback_data)).toEqual(['a', 'ü', 'c']);
    expect((await network.ledger(`?after=${ids[4]}`)).data).toEqual([]);
  });

  it('show the last Graph calls, newest first, with query and raw body', async () => {
    await network.call('GET', `/v23.0/${WABA}/message_templates?limit=3`);
    await network.post({ text: { body: 'Grüße' } });
    const { body } = await network.call<{ data: { method: string; path: string; body: string; headers: object }[] }>(
      'GET',
      '/_sim/requests?limit=5',
    );
    expect(body.data).toHaveLength(2);
    expect(body.data[0]).toMatchObject({ method: 'POST', path: `/v23.0/${PHONE}/messages`, at: expect.any(String) });
    expect(JSON.parse(body.data[0]?.body ?? '')).toMatchObject({ text: { body: 'Grüße' } });
    expect(body.data[0]?.headers).toMatchObject({ authorization: 'Bearer token' });
    expect(body.data[1]?.path).toBe(`/v23.0/${WABA}/message_templates?limit=3`);
  });

  it('clear ledger, requests, windows and waiting reports on a reset, but keep templates', async () => {
    await network.approved('kept', [{ type: 'BODY', text: 'Hello' }]);
    await network.inbound(CUSTOMER);
    await network.behave({ status_delay_ms: 150 });
    const forgotten = await network.sendText(CUSTOMER);
    await network.reset();
    expect(await network.ledger()).toEqual({ total: 0, distinct: 0, data: [] });
    expect((await network.call('GET', '/_sim/requests')).body).toEqual({ data: [] });
    expect((await network.post({ text: { body: 'x' } })).body.error.code).toBe(131047);
    await network.behave({ status_delay_ms: 100 });
    const { body } = await network.sendTemplate('kept');
    await until('every report has come', () => network.receiver.statusesOf(body.messages[0]?.id ?? '').length >= 3);
    expect(network.receiver.statusesOf(forgotten)).toEqual([]);
  });
});
