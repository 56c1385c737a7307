import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { atOneMoment, CUSTOMER, PHONE, SimulatedNetwork, WABA } from './simulated-network.js';

const BODY = [{ type: 'BODY', text: 'Hello' }];
const HELD = 'held_for_quality_assessment';

describe('pacing on the simulated network', () => {
  let network: SimulatedNetwork;
  let receiver: CallbackReceiver;
  let templates = 0;

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    receiver = network.receiver;
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  const approved = async (category = 'MARKETING') => {
    templates += 1;
    const name = `paced_${templates}`;
    return { name, id: await network.approved(name, BODY, { category }) };
  };
  /** Sends a template `count` times; returns the ids and what the answers say of them. */
  const send = async (name: string, count: number) => {
    const sent = [];
    for (let i = 0; i < count; i += 1) sent.push((await network.sendTemplate(name)).body.messages[0]);
    return { ids: sent.map((message) => message?.id ?? ''), answers: sent.map((message) => message?.message_status) };
  };
  const reportsOf = async (id: string | undefined, count: number) => {
    await until(`there are ${count} reports`, () => receiver.statusesOf(id ?? '').length >= count);
    const own = receiver.statuses.filter((report) => report.id === id);
    return own.map(({ status, errors }) => errors?.[0]?.code ?? status);
  };
  const notices = () =>
    receiver.changes.filter(({ value }) => value.event === 'PAUSED').map(({ value }) => value as object);

  it('holds all but the first messages of a template, and releases them', async () => {
    const { name, id } = await approved();
    await network.behave({ pacing: { hold_after: 2, verdict: 'release', delay_ms: 300 } });
    const { ids, answers } = await atOneMoment(() => send(name, 4));
    expect(answers).toEqual(['accepted', 'accepted', HELD, HELD]);
    for (const each of ids) expect(await reportsOf(each, 3)).toEqual(['sent', 'delivered', 'read']);
    // None of the held ones is reported before those that went.
    const order = receiver.statuses.map((report) => ids.indexOf(report.id) >= 2);
    expect(order).toEqual([...order].sort());
    expect((await send(name, 1)).answers).toEqual(['accepted']);
    expect(await network.statusOf(id)).toBe('APPROVED');
  });

  it('drops what it held with 132015 and pauses the template, which is paced anew when approved', async () => {
    const { name, id } = await approved();
    await network.behave({ pacing: { hold_after: 1, verdict: 'drop', delay_ms: 300 } });
    const { ids, answers } = await atOneMoment(() => send(name, 3));
    expect(answers).toEqual(['accepted', HELD, HELD]);
    expect(await reportsOf(ids[0], 3)).toEqual(['sent', 'delivered', 'read']);
    for (const each of ids.slice(1)) expect(await reportsOf(each, 1)).toEqual([132015]);
    await until('the pause is reported', () => notices().length >= 1);
    expect(notices()).toHaveLength(1);
    expect(notices()[0]).toMatchObject({
      message_template_name: name,
      message_template_category: 'MARKETING',
      other_info: { title: 'RATE_LIMITING_PAUSE', description: expect.any(String) },
    });
    expect((await network.sendTemplate(name)).body.error.code).toBe(132015);
    await network.call('POST', `/_sim/templates/${id}/review`, { decision: 'approve' });
    expect((await send(name, 2)).answers).toEqual(['accepted', HELD]);
  });

  it('counts each template by itself', async () => {
    const [first, second] = [await approved(), await approved()];
    await network.behave({ pacing: { hold_after: 1, verdict: 'release', delay_ms: 1 } });
    expect([(await send(first.name, 1)).answers, (await send(second.name, 1)).answers]).toEqual([
      ['accepted'],
      ['accepted'],
    ]);
  });

  it('paces utility templates only while one is paused, and authentication and free-form messages never', async () => {
    const [useful, other] = [await approved('UTILITY'), await approved('UTILITY')];
    await network.behave({ pacing: { hold_after: 0, verdict: 'release', delay_ms: 60_000 } });
    expect((await send(useful.name, 1)).answers).toEqual(['accepted']);
    await network.call('POST', `/_sim/templates/${other.id}/review`, { decision: 'pause' });
    expect((await send(useful.name, 1)).answers).toEqual([HELD]);
    await network.inbound(CUSTOMER);
    const { body } = await network.post({ type: 'text', text: { body: 'hi' } });
    expect(body.messages).toEqual([{ id: expect.any(String) }]);
    await network.call('POST', `/_sim/templates/${other.id}/review`, { decision: 'approve' });
  });

  it('closes a portfolio until its review ends: held and later messages fail with 135000', async () => {
    const [first, second] = [await approved(), await approved()];
    await network.behave({ pacing: { hold_after: 1, verdict: 'drop', delay_ms: 50, scope: 'portfolio' } });
    const { ids, answers } = await send(first.name, 1);
    const held = await send(second.name, 1);
    expect([answers, held.answers]).toEqual([['accepted'], [HELD]]);
    expect(await reportsOf(held.ids[0], 1)).toEqual([135000]);
    expect(await reportsOf(ids[0], 3)).toHaveLength(3);
    const later = await send(first.name, 1);
    expect(await reportsOf(later.ids[0], 1)).toEqual([135000]);
    expect([await network.statusOf(first.id), await network.statusOf(second.id)]).toEqual(['APPROVED', 'APPROVED']);
    await network.behave({ pacing: null });
    expect(await reportsOf((await send(first.name, 1)).ids[0], 3)).toHaveLength(3);
  });

  it('pauses the template also after a restart in between', async () => {
    const { name, id } = await approved();
    await network.behave({ pacing: { hold_after: 0, verdict: 'drop', delay_ms: 1 } });
    const { ids } = await atOneMoment(async () => {
      const sent = await send(name, 1);
      await network.restart();
      return sent;
    });
    expect(await reportsOf(ids[0], 1)).toEqual([132015]);
    await until('it is paused', async () => (await network.statusOf(id)) === 'PAUSED');
    await until('the pause is reported', () => notices().length >= 1);
    expect(notices()).toHaveLength(1);
  });

  it.each([
    [{ hold_after: 1, verdict: 'release' }],
    [{ hold_after: 1, verdict: 'later', delay_ms: 1 }],
    [{ hold_after: 1, verdict: 'drop', delay_ms: 1, scope: 'phone' }],
    [{ hold_after: 1, verdict: 'drop', delay_ms: 1, after: 2 }],
    ['drop'],
  ])('cannot be %j (400)', async (pacing) => {
    expect((await network.call('POST', '/_sim/behaviour', { pacing })).status).toBe(400);
  });

  it('counts another portfolio by itself', async () => {
    const other = { phone_number_id: `${PHONE}1`, waba_id: `${WABA}1`, display_phone_number: '+49 30 901821' };
    await network.call('POST', '/_sim/phones', other);
    const { name } = await approved();
    await network.call('POST', `/v23.0/${other.waba_id}/message_templates`, {
      name,
      language: 'en_US',
      category: 'MARKETING',
      components: BODY,
    });
    await network.behave({ pacing: { hold_after: 1, verdict: 'drop', delay_ms: 60_000, scope: 'portfolio' } });
    expect((await send(name, 2)).answers).toEqual(['accepted', HELD]);
    const template = { name, language: { code: 'en_US' } };
    const message = { messaging_product: 'whatsapp', to: CUSTOMER, type: 'template', template };
    const sendThere = () =>
      network.call<{ messages: { message_status: string }[] }>(
        'POST',
        `/v23.0/${other.phone_number_id}/messages`,
        message,
      );
    await until('it is accepted', async () => (await sendThere()).status === 200);
    // The template's second message is the one that would be held.
    expect((await sendThere()).body.messages[0]?.message_status).toBe(HELD);
  });
});
