import type { IncomingMessage, ServerResponse } from 'node:http';
import { impatient } from '../support/api-client.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES } from '../support/media-samples.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { CREATE, upstreamTemplates } from './upstream.js';

const CAROUSEL = '/api/v1/templates/create-carousel';
const body = { text: 'Hello' };

/** A server of media: `/quick` answers at once, `/drip…` sends a byte now and then for ever. */
class SlowFiles {
  /** Downloads that are open. */
  dripping = 0;
  private constructor(readonly server: LoopbackServer) {}

  static async start(): Promise<SlowFiles> {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/quick') response.end(SAMPLES.PNG);
      else files.drip(response);
    };
    const server = await LoopbackServer.start(answer);
    const files = new SlowFiles(server);
    return files;
  }

  private drip(response: ServerResponse): void {
    response.write(SAMPLES.PNG);
    this.dripping += 1;
    const timer = setInterval(() => response.write(Buffer.alloc(1)), 20);
    response.once('close', () => {
      clearInterval(timer);
      this.dripping -= 1;
    });
  }
}

describe('the example media of a template', () => {
  let files: SlowFiles;
  let world: World;
  beforeEach(async () => {
    files = await SlowFiles.start();
  });
  afterEach(async () => {
    await files.server.stop();
    await world.stop();
  });

  const start = async (timeoutSeconds: number) => {
    world = await World.start({ env: { EXAMPLE_MEDIA_TIMEOUT: String(timeoutSeconds), PARLEY_ROLES: 'api' } });
    await world.simulator.behave({ review: 'manual' });
  };
  const url = (path: string) => files.server.url(path);
  const pictured = (name: string, path: string) => ({
    name,
    category: 'MARKETING',
    header: { format: 'IMAGE' },
    media_url: url(path),
    body,
  });
  const card = (path: string) => ({
    header_format: 'IMAGE',
    media_url: url(path),
    body_text: 'One',
    buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
  });
  const upstream = ({ phone }: TestAccount) => upstreamTemplates(world.simulator, phone.wabaId);
  /** Begins to create a template whose file never ends. @returns gives up, and has the answer */
  const hang = async ({ api }: TestAccount, name: string, headers: Record<string, string> = {}) => {
    const before = files.dripping;
    const client = new AbortController();
    let isRefused = true;
    let answer: Promise<Response | null> = Promise.resolve(null);
    const begin = () => {
      isRefused = false;
      answer = fetch(world.baseUrl + CREATE, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(pictured(name, '/drip')),
        signal: client.signal,
      }).catch(() => null);
      void answer.then(() => {
        isRefused = true;
      });
    };
    await until('the download has begun', () => {
      if (files.dripping > before) return true;
      // A busy service may refuse a request for now.
      if (isRefused) begin();
      return false;
    });
    const giveUp = async () => {
      client.abort();
      await answer;
    };
    return Object.assign(giveUp, { answer });
  };

  it('has one deadline for all files of a request', async () => {
    await start(1);
    const account = await world.account();
    const cards = [card('/quick'), card('/quick'), ...Array.from({ length: 8 }, (_, index) => card(`/drip${index}`))];
    const refused = await account.api.post(CAROUSEL, { name: 'slow', body, cards });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: 'bad_request',
        // On a busy machine the second may be over before the first file that never ends.
        message: expect.stringMatching(
          /^Media download failed: cards\[[012]\]\.media_url was not complete 1 s after the request began, the maximum for all its media$/,
        ),
      },
    });
    const { requests } = files.server;
    expect(['GET /quick', 'GET /quick', 'GET /drip0'].slice(0, requests.length)).toEqual(requests);
    expect(await upstream(account)).toEqual([]);
    await until('the download has ended', () => files.dripping === 0);
  });

  it('is downloaded by at most four requests of an account at once (503)', async () => {
    await start(600);
    const account = await world.account();
    const giveUps = [];
    for (let index = 0; index < 4; index += 1) giveUps.push(await hang(account, `slow_${index}`));
    const refused = await impatient(account).api.post(CREATE, pictured('fifth', '/quick'));
    expect(refused).toMatchObject({
      status: 503,
      body: {
        error: 'unavailable',
        message:
          '4 requests with example media of the account are open, the maximum; the template was not created, try again shortly',
      },
    });
    expect(refused.headers.get('retry-after')).toBe('10');
    // Templates without media and other accounts are not concerned.
    expect((await account.api.post(CREATE, { name: 'plain', category: 'MARKETING', body })).status).toBe(201);
    const other = await world.account();
    expect((await other.api.post(CREATE, pictured('fifth', '/quick'))).status).toBe(201);
    for (const giveUp of giveUps) await giveUp();
  });

  it('is downloaded by at most sixteen requests at once, of which accounts with fewer get theirs', async () => {
    await start(600);
    const giveUps = [];
    const crowd = await Promise.all(Array.from({ length: 4 }, () => world.account()));
    for (const account of crowd) {
      for (let each = 0; each < 4; each += 1) giveUps.push(await hang(account, `slow_${each}`));
    }
    const late = await world.account();
    expect(await late.api.post(CREATE, pictured('late', '/quick'))).toMatchObject({ status: 201 });
    const ended = await giveUps[0]?.answer;
    expect(ended?.status).toBe(503);
    expect(await ended?.text()).toContain(
      'the account has 4 of them, and this one was silent longest; the template was not created, try again shortly',
    );
    await until('its download has ended', () => files.dripping === 15);
    for (const giveUp of giveUps) await giveUp();
  });

  it('is not downloaded any further when the client has gone, and the key is free', async () => {
    await start(600);
    const account = await world.account();
    const headers = { 'idempotency-key': 'once' };
    const giveUp = await hang(account, 'left', headers);
    await giveUp();
    await until('the download has ended', () => files.dripping === 0);
    const created = await until('the key is free', async () => {
      const answer = await account.api.post(CREATE, pictured('left', '/quick'), { headers });
      // Another body under a key that is still held is refused; once it is released, the key belongs to this one.
      return answer.status === 201 && answer;
    });
    expect(created.headers.get('idempotency-replayed')).toBeNull();
    expect(await upstream(account)).toHaveLength(1);
  });
});
