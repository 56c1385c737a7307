import { request } from 'node:http';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import { MANIFEST } from '../../src/rooms.js';
import { ApiClient } from '../support/api-client.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { isReplay, keyRow, type Posting, poster, uniqueKey } from './keys.js';

const CONTACTS = '/api/v1/contacts/';
const GROUPS = '/api/v1/groups/';

describe('Idempotency-Key', () => {
  let world: World;
  let account: TestAccount;
  let post: Posting;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    post = poster(account, CONTACTS);
  });

  const contact = () => ({ phone_number: uniquePhone(), first_name: 'Ada' });
  const total = async () => (await account.api.get<{ total: number }>(CONTACTS)).body.total;
  const age = (key: string, interval: string) =>
    world.unitOfWork.autocommit.affected(
      `UPDATE idempotency_keys SET created_at = created_at - $3::interval WHERE account_id = $1 AND idempotency_key = $2`,
      [account.accountId, key, interval],
    );

  it('replays status and body byte for byte, with Idempotency-Replayed: true', async () => {
    const [body, key] = [contact(), uniqueKey()];
    const first = await post(body, key);
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const second = await post(body, key);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(isReplay(second)).toBe(true);
    expect(await total()).toBe(1);
  });

  it('does not change the first answer', async () => {
    const plain = await post(contact());
    const keyed = await post(contact(), uniqueKey());
    expect(keyed.headers.get('content-type')).toBe(plain.headers.get('content-type'));
    expect(Object.keys(keyed.body)).toEqual(Object.keys(plain.body));
  });

  it('replays an error as well: 409 for an existing contact', async () => {
    const [body, key] = [contact(), uniqueKey()];
    const { body: made } = await post(body);
    const first = await post(body, key);
    expect(first.status).toBe(409);
    await account.api.delete(`${CONTACTS}${(made.contact as { id: string }).id}`);
    const second = await post(body, key);
    expect([second.status, second.text, isReplay(second)]).toEqual([409, first.text, true]);
  });

  it('ignores the order of JSON keys and a trailing slash of the path', async () => {
    const [{ phone_number, first_name }, key] = [contact(), uniqueKey()];
    const first = await post({ phone_number, first_name }, key);
    const second = await post({ first_name, phone_number }, key, '/api/v1/contacts');
    expect([second.status, second.text, isReplay(second)]).toEqual([201, first.text, true]);
  });

  it('answers 422 in the standard shape to the same key with another payload', async () => {
    const [body, key] = [contact(), uniqueKey()];
    await post(body, key);
    const other = await post({ ...body, first_name: 'Eve' }, key);
    expect(other.status).toBe(422);
    expect(other.body).toEqual({ error: 'unprocessable_entity', message: expect.stringContaining('Idempotency-Key') });
    expect((await post({ name: 'g' }, key, GROUPS)).status).toBe(422);
    expect(isReplay(await post(body, key))).toBe(true);
  });

  it.each([
    ['no characters', ''],
    ['256 characters', 'x'.repeat(256)],
    ['non-ASCII characters', 'caf\u00e9'],
  ])('answers 400 to a key of %s', async (_what, key) => {
    const { status, body } = await post(contact(), key);
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'bad_request', message: expect.stringContaining('Idempotency-Key') });
    expect(await total()).toBe(0);
  });

  it('answers 400 to two keys', async () => {
    const postTwo = () =>
      new Promise<number | undefined>((resolve, reject) => {
        // fetch would join them into one line.
        const headers = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' };
        request(world.baseUrl + CONTACTS, { method: 'POST', headers: { ...headers, 'idempotency-key': ['1', '2'] } })
          .on('response', (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end(JSON.stringify(contact()));
      });
    const status = await until('the service has time for it', async () => {
      const answered = await postTwo();
      return answered !== 503 && answered;
    });
    expect(status).toBe(400);
    expect(await total()).toBe(0);
  });

  it('takes 255 characters', async () => {
    expect((await post(contact(), `~ ${'x'.repeat(253)}`)).status).toBe(201);
  });

  it('is checked after the shape of the body: a 400 does not use it up', async () => {
    const key = uniqueKey();
    expect((await post({ first_name: 'Ada' }, key)).status).toBe(400);
    expect((await post({ first_name: 'Ada' }, '')).body).toMatchObject({
      message: expect.stringContaining('phone_number'),
    });
    expect(await keyRow(world, account, key)).toBeNull();
    expect((await post(contact(), key)).status).toBe(201);
  });

  it('is not used up by the shape of a free-form message, which depends on its type', async () => {
    const key = uniqueKey();
    const send = poster(account, '/api/v1/messages/send-message');
    const message = { contact_phone: uniquePhone(), message_type: 'text' };
    expect((await send(message, key)).status).toBe(400);
    const buttons = { type: 'reply', reply_buttons: [] };
    expect((await send({ ...message, message: 'hi', buttons }, key)).status).toBe(422);
    expect((await send({ ...message, message: 'hi' }, key)).status).toBe(403);
    expect(await keyRow(world, account, key)).toBeNull();
  });

  it('is checked after 401 and scopes, and before 404', async () => {
    const key = uniqueKey();
    const nobody = poster({ api: new ApiClient(world.baseUrl, null) }, CONTACTS);
    expect((await nobody(contact(), key)).status).toBe(401);
    const reader = await world.account({ scopes: ['contacts:read'] });
    expect((await poster(reader, CONTACTS)(contact(), '')).status).toBe(403);
    const unknown = { contact_ids: ['01900000-0000-7000-8000-000000000000'] };
    const path = `${GROUPS}01900000-0000-7000-8000-000000000000/contacts`;
    expect((await post(unknown, '', path)).status).toBe(400);
    expect((await post(unknown, key, path)).status).toBe(404);
  });

  it('is released by 404 and 403', async () => {
    const key = uniqueKey();
    const unknown = { name: 'g', contact_ids: ['01900000-0000-7000-8000-000000000000'] };
    expect((await post(unknown, key, GROUPS)).status).toBe(404);
    expect(await keyRow(world, account, key)).toBeNull();
    expect((await post({ name: 'g' }, key, GROUPS)).status).toBe(201);
    const [closed, other] = [uniqueKey(), await world.account()];
    const text = { contact_phone: uniquePhone(), message_type: 'text', message: 'hi' };
    const foreign = { ...text, waba_phone_id: other.phone.id };
    expect((await post(foreign, closed, '/api/v1/messages/send-message')).status).toBe(403);
    expect(await keyRow(world, account, closed)).toBeNull();
  });

  it('lasts 24 hours', async () => {
    const [body, key] = [contact(), uniqueKey()];
    await post(body, key);
    await age(key, '23 hours 59 minutes');
    expect(isReplay(await post(body, key))).toBe(true);
    await age(key, '2 minutes');
    const late = await post(body, key);
    expect([late.status, isReplay(late)]).toEqual([409, false]);
    await age(key, '25 hours');
    expect((await post(contact(), key)).status).toBe(201);
  });

  it('is removed after 24 hours', async () => {
    const [body, young, old] = [contact(), uniqueKey(), uniqueKey()];
    await post(body, young);
    await post(contact(), old);
    await age(old, '25 hours');
    // The only worker sweeps as soon as it starts.
    const another = await World.start();
    try {
      await until('the old key is gone', async () => (await keyRow(world, account, old)) === null);
      expect(await keyRow(world, account, young)).not.toBeNull();
    } finally {
      await another.stop();
    }
  });

  it('keeps its answer encrypted', async () => {
    const [body, key] = [contact(), uniqueKey()];
    await post(body, key);
    const row = await keyRow(world, account, key);
    expect(row).toMatchObject({ statusCode: 201, response: expect.stringMatching(/^v1\./) });
    expect(row?.response).not.toContain(body.phone_number);
  });

  it('is shared only by an API key and its rotated successor', async () => {
    const keys = world.parley.app.get(ApiKeysService);
    const issue = async (idempotencyFamily?: string) => {
      const { accountId } = account;
      const issued = await keys.issue({
        accountId,
        scopes: MANIFEST.scopes,
        ...(idempotencyFamily === undefined ? {} : { idempotencyFamily }),
      });
      return { id: issued.id, post: poster({ api: new ApiClient(world.baseUrl, issued.key) }, CONTACTS) };
    };
    const first = await issue();
    const successor = await issue(first.id);
    const stranger = await issue();
    const [body, key] = [contact(), uniqueKey()];
    const made = await first.post(body, key);
    const again = await successor.post(body, key);
    expect([again.status, again.text, isReplay(again)]).toEqual([201, made.text, true]);
    expect((await stranger.post(body, key)).status).toBe(409);
    expect((await stranger.post(contact(), uniqueKey())).status).toBe(201);
    const otherAccount = await world.account();
    const theirs = await poster(otherAccount, CONTACTS)(body, key);
    expect([theirs.status, isReplay(theirs)]).toEqual([201, false]);
  });

  it('identifies an imported file by its bytes, whatever the form around it', async () => {
    const key = uniqueKey();
    const upload = async (csv: string) => {
      const answer = await until('the service has time for it', async () => {
        const form = new FormData();
        form.append('file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
        const answered = await fetch(`${world.baseUrl}${CONTACTS}import`, {
          method: 'POST',
          headers: { authorization: `Bearer ${account.apiKey}`, 'idempotency-key': key },
          body: form,
        });
        return answered.status !== 503 && answered;
      });
      return { status: answer.status, text: await answer.text(), replayed: answer.headers.has('idempotency-replayed') };
    };
    const csv = `phone_number,first_name\n${uniquePhone()},Ada\n`;
    const first = await upload(csv);
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('"created":1'), replayed: false });
    expect(await upload(csv)).toEqual({ ...first, replayed: true });
    expect((await upload(csv.replace('Ada', 'Eve'))).status).toBe(422);
  });

  it('is described on every POST route that takes an API key', async () => {
    type Operation = { parameters?: { in: string; name: string }[] };
    const { body } = await account.api.get<{ paths: Record<string, { post?: Operation }> }>('/openapi.json');
    // Without a key there is no session either; those of people are about nothing that a key may do.
    const routes = Object.entries(body.paths).filter(
      ([path, { post }]) => post && path.startsWith('/api/v1/') && !path.startsWith('/api/v1/session'),
    );
    expect(routes.length).toBeGreaterThan(15);
    for (const [path, { post }] of routes) {
      const headers = post?.parameters?.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
      expect([path, headers]).toEqual([path, ['Idempotency-Key']]);
    }
  });

  it('is ignored on other methods', async () => {
    const key = uniqueKey();
    const headers = { 'idempotency-key': key };
    expect((await account.api.get(CONTACTS, { headers })).status).toBe(200);
    expect(await keyRow(world, account, key)).toBeNull();
  });
});
