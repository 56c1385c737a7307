import { until } from '../support/until.js';
import { atOneMoment, SimulatedNetwork, WABA } from './simulated-network.js';

const HELLO = { type: 'BODY', text: 'Hello' };
const UTILITY = { category: 'UTILITY', message_send_ttl_seconds: 60 };

describe('notices about templates of the simulated network', () => {
  let network: SimulatedNetwork;
  beforeAll(async () => {
    network = await SimulatedNetwork.start();
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  const decide = (id: string, details: object) =>
    network.call<object>('POST', `/_sim/templates/${id}/review`, { decision: 'category', ...details });
  const notices = () => network.receiver.changes.filter(({ field }) => field === 'template_category_update');
  const shown = async (id: string) =>
    (
      await network.call<object>(
        'GET',
        `/v23.0/${id}?fields=category,correct_category,previous_category,message_send_ttl_seconds`,
      )
    ).body;

  it('say which category a template had and has', async () => {
    const id = await network.approved('moved', [HELLO], UTILITY);
    const { body } = await decide(id, { category: 'MARKETING' });
    expect(body).toEqual({ id, status: 'APPROVED', category: 'MARKETING', callback_status: 200 });
    expect(notices()).toEqual([
      {
        account: WABA,
        field: 'template_category_update',
        value: {
          message_template_id: Number(id),
          message_template_name: 'moved',
          message_template_language: 'en_US',
          previous_category: 'UTILITY',
          new_category: 'MARKETING',
        },
      },
    ]);
    expect(await shown(id)).toEqual({ id, category: 'MARKETING', previous_category: 'UTILITY' });
  });

  it('announce a category that is not in force yet', async () => {
    const id = await network.approved('announced', [HELLO], UTILITY);
    const { body } = await decide(id, { category: 'MARKETING', announced_for: 1_900_000_000 });
    expect(body).toEqual({ id, status: 'APPROVED', category: 'UTILITY', callback_status: 200 });
    expect(notices().map(({ value }) => value)).toMatchObject([
      { new_category: 'UTILITY', correct_category: 'MARKETING', category_update_timestamp: 1_900_000_000 },
    ]);
    expect(await shown(id)).toMatchObject({ category: 'UTILITY', correct_category: 'MARKETING' });
    await decide(id, { category: 'MARKETING', notify: false });
    expect(notices()).toHaveLength(1);
    expect(await shown(id)).toEqual({ id, category: 'MARKETING', previous_category: 'UTILITY' });
  });

  it('change what messages cost', async () => {
    const id = await network.approved('billed', [HELLO], UTILITY);
    await network.sendTemplate('billed');
    await decide(id, { category: 'MARKETING' });
    await network.sendTemplate('billed');
    const sent = () => network.receiver.statuses.filter(({ status }) => status === 'sent');
    await until('both are sent', () => sent().length >= 2);
    expect(sent().map(({ pricing }) => pricing?.category)).toEqual(['utility', 'marketing']);
  });

  const review = (id: string, decision: string, more: object = {}) =>
    network.call<{ status?: string; message?: string }>('POST', `/_sim/templates/${id}/review`, { decision, ...more });
  const stateOf = async (id: string) =>
    (await network.call<object>('GET', `/v23.0/${id}?fields=status,quality_score`)).body;

  it.each([
    ['flag', 'FLAGGED', 'APPROVED'],
    ['lock', 'LOCKED', 'APPROVED'],
    ['archive', 'ARCHIVED', 'ARCHIVED'],
    ['pause', 'PAUSED', 'PAUSED'],
  ])('report %s as %s; lists say %s', async (decision, event, status) => {
    const id = await network.approved(`decided_${decision}`, [HELLO], UTILITY);
    expect((await review(id, decision)).body).toEqual({ id, status, callback_status: 200 });
    expect(network.receiver.changes.at(-1)).toMatchObject({
      field: 'message_template_status_update',
      value: { event, reason: 'NONE', message_template_category: 'UTILITY' },
    });
    expect(await stateOf(id)).toMatchObject({ status });
    const codes: Record<string, number> = { PAUSED: 132015, ARCHIVED: 132001 };
    expect((await network.sendTemplate(`decided_${decision}`)).body.error?.code).toBe(codes[status]);
  });

  it('report reinstated and unarchived templates, which come back, also after a restart', async () => {
    const id = await network.approved('back', [HELLO], UTILITY);
    await review(id, 'disable');
    expect((await review(id, 'reinstate')).body).toMatchObject({ status: 'APPROVED' });
    await review(id, 'pause');
    await review(id, 'archive');
    await review(id, 'archive');
    await network.restart();
    expect(await stateOf(id)).toMatchObject({ status: 'ARCHIVED' });
    expect((await review(id, 'unarchive')).body).toMatchObject({ status: 'PAUSED' });
    expect(network.receiver.changes.at(-1)).toMatchObject({ value: { event: 'UNARCHIVED' } });
  });

  it('leave a review that is still to come', async () => {
    const id = await atOneMoment(async () => {
      const { body } = await network.create('flagged_early', [HELLO], UTILITY);
      expect((await review(body.id, 'flag')).body).toMatchObject({ status: 'PENDING' });
      return body.id;
    });
    await until('it is approved', async () => (await network.statusOf(id)) === 'APPROVED');
  });

  it('report the quality before and after', async () => {
    const id = await network.approved('rated', [HELLO], UTILITY);
    expect(await stateOf(id)).toMatchObject({ quality_score: { score: 'UNKNOWN' } });
    await review(id, 'quality', { quality: 'GREEN' });
    await review(id, 'quality', { quality: 'RED' });
    expect(network.receiver.changes.at(-1)).toMatchObject({
      field: 'message_template_quality_update',
      value: { message_template_id: Number(id), previous_quality_score: 'GREEN', new_quality_score: 'RED' },
    });
    expect(await stateOf(id)).toMatchObject({ status: 'APPROVED', quality_score: { score: 'RED' } });
    expect((await review(id, 'quality', { quality: 'red' })).status).toBe(400);
    expect((await review(id, 'applaud')).status).toBe(400);
  });

  it('refuse what is no category and no time', async () => {
    const id = await network.approved('refused', [HELLO], UTILITY);
    for (const details of [{}, { category: 'marketing' }, { category: 'MARKETING', announced_for: 'tomorrow' }]) {
      expect((await decide(id, details)).status).toBe(400);
    }
    expect(await shown(id)).toMatchObject({ category: 'UTILITY' });
  });

  it('have ids beyond 2^53 as integers with all digits, also after a restart', async () => {
    await network.behave({ big_ids: true, review: 'manual' });
    const ids: string[] = [];
    for (const name of ['big_1', 'big_2', 'big_3']) ids.push((await network.create(name, [HELLO])).body.id);
    for (const id of ids) expect(Number.isSafeInteger(Number(id))).toBe(false);
    const [first = '', second = '', third = ''] = ids;

    network.receiver.answer = () => 500;
    await network.call('POST', `/_sim/templates/${first}/review`, { decision: 'approve' });
    network.receiver.answer = () => 200;
    await network.restart();
    await until('it is repeated', () => network.receiver.callbacks.length >= 2);
    const raw = network.receiver.callbacks.map(({ raw: bytes }) => bytes.toString());
    expect(raw.filter((text) => text.includes(`"message_template_id":${first},`))).toHaveLength(raw.length);

    const list = `/v23.0/${WABA}/message_templates?fields=id&limit=1&name=big_`;
    const page = async (after = '') => {
      const { body } = await network.call<{ data: { id: string }[]; paging: { cursors: { after: string } } }>(
        'GET',
        `${list}${after && `&after=${after}`}`,
      );
      return { id: body.data[0]?.id, after: body.paging.cursors.after };
    };
    const newest = await page();
    const next = await page(newest.after);
    expect([newest.id, next.id, (await page(next.after)).id]).toEqual([third, second, first]);
    expect((await network.call('GET', `${list}&after=x`)).status).toBe(400);
  });
});
