import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { crowd } from '../support/crowd.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { atOneMoment, CUSTOMER, PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

const BODY = [{ type: 'BODY', text: 'Hello' }];

describe('reports and other callbacks of the simulated network', () => {
  let network: SimulatedNetwork;
  let receiver: CallbackReceiver;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    receiver = network.receiver;
    const buttons = [
      { type: 'URL', text: 'Open', url: 'https://example.com' },
      { type: 'QUICK_REPLY', text: 'Yes please' },
    ];
    await network.approved('plain', BODY);
    await network.approved('with_button', [...BODY, { type: 'BUTTONS', buttons }]);
  });
  afterAll(() => network.stop());
  beforeEach(async () => {
    await network.reset();
  });

  const sendPlain = async (to: string, more: object = {}): Promise<string> => {
    const template = { name: 'plain', language: { code: 'en_US' } };
    return network.send({ to, type: 'template', template, ...more });
  };
  /** Sends to `to` and returns the first `count` reported statuses. */
  const reportsFor = async (to: string, count: number): Promise<string[]> => {
    const id = await sendPlain(to);
    await until(`there are ${count} reports`, () => receiver.statusesOf(id).length >= count);
    return receiver.statusesOf(id);
  };

  it('reports sent, delivered and read, echoing the callback data', async () => {
    const id = await sendPlain(CUSTOMER, { biz_opaque_callback_data: 'ours-ü' });
    await until('every report has come', () => receiver.statusesOf(id).length >= 3);
    expect(receiver.statusesOf(id)).toEqual(['sent', 'delivered', 'read']);
    expect(receiver.statuses[0]).toEqual({
      id,
      status: 'sent',
      timestamp: expect.stringMatching(/^\d{10}$/),
      recipient_id: CUSTOMER,
      recipient_user_id: userIdOf(CUSTOMER),
      biz_opaque_callback_data: 'ours-ü',
      pricing: { billable: true, pricing_model: 'PMP', category: 'marketing', type: 'regular' },
    });
    expect(receiver.changes[0]).toMatchObject({ account: WABA, field: 'messages' });
    expect(receiver.changes[0]?.value.contacts).toEqual([{ wa_id: CUSTOMER, user_id: userIdOf(CUSTOMER) }]);
    expect(receiver.changes[0]?.value.metadata).toEqual({
      display_phone_number: '+49 30 901820',
      phone_number_id: PHONE,
    });
    expect(receiver.callbacks[0]?.raw.toString()).toContain('ours-\\u00fc');
  });

  it('keeps status_delay_ms between the steps', async () => {
    await network.behave({ status_delay_ms: 60 });
    const started = Date.now();
    await reportsFor(CUSTOMER, 3);
    // A busy machine may deliver a report late, and the next one in time: each counts from the start.
    const [first = 0, second = 0, third = 0] = receiver.callbacks.map(({ at }) => at - started);
    expect(first).toBeGreaterThanOrEqual(60);
    expect(second).toBeGreaterThanOrEqual(120);
    expect(third).toBeGreaterThanOrEqual(180);
  });

  it('reports nothing when statuses is empty', async () => {
    await network.behave({ statuses: [] });
    await sendPlain(CUSTOMER);
    await network.behave({ statuses: ['sent'] });
    await reportsFor(CUSTOMER, 1);
    expect(receiver.statuses).toHaveLength(1);
  });

  it('9990001 fails later with 131026', async () => {
    expect(await reportsFor('49159990001', 2)).toEqual(['sent', 'failed']);
    expect(receiver.statuses[1]?.errors).toEqual([
      {
        code: 131026,
        title: 'Message undeliverable',
        message: 'Message undeliverable',
        error_data: { details: expect.any(String) },
        href: expect.stringMatching(/^https:/),
      },
    ]);
  });

  it('9990002 is refused immediately with 131030', async () => {
    expect((await network.sendTemplate('plain', [], '49159990002')).body.error.code).toBe(131030);
    expect((await network.ledger()).total).toBe(0);
  });

  it('9990003 is delivered and never read', async () => {
    await reportsFor('49159990003', 2);
    await reportsFor(CUSTOMER, 3);
    expect(receiver.statuses.filter(({ recipient_id }) => recipient_id === '49159990003').map((s) => s.status)).toEqual(
      ['sent', 'delivered'],
    );
  });

  it('9990004 replies hello after all reports, which opens its window', async () => {
    const to = '49159990004';
    const id = await sendPlain(to);
    await until('the customer replies', () => receiver.messages.length > 0);
    expect(receiver.changes.at(-1)?.value.messages).toBeDefined();
    expect(receiver.statusesOf(id)).toEqual(['sent', 'delivered', 'read']);
    expect(receiver.messages).toMatchObject([{ from: to, type: 'text', text: { body: 'hello' }, context: { id } }]);
    await network.sendText(to);
  });

  it('9990005 taps the first quick reply of a template, with the payload of the send or the text', async () => {
    const to = '49159990005';
    const payload = {
      type: 'button',
      sub_type: 'quick_reply',
      index: '1',
      parameters: [{ type: 'payload', payload: 'YES' }],
    };
    const { body } = await network.sendTemplate('with_button', [payload], to);
    await until('the customer taps', () => receiver.messages.length >= 1);
    await network.sendTemplate('with_button', [], to);
    await until('the customer taps again', () => receiver.messages.length >= 2);
    const context = { id: body.messages[0]?.id };
    expect(receiver.messages[0]).toMatchObject({
      type: 'button',
      button: { payload: 'YES', text: 'Yes please' },
      context,
    });
    expect(receiver.messages[1]).toMatchObject({ button: { payload: 'Yes please', text: 'Yes please' } });
  });

  it('9990005 taps the first reply button of an interactive message', async () => {
    const to = '49159990005';
    await network.inbound(to);
    receiver.callbacks.length = 0;
    const buttons = ['a', 'b'].map((id) => ({ type: 'reply', reply: { id, title: `Title ${id}` } }));
    await network.send({
      to,
      type: 'interactive',
      interactive: { type: 'button', body: { text: '?' }, action: { buttons } },
    });
    await until('the customer taps', () => receiver.messages.length >= 1);
    expect(receiver.messages[0]).toMatchObject({
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'a', title: 'Title a' } },
    });
  });

  it('9990006 is refused with 131056 on the first attempt, then accepted', async () => {
    const codes = [];
    for (let i = 0; i < 3; i += 1)
      codes.push((await network.sendTemplate('plain', [], '49159990006')).body.error?.code);
    expect(codes).toEqual([131056, undefined, undefined]);
  });

  it('9990007 accepts, then resets the connection, and the reports follow', async () => {
    await expect(sendPlain('49159990007')).rejects.toThrow('fetch failed');
    const { data } = await network.ledger();
    await until('every report has come', () => receiver.statusesOf(data[0]?.id ?? '').length >= 3);
  });

  it('9990008 accepts, then resets the connection, and no report ever comes', async () => {
    await expect(sendPlain('49159990008')).rejects.toThrow('fetch failed');
    expect((await network.ledger()).total).toBe(1);
    await reportsFor(CUSTOMER, 3);
    expect(receiver.statuses.every(({ recipient_id }) => recipient_id === CUSTOMER)).toBe(true);
  });

  it('9990009 is read without delivered', async () => {
    expect(await reportsFor('49159990009', 2)).toEqual(['sent', 'read']);
  });

  it('9990010 reports in reverse order, twice', async () => {
    await network.behave({ status_delay_ms: 30 });
    const reports = await reportsFor('49159990010', 6);
    expect(reports).toEqual(['read', 'delivered', 'sent', 'read', 'delivered', 'sent']);
  });

  it('repeats, withholds and reorders reports at the given rates', async () => {
    await network.behave({ duplicate_rate: 1 });
    expect((await reportsFor(CUSTOMER, 6)).sort()).toEqual(['delivered', 'delivered', 'read', 'read', 'sent', 'sent']);
    await network.behave({ duplicate_rate: 0, reorder_rate: 1, status_delay_ms: 40 });
    expect(await reportsFor(CUSTOMER, 3)).not.toEqual(['sent', 'delivered', 'read']);
    await network.behave({ reorder_rate: 0, drop_rate: 1 });
    const dropped = await sendPlain(CUSTOMER);
    await network.behave({ drop_rate: 0 });
    await reportsFor(CUSTOMER, 3);
    expect(receiver.statusesOf(dropped)).toEqual([]);
  });

  it('repeats the same random choices with the same seed', async () => {
    const outcomes = async (): Promise<boolean[]> => {
      await network.behave({ seed: 7, error: { code: 131016, rate: 0.5 } });
      const seen = [];
      for (let i = 0; i < 20; i += 1) seen.push((await network.sendTemplate('plain')).body.error === undefined);
      return seen;
    };
    const first = await outcomes();
    expect(new Set(first).size).toBe(2);
    expect(await outcomes()).toEqual(first);
  });

  it('puts callback_batch reports into a body, and sends the rest soon after', async () => {
    await network.behave({ callback_batch: 5, status_delay_ms: 0 });
    // A batch that is not full waits 20 ms for more.
    await atOneMoment(() => crowd(4, () => sendPlain(CUSTOMER)));
    await until('every report has come', () => receiver.statuses.length >= 12);
    const sizes = receiver.changes.map(({ value }) => value.statuses?.length ?? 0);
    expect(Math.max(...sizes)).toBe(5);
    expect(receiver.callbacks.length).toBeLessThan(12);
  });

  it('repeats a callback until it is answered 2xx, after 0.2 s and with doubling delays', async () => {
    receiver.answer = (attempt) => (attempt < 3 ? 500 : 204);
    await network.behave({ statuses: ['sent'] });
    const id = await sendPlain(CUSTOMER);
    await until('it has come three times', () => receiver.statusesOf(id).length >= 3);
    const [first = 0, second = 0, third = 0] = receiver.callbacks.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(190);
    expect(third - second).toBeGreaterThanOrEqual(390);
    expect(new Set(receiver.callbacks.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  it('continues when a receiver comes back', async () => {
    await network.call('POST', '/_sim/callback-url', { url: `http://127.0.0.1:${await freePort()}/` });
    const ids = await crowd(100, () => sendPlain(CUSTOMER));
    await network.call('POST', '/_sim/callback-url', { url: receiver.url });
    await until('every report has come', () => receiver.statuses.length >= 300);
    expect(ids.filter((id) => receiver.statusesOf(id).length !== 3)).toEqual([]);
  });

  it('resets the connection after acceptance at the given rate', async () => {
    await network.behave({ reset_after_accept_rate: 1 });
    await expect(sendPlain(CUSTOMER)).rejects.toThrow('fetch failed');
    expect((await network.ledger()).total).toBe(1);
  });

  it('waits latency_ms between acceptance and answer', async () => {
    await network.behave({ latency_ms: 600_000 });
    let answered = false;
    // Ends without an answer when the network stops.
    sendPlain(CUSTOMER).then(
      () => {
        answered = true;
      },
      () => undefined,
    );
    await until('it is accepted', async () => (await network.ledger()).total >= 1);
    expect(answered).toBe(false);
    await network.behave({ latency_ms: 300 });
    const started = Date.now();
    await sendPlain(CUSTOMER);
    expect(Date.now() - started).toBeGreaterThanOrEqual(290);
  });

  it('injects errors with their code and HTTP status', async () => {
    for (const [code, status] of [
      [131016, 500],
      [130429, 400],
      [190, 401],
      [999999, 400],
    ]) {
      await network.behave({ error: { code, rate: 1 } });
      const reply = await network.sendTemplate('plain');
      expect({ status: reply.status, code: reply.body.error.code }).toEqual({ status, code });
    }
    expect((await network.ledger()).total).toBe(0);
  });

  it('refuses sends above max_mps with 130429 and Retry-After', async () => {
    await network.behave({ max_mps: 5 });
    const replies = await atOneMoment(() => crowd(12, () => network.sendTemplate('plain')));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(7);
    expect(refused[0]).toMatchObject({ status: 429, body: { error: { code: 130429 } } });
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    await until('a second has passed', async () => (await network.sendTemplate('plain')).status === 200);
  });

  it('allows bursts of 45 per pair when pair_limit is on', async () => {
    await network.behave({ pair_limit: true, statuses: [] });
    // The pair may send another one every 6 s.
    const codes = await atOneMoment(() =>
      crowd(46, async () => (await network.sendTemplate('plain')).body.error?.code, 1),
    );
    expect(codes.filter((code) => code === undefined)).toHaveLength(45);
    expect(codes.at(-1)).toBe(131056);
    expect((await network.sendTemplate('plain', [], '4915199999999')).status).toBe(200);
  });
});
