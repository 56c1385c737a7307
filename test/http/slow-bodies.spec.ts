import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_BODY_MS } from '../../src/http/request-body.js';
import { HeldTimers } from '../support/held-timers.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

/** Node.js closes idle connections by itself after 72 s; this is well before. Milliseconds. */
const CLOSES_WITHIN_MS = 45_000;

describe('a body that never ends', () => {
  let world: World;
  let account: TestAccount;
  let bodyTimers: HeldTimers;
  const clients: RawConnection[] = [];

  beforeAll(async () => {
    bodyTimers = HeldTimers.of(MAX_BODY_MS);
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
  });
  afterAll(async () => {
    for (const client of clients) client.drop();
    await world.stop();
    bodyTimers.letGo();
  });

  /** Sends the start of a request of 1,000 bytes. */
  const begin = async (path: string, type: string, body: string, authorization = `Bearer ${account.apiKey}`) => {
    const client = await RawConnection.open(world.baseUrl);
    clients.push(client);
    client.head('POST', path, { authorization, 'content-type': type, 'content-length': 1000 });
    client.write(body);
    return client;
  };

  it('is 408 when not even its head arrives, with the same code', async () => {
    const server = world.parley.app.getHttpServer() as Server;
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const client = await RawConnection.open(world.baseUrl);
    const [socket] = await connected;
    client.write('GET /api/v1/contacts/ HTTP/1.1\r\nHost: te');
    // Node.js looks for late heads every 30 seconds, and then says this.
    server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    await until('it is closed', () => client.closed);
    expect(client.statuses).toEqual([408]);
    expect(client.text).toContain('{"error":"request_timeout","message":"the request took too long to arrive"}');
  });

  it('ends its request after 30 seconds, whether or not it was answered', async () => {
    const [json, refused, tooLate, upload, form] = await Promise.all([
      begin('/api/v1/contacts/', 'application/json', '{"phone_number": "'),
      begin('/api/v1/contacts/', 'application/json', '{', 'Bearer wrong'),
      begin('/api/v1/unknown', 'application/json', '{'),
      begin('/api/v1/contacts/import', 'text/csv', 'phone_number\n'),
      begin(
        '/api/v1/contacts/import',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="f"',
      ),
    ]);
    await until('the refusals are there', () => refused.statuses.length + tooLate.statuses.length >= 2);
    expect([...refused.statuses, ...tooLate.statuses]).toEqual([401, 404]);
    expect(clients.filter(({ closed }) => closed)).toEqual([]);
    expect(MAX_BODY_MS).toBe(30_000);
    await until('each body has its limit', () => bodyTimers.running >= clients.length);
    bodyTimers.runOut();
    await until('all are closed', () => clients.every(({ closed }) => closed), CLOSES_WITHIN_MS);
    expect(json.statuses).toEqual([408]);
    expect(json.text).toMatch(/^connection: close/im);
    expect(json.text).toContain(
      '{"error":"request_timeout","message":"the request body must arrive within 30 seconds"}',
    );
    // Requests answered earlier just lose their connection, and so does an upload.
    expect([refused, tooLate, upload, form].map(({ statuses }) => statuses)).toEqual([[401], [404], [], []]);
  });

  it('does not affect requests whose bodies arrive in time', async () => {
    const client = await begin('/api/v1/contacts/', 'application/json', '{"nonsense": "');
    client.write(`${'x'.repeat(1000 - 16)}"}`);
    client.head('GET', '/health/live', {});
    await until('both are answered', () => client.statuses.length >= 2);
    expect(client.statuses).toEqual([400, 200]);
  });
});
