import type { TestAccount } from '../support/world.js';
import { NetworkBetween } from './network-between.js';
import { LIST, SYNC } from './upstream.js';

interface Summary {
  readonly total_meta_templates: number;
  readonly synced: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly deleted: number;
}

describe('a sync of an unexpected list', () => {
  let network: NetworkBetween;
  beforeAll(async () => {
    network = await NetworkBetween.start();
    await network.world.simulator.behave({ review: 'manual' });
  });
  afterEach(() => network.stepAside());
  afterAll(() => network.stop());

  const entry = (id: number, differences: Record<string, unknown> = {}) => ({
    id: `90000${id}`,
    name: `template_${id}`,
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Hello' }],
    ...differences,
  });
  const show = (list: unknown) => {
    network.intercept = ({ method, path }) =>
      method === 'GET' && path.includes('/message_templates?') ? { json: list } : null;
  };
  const sync = ({ api }: TestAccount) => api.post<{ summary: Summary; error: string; message: string }>(SYNC);
  const listed = async ({ api }: TestAccount) =>
    (await api.get<{ templates: Record<string, unknown>[] }>(LIST)).body.templates;

  it('stores texts that PostgreSQL would reject: one odd template does not block the others', async () => {
    const account = await network.world.account();
    const odd = entry(1, {
      message_send_ttl_seconds: 1e12,
      rejected_reason: 'odd\u0000',
      components: [{ type: 'BODY', text: 'He\u0000llo \ud83d', example: { 'body\u0000_text': [['\udc00']] } }],
    });
    show({ data: [odd, entry(2)] });
    const { status, body } = await sync(account);
    expect([status, body.summary.created]).toEqual([200, 2]);
    expect((await listed(account)).map(({ name, body: text }) => `${name}: ${text}`).sort()).toEqual([
      'template_1: Hello \ufffd',
      'template_2: Hello',
    ]);
    expect((await sync(account)).body.summary).toMatchObject({ skipped: 2, updated: 0 });
  });

  it.each([
    ['of an unknown category', { category: 'SOMETHING_NEW' }],
    ['without a status', { status: undefined }],
    ['that is not a template', { id: null }],
  ])('counts an unknown entry %s and deletes nothing', async (_, differences) => {
    const account = await network.world.account();
    show({ data: [entry(1), entry(2)] });
    expect((await sync(account)).body.summary).toMatchObject({ created: 2 });
    show({ data: [entry(2, { status: 'PAUSED' }), entry(1, differences)] });
    const { status, body } = await sync(account);
    expect(status).toBe(200);
    expect(body.summary).toEqual({
      total_meta_templates: 2,
      synced: 1,
      created: 0,
      updated: 1,
      skipped: 0,
      deleted: 0,
    });
    expect(await listed(account)).toHaveLength(2);
  });

  it.each([
    ['announces more without a cursor', { data: [], paging: { next: 'https://network.example/more' } }],
    ['repeats its pages endlessly', { data: [], paging: { next: 'x', cursors: { after: 'same' } } }],
    ['has no data', { paging: {} }],
  ])('is an error when it %s: nothing is deleted (503)', async (_, list) => {
    const account = await network.world.account();
    show({ data: [entry(1)] });
    await sync(account);
    show(list);
    const { status, body } = await sync(account);
    expect([status, body.error]).toEqual([503, 'network_unavailable']);
    expect(await listed(account)).toHaveLength(1);
  });

  it('counts a template on two pages once', async () => {
    const account = await network.world.account();
    network.intercept = ({ path }) =>
      path.includes('after=')
        ? { json: { data: [entry(2), entry(3)] } }
        : { json: { data: [entry(1), entry(2)], paging: { next: 'x', cursors: { after: 'more' } } } };
    expect((await sync(account)).body.summary).toMatchObject({ total_meta_templates: 3, synced: 3, created: 3 });
  });
});
