import { newRecordId } from '../../src/values/record-id.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { padded, SAMPLES } from '../support/media-samples.js';
import { type TestAccount, World } from '../support/world.js';

const CREATE = '/api/v1/templates/create';
const body = { text: 'Hello' };

describe('creating a template', () => {
  let world: World;
  let files: LoopbackServer;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review: 'manual' });
    files = await LoopbackServer.start((request, response) => {
      if (request.url === '/large.png') response.end(padded(SAMPLES.PNG, 5 * 1024 * 1024 + 1));
      else if (request.url === '/a.png') response.end(SAMPLES.PNG);
      else if (request.url === '/a.mp4') response.end(SAMPLES.MP4);
      else response.writeHead(404).end();
    });
  });
  afterAll(async () => {
    await world.stop();
    await files.stop();
  });

  const upstream = async ({ phone }: TestAccount): Promise<{ name: string; components: unknown }[]> => {
    const response = await fetch(`${world.simulator.url}/v23.0/${phone.wabaId}/message_templates?limit=1000`, {
      headers: { authorization: 'Bearer test' },
    });
    return ((await response.json()) as { data: { name: string; components: unknown }[] }).data;
  };
  const listed = async ({ api }: TestAccount): Promise<Record<string, unknown>[]> =>
    (await api.get<{ templates: Record<string, unknown>[] }>('/api/v1/templates/')).body.templates;

  it('uploads the header’s example file and uses its handle (D73)', async () => {
    const account = await world.account();
    const media_url = files.url('/a.png');
    const { status } = await account.api.post(CREATE, {
      name: 'pictured',
      category: 'MARKETING',
      header: { format: 'IMAGE' },
      media_url,
      body,
    });
    expect(status).toBe(201);
    const [template] = await upstream(account);
    expect(template?.components).toEqual([
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [expect.stringMatching(/^4::/)] } },
      { type: 'BODY', text: 'Hello' },
    ]);
    expect(await listed(account)).toEqual([
      expect.objectContaining({ header_format: 'IMAGE', requires_media: true, carousel_cards: null }),
    ]);
  });

  it('uploads the file of each card of a carousel, and keeps their URLs', async () => {
    const account = await world.account();
    const card = {
      header_format: 'VIDEO',
      media_url: files.url('/a.mp4'),
      body_text: 'One',
      buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
    };
    const created = await account.api.post('/api/v1/templates/create-carousel', {
      name: 'sale',
      body: { text: 'For {{1}}' },
      cards: [card, card],
    });
    expect(created.status).toBe(201);
    expect(await listed(account)).toEqual([
      expect.objectContaining({
        id: created.body.template_id,
        category: 'MARKETING',
        header_format: 'NONE',
        requires_media: false,
        is_carousel: true,
        variable_count: 1,
        carousel_cards: [card, card],
      }),
    ]);
  });

  it.each([
    ['/none.png', 'IMAGE', /media_url answered HTTP 404/],
    ['/a.mp4', 'IMAGE', /^media_url holds video\/mp4: an image must be JPEG, PNG$/],
    ['/large.png', 'IMAGE', /^media_url holds \d+ bytes: an image has at most 5242880 bytes \(5 MB\)$/],
  ])('refuses the file %s as %s (400) and leaves nothing behind', async (path, format, message) => {
    const account = await world.account();
    const refused = await account.api.post(CREATE, {
      name: 'pictured',
      category: 'MARKETING',
      header: { format },
      media_url: files.url(path),
      body,
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'bad_request', message: expect.stringMatching(message) });
    expect(await upstream(account)).toEqual([]);
    expect(await listed(account)).toEqual([]);
  });

  it('says which card’s file cannot be used', async () => {
    const account = await world.account();
    const card = (path: string) => ({
      header_format: 'IMAGE',
      media_url: files.url(path),
      buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
    });
    const refused = await account.api.post('/api/v1/templates/create-carousel', {
      name: 'sale',
      body,
      cards: [card('/a.png'), card('/none.png')],
    });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/cards\[1\]\.media_url answered HTTP 404/);
  });

  it('answers a broken rule with 422 and a detail', async () => {
    const { api } = await world.account();
    const refused = await api.post(CREATE, { name: 'Order', category: 'UTILITY', body });
    expect(refused.status).toBe(422);
    expect(refused.body).toEqual({ detail: expect.stringMatching(/^name must consist of lowercase letters/) });
  });

  it('answers a missing name with 400 in the standard shape', async () => {
    const { api } = await world.account();
    const refused = await api.post(CREATE, {});
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'bad_request', message: 'name is required' });
  });

  it('refuses a duplicate name of the same language (400), not one of another language (D26)', async () => {
    const account = await world.account();
    const template = { name: 'order', category: 'UTILITY', body };
    expect((await account.api.post(CREATE, template)).status).toBe(201);
    const duplicate = await account.api.post(CREATE, template);
    expect(duplicate.status).toBe(400);
    expect(duplicate.body).toEqual({
      error: 'bad_request',
      message: 'name order already exists in en_US for the business account of this phone number',
    });
    expect((await account.api.post(CREATE, { ...template, language: 'de' })).status).toBe(201);
  });

  it('makes one template of several creations of the same name at once', async () => {
    const account = await world.account();
    const template = { name: 'order', category: 'UTILITY', body };
    const answers = await Promise.all(Array.from({ length: 8 }, () => account.api.post(CREATE, template)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
    expect(await listed(account)).toHaveLength(1);
    expect(await upstream(account)).toHaveLength(1);
  });

  it('refuses a name that only the network knows (400)', async () => {
    const account = await world.account();
    await fetch(`${world.simulator.url}/v23.0/${account.phone.wabaId}/message_templates`, {
      method: 'POST',
      headers: { authorization: 'Bearer test', 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'order',
        language: 'en_US',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Hello' }],
      }),
    });
    const duplicate = await account.api.post(CREATE, { name: 'order', category: 'UTILITY', body });
    expect(duplicate.status).toBe(400);
    expect(duplicate.body.error).toBe('bad_request');
    expect(await listed(account)).toEqual([]);
  });

  it('takes waba_phone_id: malformed is 400, foreign and unknown are 403 (D47)', async () => {
    const account = await world.account({ phones: 2 });
    const stranger = await world.account();
    const create = (waba_phone_id: unknown, name = 'order') =>
      account.api.post(CREATE, { name, category: 'UTILITY', body, waba_phone_id });
    expect((await create('x')).status).toBe(400);
    for (const foreign of [stranger.phone.id, newRecordId()]) {
      const refused = await create(foreign);
      expect(refused.status).toBe(403);
      expect(refused.body.error).toBe('forbidden');
    }
    const second = account.phones[1]?.id;
    expect((await create(second)).status).toBe(201);
    expect(await listed(account)).toEqual([expect.objectContaining({ waba_phone_id: second })]);
  });

  it('tells the network’s refusal in plain words (400) and stores nothing', async () => {
    const account = await world.account();
    // The network knows its own limits: this one is not in SPEC.
    await world.simulator.behave({ max_templates_per_hour: 1 });
    try {
      expect((await account.api.post(CREATE, { name: 'one', category: 'UTILITY', body })).status).toBe(201);
      const refused = await account.api.post(CREATE, { name: 'two', category: 'UTILITY', body });
      expect(refused.status).toBe(503);
      expect(refused.body.error).toBe('network_unavailable');
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(refused.body.message).toContain('No more than 1 templates can be created in an hour');
    } finally {
      await world.simulator.behave({ max_templates_per_hour: 0 });
    }
    expect(await listed(account)).toHaveLength(1);
  });

  it('needs templates:write, and an active account', async () => {
    const reader = await world.account({ scopes: ['templates:read'] });
    expect((await reader.api.post(CREATE, { name: 'order', category: 'UTILITY', body })).status).toBe(403);
    expect((await reader.api.get('/api/v1/templates/')).status).toBe(200);
  });
});

