import { type GraphErrorBody, SimulatedNetwork, WABA } from './simulated-network.js';

interface ListBody {
  data: { id: string; name: string }[];
  paging: { cursors: { before?: string; after?: string }; next?: string; previous?: string };
  summary?: object;
}

const LIST = `/v23.0/${WABA}/message_templates`;
const bodyOf = (text: string) => [{ type: 'BODY', text }];

describe('managing templates on the simulated network', () => {
  let network: SimulatedNetwork;
  const names = ['e', 'd', 'c', 'b', 'a'];
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    network = await SimulatedNetwork.start();
    for (const name of [...names].reverse()) ids[name] = await network.approved(name, bodyOf(`Text of ${name}`));
  });
  afterAll(() => network.stop());

  const list = async (query: string) => (await network.call<ListBody & GraphErrorBody>('GET', `${LIST}?${query}`)).body;
  const namesIn = async (query: string) => (await list(query)).data.map(({ name }) => name);

  it('lists pages forwards and backwards', async () => {
    const first = await list('limit=2');
    expect(first.paging.previous).toBeUndefined();
    const second = await list(`limit=2&after=${first.paging.cursors.after}`);
    expect(second.data.map(({ name }) => name)).toEqual(['c', 'b']);
    expect(second.paging).toMatchObject({ next: expect.any(String), previous: expect.any(String) });
    const back = await (
      await fetch(second.paging.previous ?? '', { headers: { authorization: 'Bearer token' } })
    ).json();
    expect((back as ListBody).data).toEqual(first.data);
    const last = await list(`limit=2&after=${second.paging.cursors.after}`);
    expect([last.data.map(({ name }) => name), last.paging.next]).toEqual([['a'], undefined]);
  });

  it('filters by several statuses and by name or content', async () => {
    await network.call('POST', `/_sim/templates/${ids.a}/review`, { decision: 'pause' });
    expect(await namesIn('status=APPROVED')).toEqual(['e', 'd', 'c', 'b']);
    for (const both of ['APPROVED,PAUSED', '["APPROVED","PAUSED"]']) {
      expect(await namesIn(`status=${encodeURIComponent(both)}`)).toEqual(names);
    }
    expect(await namesIn('name_or_content=of%20c')).toEqual(['c']);
    expect(await namesIn('name_or_content=d')).toEqual(['d']);
  });

  it('sums up', async () => {
    const { summary } = await list('summary=total_count,message_template_limit&limit=1');
    expect(summary).toEqual({ total_count: 5, message_template_limit: 6000 });
    expect((await list('summary=size')).error.code).toBe(100);
  });

  it('refuses cursors that it did not give: 131059 from version 24 on, 100 before', async () => {
    expect((await list('after=nonsense')).error.code).toBe(131059);
    expect((await list('before=nonsense')).error.code).toBe(131059);
    await network.behave({ network_version: 'v23' });
    expect((await list('after=nonsense')).error.code).toBe(100);
  });

  it('shows whether a template can be sent, and no unknown field', async () => {
    const read = (field: string) => network.call<GraphErrorBody>('GET', `/v23.0/${ids.b}?fields=${field}`);
    expect((await read('health_status')).body).toMatchObject({ health_status: { can_send_message: 'AVAILABLE' } });
    expect((await read('correct_category,previous_category,library_template_name')).status).toBe(200);
    expect((await read('health')).body.error.code).toBe(100);
  });

  it('deletes several by id, all or none', async () => {
    const remove = async (given: unknown) =>
      (await network.call('DELETE', `${LIST}?hsm_ids=${encodeURIComponent(JSON.stringify(given))}`)).status;
    expect(await remove([ids.a, '1'])).toBe(400);
    expect(await remove([])).toBe(400);
    expect(await namesIn('')).toEqual(names);
    expect(await remove([ids.a, ids.c])).toBe(200);
    expect(await namesIn('')).toEqual(['e', 'd', 'b']);
  });
});
