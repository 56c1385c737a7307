import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

/** A body must arrive within 30 seconds. */
const PATIENCE_MS = 45_000;

describe('a body that never ends', () => {
  let world: World;
  let account: TestAccount;
  const clients: RawConnection[] = [];

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
  });
  afterAll(async () => {
    for (const client of clients) client.drop();
    await world.stop();
  });

  /** Sends the start of a request of 1,000 bytes. */
  const begin = async (path: string, type: string, body: string, authorization = `Bearer ${account.apiKey}`) => {
    const client = await RawConnection.open(world.baseUrl);
    clients.push(client);
    client.head('POST', path, { authorization, 'content-type': type, 'content-length': 1000 });
    client.write(body);
    return client;
  };

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
    await until('the refusals are there', () => refused.statuses.length + tooLate.statuses.length === 2);
    expect([...refused.statuses, ...tooLate.statuses]).toEqual([401, 404]);
    expect(clients.filter(({ closed }) => closed)).toEqual([]);
    await until('all are closed', () => clients.every(({ closed }) => closed), PATIENCE_MS);
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
    await until('both are answered', () => client.statuses.length === 2);
    expect(client.statuses).toEqual([400, 200]);
  });
});
