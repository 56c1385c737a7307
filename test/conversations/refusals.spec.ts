import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient } from '../support/api-client.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act, enrol, eventsOf, requestAction, stateOf } from './conversations.js';

let world: World;
let account: TestAccount;
let ada: string;
let phone: string;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  ada = await enrol(world, account, 'Ada Agent');
  phone = uniquePhone();
});

/** Suspends the account, which every process sees within a second. */
const suspend = async () => {
  await world.unitOfWork.autocommit.affected("UPDATE accounts SET status = 'suspended' WHERE id = $1", [
    account.accountId,
  ]);
  await until('the account is known to be suspended', async () => {
    const { body } = await account.api.delete(`/api/v1/contacts/${newRecordId()}`);
    return body.error === 'account_suspended';
  });
};
const ACTIONS = ['assign', 'unassign', 'reopen', 'resolve'] as const;

describe('the checks of assign', () => {
  it('run in this order: key, scope, suspension, shape, user, business phone, state', async () => {
    const foreign = (await world.account()).phone.id;
    const gone = newRecordId();
    await act(account, 'resolve', phone);
    const refusal = async (body: Record<string, unknown>, api = account.api, number = phone) => {
      const answer = await requestAction({ ...account, api }, 'assign', number, body);
      return [answer.status, (answer.body as unknown as { error: string }).error];
    };
    const reader = await world.account({ scopes: ['conversations:read'] });
    const everything = { user_id: 'x', waba_phone_id: foreign, note: 7 };
    expect(await refusal(everything, new ApiClient(world.baseUrl, null), 'x')).toEqual([401, 'unauthorized']);
    expect(await refusal(everything, reader.api, 'x')).toEqual([403, 'forbidden']);
    expect(await refusal({ user_id: 'x', waba_phone_id: foreign })).toEqual([400, 'bad_request']);
    expect(await refusal({ waba_phone_id: foreign })).toEqual([422, 'unprocessable_entity']);
    expect(await refusal({ user_id: gone, waba_phone_id: foreign })).toEqual([404, 'not_found']);
    expect(await refusal({ user_id: ada, waba_phone_id: foreign })).toEqual([403, 'forbidden']);
    expect(await refusal({ user_id: ada })).toEqual([400, 'bad_request']);
    await suspend();
    expect(await refusal(everything, account.api, 'x')).toEqual([403, 'account_suspended']);
  });

  it('reject a key without an organisation (400) after the shape and before the user', async () => {
    const lone = await world.account({ organisation: false });
    expect((await requestAction(lone, 'assign', phone, {})).status).toBe(422);
    expect((await requestAction(lone, 'assign', phone, { user_id: newRecordId() })).status).toBe(400);
  });

  it('answer 422 only when user_id is the only error', async () => {
    for (const [body, status] of [
      [{ user_id: '' }, 422],
      [{ user_id: '\n' }, 422],
      [{ user_id: '', waba_phone_id: 'x' }, 400],
      [{ user_id: 0 }, 400],
      [{ user_id: false }, 400],
      [{ user_id: {} }, 400],
      [{ user_id: [] }, 400],
      [{ user_id: ada.toUpperCase() }, 400],
      [{ user_id: ` ${ada}` }, 400],
      [{ user_id: '0199aaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' }, 400],
    ] as const) {
      const answer = await requestAction(account, 'assign', phone, body);
      expect([body, answer.status]).toEqual([body, status]);
      expect(Object.keys(answer.body).sort()).toEqual(['error', 'message']);
    }
    expect(await stateOf(account, phone)).toMatchObject({ has_conversation: false });
  });
});

describe.each(ACTIONS)('%s', (action) => {
  it('answers 403 and changes nothing while the account is suspended', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    const before = await stateOf(account, phone);
    await suspend();
    const refused = await requestAction(account, action, phone, { user_id: account.ownerId });
    expect(refused).toMatchObject({ status: 403, body: { error: 'account_suspended' } });
    expect(await stateOf(account, phone)).toEqual(before);
  });

  it.each(['[1]', '"x"', '7', 'true'])('rejects the body %s, which is not an object (400)', async (raw) => {
    const answer = await account.api.post(`/api/v1/conversations/${phone}/${action}`, undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'bad_request' } });
    expect(await stateOf(account, phone)).toMatchObject({ has_conversation: false });
  });

  it.each([['x'], [['']], [7], [{}], ['0199aaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee']])(
    'rejects waba_phone_id %j (400)',
    async (waba_phone_id) => {
      const answer = await requestAction(account, action, phone, { user_id: ada, waba_phone_id });
      expect(answer).toMatchObject({ status: 400, body: { error: 'bad_request' } });
    },
  );

  it('treats waba_phone_id null as missing, and ignores unknown fields', async () => {
    const body = { user_id: ada, waba_phone_id: null, status: 'resolved', assigned_to: 'x', actor: 'x' };
    expect(await act(account, action, phone, body)).toMatchObject({ waba_phone_id: account.phone.id });
  });

  it('runs once with an Idempotency-Key and replays the answer', async () => {
    await act(account, 'assign', phone, { user_id: account.ownerId });
    if (action === 'reopen') await act(account, 'resolve', phone);
    const before = (await eventsOf(world, account)).length;
    const send = () =>
      account.api.post(
        `/api/v1/conversations/${phone}/${action}`,
        { user_id: ada },
        { headers: { 'idempotency-key': `${action} once` } },
      );
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(200);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await eventsOf(world, account)).toHaveLength(before + 1);
  });
});
