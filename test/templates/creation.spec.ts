import type { ServerResponse } from 'node:http';
import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient } from '../support/api-client.js';
import { freePort } from '../support/free-port.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { padded, SAMPLES } from '../support/media-samples.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { CREATE, createUpstream, LIST, upstreamTemplates } from './upstream.js';

const body = { text: 'Hello' };

/** Streams an endless answer without a content length. */
function pour(response: ServerResponse, first: Buffer): void {
  response.write(first);
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536)));
  };
  response.on('drain', more);
  more();
}

describe('creating a template', () => {
  let world: World;
  let files: LoopbackServer;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review: 'manual' });
    files = await LoopbackServer.start((request, response) => {
      if (request.url === '/large.png') response.end(padded(SAMPLES.PNG, 5 * 1024 * 1024 + 1));
      else if (request.url === '/most.png') response.end(padded(SAMPLES.PNG, 5 * 1024 * 1024));
      else if (request.url === '/most.mp4') response.end(padded(SAMPLES.MP4, 16 * 1024 * 1024));
      else if (request.url === '/large.mp4') response.end(padded(SAMPLES.MP4, 16 * 1024 * 1024 + 1));
      else if (request.url === '/large.pdf') {
        response.writeHead(200, { 'content-length': 100 * 1024 * 1024 + 1 }).write(SAMPLES.PDF);
      } else if (request.url === '/endless.png') pour(response, SAMPLES.PNG);
      else if (request.url === '/liar.png') response.writeHead(200, { 'content-type': 'image/png' }).end(SAMPLES.PDF);
      else if (request.url === '/modest') response.writeHead(200, { 'content-type': 'text/html' }).end(SAMPLES.PNG);
      else if (request.url === '/inside.png') response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end();
      else if (request.url === '/a.png') response.end(SAMPLES.PNG);
      else if (request.url === '/a.mp4') response.end(SAMPLES.MP4);
      else response.writeHead(404).end();
    });
  });
  afterAll(async () => {
    await world.stop();
    await files.stop();
  });

  const upstream = ({ phone }: TestAccount) => upstreamTemplates(world.simulator, phone.wabaId);
  const listed = async ({ api }: TestAccount): Promise<Record<string, unknown>[]> =>
    (await api.get<{ templates: Record<string, unknown>[] }>(LIST)).body.templates;

  it('uploads the header’s example file and sends its handle', async () => {
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
    ['/a.mp4', 'IMAGE', /^media_url is video\/mp4: an image must be one of JPEG, PNG$/],
    ['/large.png', 'IMAGE', /^media_url is 5242881 bytes: an image may have at most 5242880 bytes \(5 MB\)$/],
    ['/large.mp4', 'VIDEO', /^media_url is 16777217 bytes: a video may have at most 16777216 bytes \(16 MB\)$/],
    [
      '/large.pdf',
      'DOCUMENT',
      /^media_url is 104857601 bytes: a document may have at most 104857600 bytes \(100 MB\)$/,
    ],
    ['/endless.png', 'IMAGE', /^media_url is more than 5242880 bytes: an image may have at most 5242880 bytes/],
    ['/liar.png', 'IMAGE', /^media_url is application\/pdf: an image must be one of JPEG, PNG$/],
    ['/inside.png', 'IMAGE', /^media_url redirects to a URL that leads to an address that is not public$/],
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

  it.each([
    ['/most.png', 'IMAGE', '5242880', 'image/png'],
    ['/most.mp4', 'VIDEO', '16777216', 'video/mp4'],
    ['/modest', 'IMAGE', String(SAMPLES.PNG.length), 'image/png'],
  ])('uploads the file %s as %s, with its size and the type of its content', async (path, format, size, type) => {
    const account = await world.account();
    const header = { format };
    const created = await account.api.post(CREATE, {
      name: 'pictured',
      category: 'MARKETING',
      header,
      media_url: files.url(path),
      body,
    });
    expect(created.status).toBe(201);
    const [upload] = (await world.simulator.requests('1')).filter((call) => call.path.includes('/1/uploads?'));
    const query = new URL(upload?.path ?? '', world.simulator.url).searchParams;
    expect([query.get('file_length'), query.get('file_type')]).toEqual([size, type]);
  });

  it.each([
    'http://10.0.0.1/a.png',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:192.168.0.1]/a.png',
    'ftp://cdn.example/a.png',
    'file:///etc/passwd',
    'a.png',
  ])('does not fetch from %s (400)', async (media_url) => {
    const account = await world.account();
    const header = { format: 'IMAGE' };
    const refused = await account.api.post(CREATE, { name: 'order', category: 'UTILITY', header, media_url, body });
    expect([refused.status, refused.body.error]).toEqual([400, 'bad_request']);
    expect(refused.body.message).toMatch(/^media_url /);
    expect(await upstream(account)).toEqual([]);
  });

  it('keeps the example file for previews', async () => {
    const account = await world.account();
    const media_url = files.url('/a.png');
    const header = { format: 'IMAGE' };
    const template = { name: 'pictured', category: 'MARKETING', header, media_url, body };
    const created = await account.api.post<{ meta_template_id: string }>(CREATE, template);
    const preview = await account.api.post('/api/v1/templates/preview', { template_name: 'pictured' });
    expect(preview.body).toEqual({
      status: 'success',
      preview: { header: media_url, body: 'Hello', footer: null, buttons: [], missing: ['media_url'] },
    });
    // A sync returns no file, and must not remove this one.
    await world.simulator.review(created.body.meta_template_id, 'approve', undefined, false);
    expect((await account.api.post('/api/v1/templates/sync')).body.summary).toMatchObject({ updated: 1 });
    const again = await account.api.post('/api/v1/templates/preview', { template_name: 'pictured' });
    expect(again.body).toEqual(preview.body);
  });

  it('names the card whose file cannot be used', async () => {
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

  it('answers a broken rule of a carousel with 422 and a detail, before any file is fetched', async () => {
    const { api } = await world.account();
    const card = {
      header_format: 'IMAGE',
      media_url: files.url('/never'),
      buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
    };
    const refused = await api.post('/api/v1/templates/create-carousel', { name: 'sale', body, cards: [card] });
    expect(refused.status).toBe(422);
    expect(refused.body).toEqual({ detail: 'cards must have 2 to 10 entries (got 1)' });
    const bare = await api.post('/api/v1/templates/create-carousel', {
      name: 'sale',
      body,
      cards: [card, { ...card, media_url: '' }],
    });
    expect(bare.status).toBe(400);
    expect(bare.body).toEqual({
      error: 'bad_request',
      message: 'cards[1].media_url is required, unless media_id is given',
    });
    expect(files.requests).not.toContain('GET /never');
  });

  it('treats a carousel as a duplicate of any template with its name and language', async () => {
    const account = await world.account();
    const card = {
      header_format: 'IMAGE',
      media_url: files.url('/a.png'),
      buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
    };
    const create = (language: string) =>
      account.api.post('/api/v1/templates/create-carousel', { name: 'sale', language, body, cards: [card, card] });
    await account.api.post(CREATE, { name: 'sale', category: 'MARKETING', body });
    expect((await create('en_US')).status).toBe(400);
    expect((await create('de')).status).toBe(201);
  });

  it('answers a missing name with 400 in the standard shape', async () => {
    const { api } = await world.account();
    const refused = await api.post(CREATE, {});
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'bad_request', message: 'name is required' });
  });

  it('refuses a duplicate name of the same language (400), not one of another language', async () => {
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

  it('creates one template from concurrent creations with the same name', async () => {
    const account = await world.account();
    const template = { name: 'order', category: 'UTILITY', body };
    const answers = await Promise.all(Array.from({ length: 8 }, () => account.api.post(CREATE, template)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
    expect(await listed(account)).toHaveLength(1);
    expect(await upstream(account)).toHaveLength(1);
  });

  it('refuses a name that only the network knows (400)', async () => {
    const account = await world.account();
    await createUpstream(world.simulator, account.phone.wabaId, 'order');
    const duplicate = await account.api.post(CREATE, { name: 'order', category: 'UTILITY', body });
    expect(duplicate.status).toBe(400);
    expect(duplicate.body.error).toBe('bad_request');
    expect(await listed(account)).toEqual([]);
  });

  it('accepts waba_phone_id: malformed is 400, foreign and unknown are 403', async () => {
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
    // The default is the primary phone.
    expect((await create(undefined, 'other')).status).toBe(201);
    expect(await listed(account)).toEqual([
      expect.objectContaining({ name: 'other', waba_phone_id: account.phone.id }),
      expect.objectContaining({ name: 'order', waba_phone_id: second }),
    ]);
    // Both phones share a business account, so a name is taken for both.
    expect((await create(undefined)).status).toBe(400);
  });

  it('checks shape, then the phone, then the rules, then the name', async () => {
    const account = await world.account();
    const create = (fields: Record<string, unknown>) =>
      account.api.post(CREATE, { name: 'order', category: 'UTILITY', body, ...fields });
    expect((await create({})).status).toBe(201);
    const waba_phone_id = newRecordId();
    const broken = { footer: { text: 'Hi {{1}}' } };
    expect((await create({ waba_phone_id, body: 5, name: 5 })).status).toBe(400);
    expect((await create({ waba_phone_id, body: 5 })).status).toBe(422);
    expect((await create({ waba_phone_id, ...broken })).status).toBe(403);
    expect((await create(broken)).status).toBe(422);
    expect((await create({})).status).toBe(400);
  });

  it('accepts names with a special meaning elsewhere', async () => {
    const account = await world.account();
    for (const name of ['__proto__', 'constructor', '0', '_', 'null', 'a'.repeat(512)]) {
      const create = () =>
        account.api.post(CREATE, { name, category: 'UTILITY', body: { text: 'Hi {{constructor}}' } });
      expect((await create()).status).toBe(201);
      expect((await create()).status).toBe(400);
      const shown = await account.api.post('/api/v1/templates/preview', { template_name: name });
      expect(shown.body.preview).toMatchObject({ body: 'Hi {{constructor}}', missing: ['body_data.constructor'] });
    }
    expect((await account.api.post('/api/v1/templates/sync')).body.summary).toMatchObject({ skipped: 6, deleted: 0 });
  });

  it('reports the network’s refusal in plain words (400) and stores nothing', async () => {
    const account = await world.account();
    // A limit of the network that our rules do not have.
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

  it('requires templates:write and an active account', async () => {
    const reader = await world.account({ scopes: ['templates:read'] });
    expect((await reader.api.post(CREATE, { name: 'order', category: 'UTILITY', body })).status).toBe(403);
    expect((await reader.api.get('/api/v1/templates/')).status).toBe(200);
  });
});

describe('creating a template while the network is in trouble', () => {
  it('answers 503 when it cannot be reached, and stores nothing', async () => {
    const world = await World.start({ env: { NETWORK_BASE_URL: `http://127.0.0.1:${await freePort()}` } });
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
    const world = await World.start({ env: { NETWORK_TIMEOUT_MS: '500', PARLEY_ROLES: 'api' } });
    try {
      const { api, apiKey, phone } = await world.account();
      await world.simulator.behave({ review: 'manual' });
      const upstream = () => upstreamTemplates(world.simulator, phone.wabaId);
      let tries = 0;
      // On a busy machine the time may be over before the network has been asked.
      const lost = await until('the network has accepted one', async () => {
        tries += 1;
        await world.simulator.behave({ latency_ms: 600_000 });
        const answer = await api.post(CREATE, { name: `order_${tries}`, category: 'UTILITY', body });
        await world.simulator.behave({ latency_ms: 0 });
        return (await upstream()).length > 0 && answer;
      });
      expect(lost.status).toBe(504);
      expect(lost.body.error).toBe('network_timeout');
      const { databaseUrl, network } = world.environment;
      const env = { NETWORK_BASE_URL: network.baseUrl, PARLEY_ROLES: 'api' };
      const patient = await World.start({ databaseUrl, env });
      try {
        const later = new ApiClient(patient.baseUrl, apiKey);
        expect((await later.get<{ total: number }>('/api/v1/templates/')).body.total).toBe(0);
        const synced = await later.post<{ summary: { created: number } }>('/api/v1/templates/sync');
        expect(synced.body.summary.created).toBe((await upstream()).length);
      } finally {
        await patient.stop();
      }
    } finally {
      await world.stop();
    }
  });
});
