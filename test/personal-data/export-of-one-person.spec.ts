import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { AnswerErasureService } from '../../src/idempotency/answer-erasure.service.js';
import { IdempotencyKey } from '../../src/idempotency/idempotency-key.entity.js';
import { answerPlace } from '../../src/idempotency/idempotency-keys.service.js';
import type { StoredAnswer } from '../../src/idempotency/stored-answer.js';
import { LoggedEvent } from '../../src/outbox/logged-event.entity.js';
import { recordUnhandled } from '../../src/reports/unhandled-callback.queries.js';
import { NIL_ID, newRecordId } from '../../src/values/record-id.js';
import { PersonTokens } from '../../src/values/redaction.js';
import { WebhookAttempt } from '../../src/webhooks/webhook-attempt.entity.js';
import { WebhookDelivery } from '../../src/webhooks/webhook-delivery.entity.js';
import { scopesOf } from '../http/routes.js';
import { isReplay, keyRow, killOwner, uniqueKey } from '../idempotency/keys.js';
import { ApiClient } from '../support/api-client.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { subscribe } from '../webhooks/events.js';

interface Person {
  readonly id: string;
  readonly phone: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

/** A stored answer as an export shows it. */
interface ExportedAnswer {
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number;
  readonly at: string;
  readonly idempotency_key?: string;
  readonly about: unknown[];
}

interface Export {
  readonly stored_answers: readonly ExportedAnswer[];
  readonly callbacks: readonly { about: unknown[] }[];
  readonly events: readonly Record<string, unknown>[];
  readonly deliveries: readonly { attempts: readonly { response: string | null }[] }[];
}

describe('the export of one contact', () => {
  let world: World;
  let account: TestAccount;
  let reader: ApiClient;
  let anna: Person;
  let bert: Person;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    const { body } = await account.api.post<{ key: string }>('/api/v1/api-keys/', {
      name: 'reader',
      scopes: scopesOf(world, 'GET /api/v1/contacts/:contact_id/export'),
    });
    reader = new ApiClient(world.baseUrl, body.key);
    anna = await person('Anna');
    bert = await person('Bert');
  });