describe('creating a template while the network is in trouble', () => {
  it('answers 503 when it cannot be reached, and stores nothing', async () => {
    const nowhere = await LoopbackServer.start(() => undefined);
    await nowhere.stop();
    const world = await World.start({ env: { NETWORK_BASE_URL: nowhere.url().replace(/\/$/, '') } });
    try {
      const { api } = await world.account();
      const failed = await api.post(CREATE, { name: 'order', category: 'UTILITY', body });
      expect(failed.status).toBe(503);
      expect(failed.body).toEqual({
        error: 'network_unavailable',
        message: 'the template order was not created: the network could not be reached',
      });
      expect((await api.get('/api/v1/templates/')).body).toEqual({ status: 'success', templates: [], total: 0 });
    } finally {
      await world.stop();
    }
  });

  it('answers 504 when its answer is lost; the next sync finds the template', async () => {
    const world = await World.start({ env: { NETWORK_TIMEOUT_MS: '500' } });
    try {
      const { api } = await world.account();
      await world.simulator.behave({ review: 'manual', latency_ms: 2500 });
      const lost = await api.post(CREATE, { name: 'order', category: 'UTILITY', body });
      expect(lost.status).toBe(504);
      expect(lost.body.error).toBe('network_timeout');
      await world.simulator.behave({ latency_ms: 0 });
      expect((await api.get<{ total: number }>('/api/v1/templates/')).body.total).toBe(0);
      const synced = await api.post<{ summary: { created: number } }>('/api/v1/templates/sync');
      expect(synced.body.summary.created).toBe(1);
    } finally {
      await world.stop();
    }
  });
});
