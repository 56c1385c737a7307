import { fingerprintOf } from '../../src/idempotency/fingerprint.js';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { isReplay, keyRow, killOwner, killOwnerEarly, uniqueKey } from './keys.js';

const PATH = '/api/v1/contacts';
const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

describe('the stored fingerprint of an idempotent request', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  beforeEach(async () => {
    databaseUrl = await freshDatabase();
    world = await start();
    account = await world.account();
  });
  afterEach(() => world.stop());

  const start = (encryptionKey = `k1:${keyOf(7)}`) =>
    World.start({ databaseUrl, env: { PARLEY_ROLES: 'api', ENCRYPTION_KEY: encryptionKey } });
  /** Continues with another process on the same database. */
  const restart = async (encryptionKey?: string): Promise<void> => {
    await world.stop();
    world = await start(encryptionKey);
    account = { ...account, api: new ApiClient(world.baseUrl, account.apiKey) };
  };
  const execute = (sql: string, parameters: unknown[] = []) => world.unitOfWork.autocommit.affected(sql, parameters);
  const newBody = () => ({ phone_number: uniquePhone(), first_name: '123456' });
  const send = (body: unknown, key: string) => account.api.post(PATH, body, { headers: { 'idempotency-key': key } });
  const storedOf = async (key: string): Promise<Buffer | undefined> => (await keyRow(world, account, key))?.fingerprint;
  const plainOf = (body: unknown): Promise<Buffer> => fingerprintOf({ method: 'POST', url: PATH, body });
  /** Leaves the database as the previous release leaves it. */
  const beOlder = () =>
    execute("DELETE FROM hash_keys WHERE name = 'fingerprints'").then(() =>
      execute('UPDATE hash_keys SET created_at = NULL'),
    );

  it('is a keyed hash, from which a short code in the body cannot be guessed', async () => {
    const [body, key] = [newBody(), uniqueKey()];
    expect((await send(body, key)).status).toBe(201);
    const stored = await storedOf(key);
    expect(stored).toHaveLength(32);
    expect(stored).not.toEqual(await plainOf(body));
    // Another installation stores another hash of the same request.
    await execute("DELETE FROM hash_keys WHERE name = 'fingerprints'");
    await execute('DELETE FROM idempotency_keys');
    await restart();
    await send(body, key);
    expect(await storedOf(key)).not.toEqual(stored);
  });

  it('recognises requests after a restart', async () => {
    const [body, key] = [newBody(), uniqueKey()];
    const first = await send(body, key);
    await restart();
    const again = await send(body, key);
    expect([isReplay(again), again.text]).toEqual([true, first.text]);
    expect((await send(newBody(), key)).status).toBe(422);
  });

  it('recognises requests that the previous release stored as a plain hash', async () => {
    const [answered, abandoned] = [uniqueKey(), uniqueKey()];
    const body = newBody();
    const first = await send(body, answered);
    const other = newBody();
    await send(other, abandoned);
    await killOwnerEarly(world, account, abandoned);
    await execute('DELETE FROM contacts WHERE phone_number = $1', [other.phone_number]);
    for (const [key, sent] of [
      [answered, body],
      [abandoned, other],
    ] as const) {
      await execute('UPDATE idempotency_keys SET fingerprint = $2 WHERE idempotency_key = $1', [
        key,
        await plainOf(sent),
      ]);
    }
    const again = await send(body, answered);
    expect([isReplay(again), again.text]).toEqual([true, first.text]);
    expect((await send(newBody(), answered)).status).toBe(422);
    expect((await send(other, abandoned)).status).toBe(201);
  });

  it('is plain for an hour after an upgrade, so that processes of the previous release recognise it', async () => {
    await beOlder();
    await restart();
    const [early, late] = [uniqueKey(), uniqueKey()];
    const [earlyBody, lateBody] = [newBody(), newBody()];
    await send(earlyBody, early);
    expect(await storedOf(early)).toEqual(await plainOf(earlyBody));
    // Nor could they put back a key or a secret that is stored apart.
    const issue = (key: string) =>
      account.api.post<{ key: string }>('/api/v1/api-keys', { name: key }, { headers: { 'idempotency-key': key } });
    const [issued, shown] = [uniqueKey(), uniqueKey()];
    const { text } = await issue(issued);
    expect(await keyRow(world, account, issued)).toMatchObject({ statusCode: 201, shownOnce: null });
    await execute("UPDATE hash_keys SET created_at = created_at - interval '61 minutes' WHERE name = 'fingerprints'");
    await restart();
    expect((await issue(issued)).text).toBe(text);
    await issue(shown);
    expect(await keyRow(world, account, shown)).toMatchObject({ shownOnce: expect.stringMatching(/^v1\./) });
    await send(lateBody, late);
    expect(await storedOf(late)).not.toEqual(await plainOf(lateBody));
    for (const [body, key] of [
      [earlyBody, early],
      [lateBody, late],
    ] as const) {
      expect(isReplay(await send(body, key))).toBe(true);
    }
    // The process of an hour ago is replaced by one that knows keyed hashes, whichever of the two claimed the key.
    await killOwner(world, account, early);
    expect((await send(earlyBody, early)).status).toBe(201);
  });

  it('cannot be computed while its key is unreadable: requests with an Idempotency-Key get 503, others work', async () => {
    const [body, key] = [newBody(), uniqueKey()];
    await send(body, key);
    await restart(`k2:${keyOf(8)}`);
    const refused = await account.api.impatient.post(PATH, body, { headers: { 'idempotency-key': key } });
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      503,
      '60',
      {
        error: 'unavailable',
        message:
          'hash_keys.secret of fingerprints is encrypted with key "k1", which is not configured. Start the service with ' +
          'the key that encrypted it in ENCRYPTION_KEY',
      },
    ]);
    // Not a contact: the key that recognises opt-outs of people without one is just as unreadable.
    expect((await account.api.post('/api/v1/groups', { name: 'Without a key' })).status).toBe(201);
    expect((await account.api.get(`${PATH}/`)).status).toBe(200);
    await restart();
    expect(isReplay(await send(body, key))).toBe(true);
  });
});