  const execute = (sql: string, parameters: unknown[]) => world.unitOfWork.autocommit.affected(sql, parameters);
  async function person(first: string, phone = uniquePhone()): Promise<Person> {
    const mark = uniqueDigits();
    // Any seven digits count as a number, so a name has letters only.
    const name = first + mark.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
    const userId = `US.7${mark}`;
    const email = `${name}@example.test`.toLowerCase();
    const { status, text, body } = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: phone,
      first_name: name,
      email,
    });
    if (status !== 201) throw new Error(text);
    const { id } = body.contact;
    await execute('UPDATE contacts SET user_id = $3 WHERE account_id = $1 AND id = $2', [
      account.accountId,
      id,
      userId,
    ]);
    return { id, phone, userId, email, name };
  }
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  /** Anna's export, which must not name Bert. */
  const exported = async (): Promise<Export & { readonly text: string }> => {
    const { status, text, body } = await reader.get<Export>(`/api/v1/contacts/${anna.id}/export`);
    expect(status).toBe(200);
    const { phone, userId, email, name } = bert;
    expect([phone, userId, email, name].filter((needle) => text.toLowerCase().includes(needle.toLowerCase()))).toEqual(
      [],
    );
    return { ...body, text };
  };
  /** Stores an answer as a request leaves it. */
  const store = async (answer: Partial<StoredAnswer> & { body: string }, key = uniqueKey()): Promise<string> => {
    const { accountId, keyId: family } = account;
    const whole = { status: 200, headers: {}, ...answer };
    const response = world.parley.app
      .get(SecretBox)
      .seal(JSON.stringify(whole), answerPlace({ accountId, family, key }));
    await world.unitOfWork.autocommit.manager.insert(IdempotencyKey, {
      accountId,
      family,
      idempotencyKey: key,
      fingerprint: Buffer.alloc(32),
      owner: newRecordId(),
      leaseUntil: new Date(),
      statusCode: whole.status,
      response,
    });
    return key;
  };

  it('never shows an API key whose stored answer names the contact, not even to a key that only reads', async () => {
    const key = uniqueKey();
    const issue = () => account.api.post<{ key: string }>('/api/v1/api-keys/', { name: anna.email }, keyed(key));
    const first = await issue();
    expect(first.body.key).toMatch(/^pk_live_/);
    const { text, stored_answers } = await exported();
    expect(text).not.toContain(first.body.key);
    expect(stored_answers).toEqual([
      {
        method: 'POST',
        path: '/api/v1/api-keys',
        status: 201,
        at: expect.stringMatching(/^\d{4}-/),
        about: [expect.objectContaining({ name: anna.email })],
      },
    ]);
    const again = await issue();
    expect([isReplay(again), again.text]).toEqual([true, first.text]);
  });

  it('never shows the secret of a webhook whose id contains the number of the contact', async () => {
    // Twelve digits fill the last group of a record's id.
    const owner = await person('Anna', `4915${uniqueDigits().slice(-8)}`);
    anna = owner;
    const webhookId = await subscribe(account, { url: 'http://127.0.0.1:1/hook' });
    const id = `${webhookId.slice(0, -12)}${owner.phone}`;
    await execute('UPDATE webhook_endpoints SET id = $3 WHERE account_id = $1 AND id = $2', [
      account.accountId,
      webhookId,
      id,
    ]);
    const key = uniqueKey();
    const rotate = () => account.api.post<{ secret: string }>(`/api/v1/webhooks/${id}/rotate-secret`, {}, keyed(key));
    const first = await rotate();
    expect(first.body.secret).toMatch(/^whsec_/);
    const { text, stored_answers } = await exported();
    expect(text).not.toContain(first.body.secret);
    expect(stored_answers).toMatchObject([{ path: `/api/v1/webhooks/${id}/rotate-secret`, about: [{ id }] }]);
    const again = await rotate();
    expect([isReplay(again), again.text]).toEqual([true, first.text]);
  });

  it('never shows a key or a secret of an answer that an earlier release stored, which still replays', async () => {
    const key = uniqueKey();
    const issue = () => account.api.post<{ key: string }>('/api/v1/api-keys/', { name: anna.email }, keyed(key));
    const first = await issue();
    await killOwner(world, account, key);
    const row = await keyRow(world, account, key);
    const body = first.text.replace('"API key created"', JSON.stringify(`API key of ${anna.phone} created`));
    const place = answerPlace({ accountId: account.accountId, family: row?.family ?? '', key });
    const old = world.parley.app.get(SecretBox).seal(JSON.stringify({ status: 201, headers: {}, body }), place);
    await execute(
      `UPDATE idempotency_keys SET status_code = 201, response = $3, shown_once = NULL
       WHERE account_id = $1 AND idempotency_key = $2`,
      [account.accountId, key, old],
    );
    const { text, stored_answers } = await exported();
    expect(text).not.toContain(first.body.key);
    expect(stored_answers).toMatchObject([
      { method: null, path: null, status: 201, about: [{ message: `API key of ${anna.phone} created` }, {}] },
    ]);
    const again = await issue();
    expect([isReplay(again), again.text]).toEqual([true, body]);
  });

  it('keeps keys and secrets of stored answers in a column of their own', async () => {
    const key = uniqueKey();
    await account.api.post('/api/v1/api-keys/', { name: 'another' }, keyed(key));
    const row = await keyRow(world, account, key);
    const place = answerPlace({ accountId: account.accountId, family: row?.family ?? '', key });
    const answer = JSON.parse(world.parley.app.get(SecretBox).open(row?.response ?? '', place)) as StoredAnswer;
    expect(answer).toMatchObject({ apart: ['key'], request: { method: 'POST', path: '/api/v1/api-keys' } });
    expect(answer.body).toContain('"key":null');
    expect(row?.shownOnce).toMatch(/^v1\./);
    await account.api.post('/api/v1/groups/', { name: newRecordId() }, keyed('no secret'));
    expect(await keyRow(world, account, 'no secret')).toMatchObject({ shownOnce: null });
  });

  it('replays a key after the contact was erased from the answer, its path and its Idempotency-Key', async () => {
    const key = `for ${anna.phone}`;
    const issue = () => account.api.post<{ key: string }>('/api/v1/api-keys/', { name: anna.email }, keyed(key));
    const first = await issue();
    expect((await account.api.delete(`/api/v1/contacts/${anna.id}?erase=true`)).status).toBe(200);
    const expectKey = async () => {
      const again = await issue();
      expect(isReplay(again)).toBe(true);
      expect(again.body.key).toBe(first.body.key);
      expect(again.text).not.toContain(anna.email);
    };
    await expectKey();
    const erasure = world.parley.app.get(AnswerErasureService, { strict: false });
    const people = new PersonTokens([anna.phone, anna.email]);
    await erasure.erase(account.accountId, people, { family: NIL_ID, key: '' }, 100, world.unitOfWork.autocommit);
    expect(await keyRow(world, account, key)).toBeNull();
    await expectKey();
  });

  it('shows nothing about others in the answer of an import that names several people', async () => {
    const [own, other] = [`${anna.phone}99999`, `${bert.phone}99998`];
    await account.api.post('/api/v1/contacts/import', undefined, {
      raw: `phone_number,first_name,email\n${own},Anna,${anna.email}\n${other},${bert.name},nobody\n`,
      headers: { 'content-type': 'text/csv', 'idempotency-key': 'import' },
    });
    expect((await exported()).text).not.toContain(other);
  });

  it('reduces stored answers to what they say about the contact', async () => {
    const body = JSON.stringify({
      status: 'success',
      message: `${anna.phone} and ${bert.phone} were added`,
      invalid_phones: [anna.phone, bert.phone, `${anna.phone} like ${bert.phone}`],
      contacts: [
        { id: newRecordId(), phone_number: anna.phone, first_name: anna.name, created_at: '2026-01-31T09:30:00.000Z' },
        { id: newRecordId(), phone_number: bert.phone, first_name: bert.name },
      ],
      pairs: [{ id: anna.id, from: anna.phone, to: bert.phone, to_name: bert.name, status: 'sent', count: 2 }],
      referred: { by: bert.userId, name: bert.name, email: anna.email },
    });
    const request = { method: 'POST', path: `/api/v1/conversations/%2B${bert.phone}/assign` };
    await store({ body, request, apart: [] }, `${anna.phone} and ${bert.phone}`);
    const { stored_answers } = await exported();
    expect(stored_answers).toEqual([
      {
        method: 'POST',
        path: `/api/v1/conversations/%2B*****${bert.phone.slice(-2)}/assign`,
        status: 200,
        at: expect.any(String),
        about: [
          { status: 'success' },
          anna.phone,
          { id: expect.any(String), phone_number: anna.phone, first_name: anna.name, created_at: expect.any(String) },
          { id: anna.id, from: anna.phone, status: 'sent', count: 2 },
          { email: anna.email },
        ],
      },
    ]);
  });

  it('lists an answer whose path or Idempotency-Key names the contact', async () => {
    const request = { method: 'POST', path: `/api/v1/conversations/${anna.phone}/reopen` };
    await store({ body: '{"status":"success"}', request, apart: [] });
    const encoded = { method: 'POST', path: `/api/v1/conversations/${anna.userId.replace('.', '%2E')}/reopen` };
    await store({ body: '{"status":"success"}', request: encoded, apart: [] });
    await store({ body: '{"status":"success"}', apart: [] }, `about ${anna.userId}`);
    const { stored_answers } = await exported();
    expect(stored_answers).toHaveLength(3);
    expect(stored_answers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: request.path, about: [] }),
        expect.objectContaining({ path: encoded.path, about: [] }),
        expect.objectContaining({ idempotency_key: `about ${anna.userId}`, about: [] }),
      ]),
    );
  });

  it('shows nothing about others in callbacks and parked reports', async () => {
    const both = {
      contacts: [anna, bert].map(({ phone, name }) => ({ wa_id: phone, profile: { name } })),
      messages: [
        { id: 'wamid.QQ', from: anna.phone, timestamp: '1767225600', type: 'unknown' },
        { id: 'wamid.Qg', from: bert.phone, timestamp: '1767225600', text: { body: `I am ${bert.name}` } },
        { from: anna.phone, to: bert.phone, to_name: bert.name },
      ],
    };
    const { accountId } = account;
    await recordUnhandled(
      [{ accountId, field: 'messages', reason: 'a test', body: both }],
      world.unitOfWork.autocommit,
    );
    await execute('INSERT INTO parked_reports (account_id, id, network_message_id, report) VALUES ($1, $2, $3, $4)', [
      accountId,
      newRecordId(),
      `wamid.${newRecordId()}`,
      JSON.stringify({ recipient_id: anna.phone, status: 'failed', errors: [{ message: `ask ${bert.phone}` }] }),
    ]);
    const { callbacks } = await exported();
    expect(callbacks[0]).toMatchObject({
      method: 'POST',
      path: '/network/callbacks',
      status: 200,
      field: 'messages',
      received_at: expect.stringMatching(/^\d{4}-/),
    });
    expect(callbacks.flatMap(({ about }) => about)).toEqual([
      { wa_id: anna.phone },
      { id: 'wamid.QQ', from: anna.phone, timestamp: '1767225600', type: 'unknown' },
      { from: anna.phone },
      { recipient_id: anna.phone, status: 'failed' },
    ]);
  });

  it('shows nothing about others in events that belong to no contact, and in what receivers respond', async () => {
    const { accountId } = account;
    const endpointId = await subscribe(account, { url: 'http://127.0.0.1:1/hook' });
    const [own, shared] = [newRecordId(), newRecordId()];
    const { manager } = world.unitOfWork.autocommit;
    const kind = 'message.sent' as const;
    const record = ({ phone, name }: Person) => ({ contact_phone: phone, contact_name: name });
    await manager.insert(LoggedEvent, [
      { accountId, id: own, occurredAt: new Date(), kind, contactId: anna.id, body: JSON.stringify(record(anna)) },
      {
        accountId,
        id: shared,
        occurredAt: new Date(),
        kind,
        contactId: null,
        body: JSON.stringify({ event: kind, people: [record(anna), record(bert)] }),
      },
    ]);
    const id = newRecordId();
    await manager.insert(WebhookDelivery, { accountId, id, endpointId, eventId: own, kind, retriesLeft: 0 });
    const responses = [
      JSON.stringify([record(anna), record(bert)]),
      `queued ${anna.phone}\nqueued ${bert.phone} (${bert.name})\n${anna.phone} follows ${bert.phone}`,
      `welcome ${bert.name}`,
      null,
    ];
    await manager.insert(
      WebhookAttempt,
      responses.map((response, index) => ({
        accountId,
        deliveryId: id,
        at: new Date(Date.now() + index),
        statusCode: 200,
        durationMs: 1,
        response,
      })),
    );
    const { events, deliveries } = await exported();
    expect(events).toMatchObject([
      { id: own, body: JSON.stringify(record(anna)) },
      { id: shared, kind, about: [record(anna)] },
    ]);
    expect(deliveries.flatMap(({ attempts }) => attempts.map(({ response }) => response))).toEqual([
      JSON.stringify([record(anna)]),
      `queued ${anna.phone}`,
      '',
      null,
    ]);
  });
});
