import { AgentsService } from '../../src/agents/agents.service.js';
import type { AssignmentRecord } from '../../src/conversations/dto/assignment-data.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  type ConversationEventBody,
  enrol,
  eventsOf,
  holdingsOf,
  requestAction,
  stateOf,
} from './conversations.js';

let world: World;
let account: TestAccount;
let ada: string;
let bob: string;
let phone: string;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  [ada, bob] = await Promise.all([enrol(world, account, 'Ada Agent'), enrol(world, account, 'Bob Agent')]);
  phone = uniquePhone();
});

const TZ_AWARE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

/** Assignment data in which all fields but `fields` are null. */
const data = (fields: Partial<AssignmentRecord>): AssignmentRecord => ({
  phone_number: phone,
  waba_phone_id: account.phone.id,
  status: null,
  assigned_to: null,
  assigned_to_name: null,
  assigned_at: null,
  is_reassignment: null,
  previous_assignee_id: null,
  previous_assignee_name: null,
  note: null,
  no_op: null,
  ...fields,
});

/** A conversation event of this test's account with source `api`. */
const event = (kind: string, conversation: Partial<ConversationEventBody['conversation']>): ConversationEventBody => ({
  event: `conversation.${kind}`,
  timestamp: expect.stringMatching(TZ_AWARE),
  conversation: {
    contact_phone: phone,
    waba_phone_id: account.phone.id,
    status: 'open',
    assigned_to: null,
    assigned_to_name: null,
    previous_assignee_id: null,
    previous_assignee_name: null,
    is_reassignment: false,
    note: null,
    reason: null,
    actor: { user_id: account.ownerId, name: 'Olive Owner', source: 'api' },
    ...conversation,
  },
});

const contactsWith = async (number: string) =>
  (await account.api.get<{ total: number }>(`/api/v1/contacts/?search=${number}`)).body.total;

describe('assign conversation', () => {
  it('sets the assignee and answers the assignment data, its status null', async () => {
    expect(await act(account, 'assign', phone, { user_id: ada })).toEqual(
      data({
        assigned_to: ada,
        assigned_to_name: 'Ada Agent',
        assigned_at: expect.stringMatching(TZ_AWARE),
        is_reassignment: false,
        no_op: false,
      }),
    );
    expect(await stateOf(account, phone)).toMatchObject({ status: 'open', assigned_to: ada });
  });

  it('creates contact and conversation on a business phone without one', async () => {
    expect(await contactsWith(phone)).toBe(0);
    await act(account, 'assign', phone, { user_id: ada });
    expect(await contactsWith(phone)).toBe(1);
    expect((await stateOf(account, phone)).has_conversation).toBe(true);
  });

  it('emits conversation.assigned with actor.source api and the account’s owner as the actor', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    expect(await eventsOf(world, account)).toEqual([
      event('assigned', { assigned_to: ada, assigned_to_name: 'Ada Agent' }),
    ]);
  });

  it('populates is_reassignment, previous assignee and note on a reassignment', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    const note = 'Ada is on holiday 🏖';
    expect(await act(account, 'assign', phone, { user_id: bob, note })).toEqual(
      data({
        assigned_to: bob,
        assigned_to_name: 'Bob Agent',
        assigned_at: expect.stringMatching(TZ_AWARE),
        is_reassignment: true,
        previous_assignee_id: ada,
        previous_assignee_name: 'Ada Agent',
        note,
        no_op: false,
      }),
    );
    const [, second] = await eventsOf(world, account);
    expect(second).toEqual(
      event('assigned', {
        assigned_to: bob,
        assigned_to_name: 'Bob Agent',
        previous_assignee_id: ada,
        previous_assignee_name: 'Ada Agent',
        is_reassignment: true,
        note,
      }),
    );
  });

  it('records a note on reassignment only', async () => {
    expect(await act(account, 'assign', phone, { user_id: ada, note: 'first' })).toMatchObject({ note: null });
  });

  it('sets no_op, changes nothing and emits nothing when the agent already has it', async () => {
    const first = await act(account, 'assign', phone, { user_id: ada });
    const again = await act(account, 'assign', phone, { user_id: ada, note: 'again' });
    expect(again).toEqual({ ...first, no_op: true });
    expect(await eventsOf(world, account)).toHaveLength(1);
    expect(await holdingsOf(world, account)).toHaveLength(1);
  });

  it('rejects assign on a resolved conversation (400) until it is reopened', async () => {
    await act(account, 'resolve', phone);
    const refused = await requestAction(account, 'assign', phone, { user_id: ada });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'bad_request', message: expect.stringContaining('reopen it') });
    expect(await stateOf(account, phone)).toMatchObject({ status: 'resolved', assigned_to: null });
    await act(account, 'reopen', phone);
    expect(await act(account, 'assign', phone, { user_id: ada })).toMatchObject({ assigned_to: ada });
  });

  it.each([[undefined], [{}], [{ user_id: null }], [{ user_id: '' }], [{ user_id: ' ' }], [{ note: 'who?' }]])(
    'answers %j with 422 in the standard body: user_id is missing',
    async (body) => {
      const refused = await requestAction(account, 'assign', phone, body);
      expect(refused.status).toBe(422);
      expect(refused.body).toEqual({ error: 'unprocessable_entity', message: 'user_id is required' });
      expect(await contactsWith(phone)).toBe(0);
    },
  );

  it.each([
    [{ user_id: 'ada' }, 'user_id must be an id (got ada)'],
    [{ user_id: 7 }, 'user_id must be an id, not a number (7)'],
    [{ user_id: ['a'] }, 'user_id must be an id'],
    [{ note: 'n'.repeat(2001) }, 'note must be at most 2000 characters (got 2001)'],
    [{ note: 7 }, 'note must be a string, not a number (7)'],
    [{ waba_phone_id: 'x' }, 'waba_phone_id must be an id (got x)'],
    [{ user_id: undefined, note: 'n'.repeat(2001) }, 'note must be at most 2000'],
  ])('rejects %j (400)', async (wrong, message) => {
    const refused = await requestAction(account, 'assign', phone, { user_id: ada, ...wrong });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'bad_request', message: expect.stringContaining(message) });
  });

  it('accepts a note of 2,000 characters, counted in code points', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    const note = '😀'.repeat(2000);
    expect((await act(account, 'assign', phone, { user_id: bob, note })).note).toBe(note);
  });

  it('answers 404 when user_id is not an active member of the organisation', async () => {
    const stranger = await world.account();
    const carl = await enrol(world, account, 'Carl Gone');
    await world.parley.app.get(AgentsService).deactivate(carl);
    for (const user_id of [newRecordId(), stranger.ownerId, carl]) {
      const refused = await requestAction(account, 'assign', phone, { user_id });
      expect(refused.status).toBe(404);
      expect(refused.body).toEqual({ error: 'not_found', message: expect.stringContaining(user_id) });
    }
    expect(await contactsWith(phone)).toBe(0);
  });

  it('keeps a deactivated agent’s conversations but rejects new assignments (404)', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await world.parley.app.get(AgentsService).deactivate(ada);
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: ada });
    expect((await requestAction(account, 'assign', phone, { user_id: ada })).status).toBe(404);
  });

  it('answers 400 for a key without an organisation', async () => {
    const lone = await world.account({ organisation: false });
    const refused = await requestAction(lone, 'assign', phone, { user_id: lone.ownerId });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'bad_request', message: expect.stringContaining('organisation') });
  });
});

describe('unassign conversation', () => {
  it('releases the conversation; all assignment fields are null', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    expect(await act(account, 'unassign', phone)).toEqual(data({}));
    expect(await stateOf(account, phone)).toMatchObject({ status: 'open', assigned_to: null, assigned_at: null });
    const [, released] = await eventsOf(world, account);
    expect(released).toEqual(event('unassigned', { previous_assignee_id: ada, previous_assignee_name: 'Ada Agent' }));
  });

  it('is idempotent and emits once', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'unassign', phone);
    expect(await act(account, 'unassign', phone)).toEqual(data({}));
    expect(await eventsOf(world, account)).toHaveLength(2);
  });

  it('creates nothing when there is no conversation', async () => {
    expect(await act(account, 'unassign', phone)).toEqual(data({}));
    expect(await contactsWith(phone)).toBe(0);
    expect((await stateOf(account, phone)).has_conversation).toBe(false);
  });

  it('releases a resolved conversation without reopening it', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'resolve', phone);
    expect(await act(account, 'unassign', phone)).toEqual(data({}));
    expect(await stateOf(account, phone)).toMatchObject({ status: 'resolved', assigned_to: null });
  });

  it('works for a key without an organisation', async () => {
    const lone = await world.account({ organisation: false });
    expect((await requestAction(lone, 'unassign', phone)).status).toBe(200);
  });
});

describe('reopen conversation', () => {
  it('opens a resolved conversation and assigns it to the account’s owner', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'resolve', phone);
    const owner = { assigned_to: account.ownerId, assigned_to_name: 'Olive Owner' };
    expect(await act(account, 'reopen', phone)).toEqual(data({ status: 'open', ...owner }));
    expect(await stateOf(account, phone)).toMatchObject({ status: 'open', ...owner });
    expect((await eventsOf(world, account)).at(-1)).toEqual(
      event('reopened', {
        ...owner,
        previous_assignee_id: ada,
        previous_assignee_name: 'Ada Agent',
        is_reassignment: true,
      }),
    );
  });

  it('changes nothing on an open conversation and answers the current assignee', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    const before = await stateOf(account, phone);
    expect(await act(account, 'reopen', phone)).toEqual(
      data({ status: 'open', assigned_to: ada, assigned_to_name: 'Ada Agent' }),
    );
    expect(await stateOf(account, phone)).toEqual(before);
    expect(await eventsOf(world, account)).toHaveLength(1);
  });

  it('creates contact and conversation for the owner on a business phone without one', async () => {
    const owner = { assigned_to: account.ownerId, assigned_to_name: 'Olive Owner' };
    expect(await act(account, 'reopen', phone)).toEqual(data({ status: 'open', ...owner }));
    expect(await contactsWith(phone)).toBe(1);
    expect(await eventsOf(world, account)).toEqual([event('reopened', owner)]);
  });

  it('works for a key without an organisation', async () => {
    const lone = await world.account({ organisation: false });
    expect(await act(lone, 'reopen', phone)).toMatchObject({ status: 'open', assigned_to: lone.ownerId });
  });
});

describe('resolve conversation', () => {
  it('resolves an open conversation and keeps its assignee', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    const { assigned_at } = await stateOf(account, phone);
    const held = { assigned_to: ada, assigned_to_name: 'Ada Agent' };
    const reason = 'Solved on the phone';
    expect(await act(account, 'resolve', phone, { reason })).toEqual(
      data({ status: 'resolved', ...held, assigned_at }),
    );
    expect((await eventsOf(world, account)).at(-1)).toEqual(event('resolved', { status: 'resolved', ...held, reason }));
  });

  it('is idempotent and emits once', async () => {
    const first = await act(account, 'resolve', phone);
    expect(first).toEqual(data({ status: 'resolved' }));
    expect(await act(account, 'resolve', phone, { reason: 'again' })).toEqual(first);
    expect(await eventsOf(world, account)).toHaveLength(1);
  });

  it('rejects a reason of more than 2,000 characters (400)', async () => {
    const refused = await requestAction(account, 'resolve', phone, { reason: 'r'.repeat(2001) });
    expect(refused.body).toEqual({
      error: 'bad_request',
      message: 'reason must be at most 2000 characters (got 2001)',
    });
  });
});

describe.each(['assign', 'unassign', 'reopen', 'resolve'] as const)('%s', (action) => {
  const body = () => ({ user_id: ada });

  it.each(['+4915112345678', '49%20151', 'office', '123456', '1234567890123456'])(
    'refuses the phone %s with 400',
    async (malformed) => {
      const refused = await requestAction(account, action, malformed, body());
      expect(refused.status).toBe(400);
      expect(refused.body).toEqual({ error: 'bad_request', message: expect.stringContaining('contact_phone') });
    },
  );

  it('rejects a business phone of another account, even in the same organisation (403)', async () => {
    const sibling = await world.account();
    await world.unitOfWork.autocommit.affected('UPDATE accounts SET organisation_id = $2 WHERE id = $1', [
      sibling.accountId,
      account.organisationId,
    ]);
    for (const waba_phone_id of [sibling.phone.id, newRecordId()]) {
      const refused = await requestAction(account, action, phone, { ...body(), waba_phone_id });
      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({ error: 'forbidden', message: expect.stringContaining(waba_phone_id) });
    }
    expect(await contactsWith(phone)).toBe(0);
  });

  it('answers 400 when no business number is configured', async () => {
    const phoneless = await world.account();
    await world.unitOfWork.autocommit.affected('DELETE FROM business_phones WHERE account_id = $1', [
      phoneless.accountId,
    ]);
    const refused = await requestAction(phoneless, action, phone, { user_id: phoneless.ownerId });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'bad_request', message: expect.stringContaining('no business number') });
  });

  it('requires a key (401) with the scope conversations:write (403)', async () => {
    const reading = await world.account({ scopes: ['conversations:read'] });
    expect((await requestAction(reading, action, phone, body())).status).toBe(403);
    const nobody = { ...account, api: new ApiClient(world.baseUrl, null) };
    expect((await requestAction(nobody, action, phone, body())).status).toBe(401);
  });
});

describe('on a multi-number account', () => {
  it('waba_phone_id selects the business number’s conversation', async () => {
    const multi = await world.account({ phones: 2 });
    const [first, second] = multi.phones.map(({ id }) => id);
    await act(multi, 'assign', phone, { user_id: multi.ownerId, waba_phone_id: second });
    expect(await stateOf(multi, phone, `?waba_phone_id=${first}`)).toMatchObject({ has_conversation: false });
    expect(await stateOf(multi, phone, `?waba_phone_id=${second}`)).toMatchObject({ assigned_to: multi.ownerId });
  });

  it('without waba_phone_id it picks the most recently active conversation, else the primary phone', async () => {
    const multi = await world.account({ phones: 3 });
    const [primary, second, third] = multi.phones.map(({ id }) => id);
    expect(await act(multi, 'unassign', phone)).toMatchObject({ waba_phone_id: primary });
    await act(multi, 'resolve', phone, { waba_phone_id: second });
    expect(await act(multi, 'reopen', phone)).toMatchObject({ waba_phone_id: second });
    await act(multi, 'resolve', phone, { waba_phone_id: third });
    expect(await act(multi, 'unassign', phone)).toMatchObject({ waba_phone_id: third });
    await world.unitOfWork.autocommit.affected(
      `UPDATE conversations SET last_message_at = now() + interval '1 minute'
       WHERE account_id = $1 AND business_phone_id = $2`,
      [multi.accountId, second],
    );
    expect(await act(multi, 'assign', phone, { user_id: multi.ownerId })).toMatchObject({ waba_phone_id: second });
    expect(await stateOf(multi, phone)).toMatchObject({ waba_phone_id: second });
  });
});

describe('assignment history', () => {
  it('records assignee, times, actor, previous assignee and note', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'assign', phone, { user_id: bob, note: 'yours' });
    await act(account, 'resolve', phone);
    await act(account, 'reopen', phone);
    await act(account, 'unassign', phone);
    const holdings = await holdingsOf(world, account);
    expect(holdings).toMatchObject([
      { userId: ada, previousUserId: null, note: null },
      { userId: bob, previousUserId: ada, note: 'yours' },
      { userId: account.ownerId, previousUserId: bob, note: null },
    ]);
    for (const [index, { heldUntil, assignedBy, source }] of holdings.entries()) {
      expect({ assignedBy, source }).toEqual({ assignedBy: account.ownerId, source: 'api' });
      expect(heldUntil).toEqual(holdings[index + 1]?.heldFrom ?? expect.any(Date));
    }
  });

  it('allows one assignee per conversation at a time, by constraint', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await expect(
      world.unitOfWork.autocommit.affected(
        `INSERT INTO conversation_assignments (account_id, contact_id, business_phone_id, held_from, user_id, source)
         SELECT account_id, contact_id, business_phone_id, held_from + interval '1 second', $2, 'api'
         FROM conversation_assignments WHERE account_id = $1`,
        [account.accountId, bob],
      ),
    ).rejects.toThrow('conversation_assignments_present_key');
  });
});

describe('in parallel', () => {
  it('50 assigns leave one assignee and a consistent chain of events and assignments', async () => {
    const agents = [ada, bob, await enrol(world, account, 'Cleo Agent'), account.ownerId];
    const answers = await crowd(50, (index) =>
      act(account, 'assign', phone, { user_id: agents[index % agents.length], note: `note ${index}` }),
    );
    const chain = (await eventsOf(world, account)).map(({ conversation }) => conversation);
    expect(chain).toHaveLength(answers.filter(({ no_op }) => !no_op).length);
    let holder: { id: string | null; name: string | null } = { id: null, name: null };
    for (const step of chain) {
      expect(step).toMatchObject({ previous_assignee_id: holder.id, previous_assignee_name: holder.name });
      expect(step.is_reassignment).toBe(holder.id !== null);
      holder = { id: step.assigned_to, name: step.assigned_to_name };
    }
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: holder.id, assigned_to_name: holder.name });
    const holdings = await holdingsOf(world, account);
    expect(holdings.map(({ userId }) => userId)).toEqual(chain.map(({ assigned_to }) => assigned_to));
    expect(holdings.map(({ note }) => note)).toEqual(chain.map(({ note }) => note));
    expect(holdings.filter(({ heldUntil }) => heldUntil === null)).toHaveLength(1);
    expect(await contactsWith(phone)).toBe(1);
  });

  it('mixed actions leave a chain in which each event starts where the one before it ended', async () => {
    const actions = ['assign', 'unassign', 'resolve', 'reopen', 'assign'] as const;
    await crowd(60, (index) =>
      requestAction(account, actions[index % actions.length] ?? 'assign', phone, { user_id: index % 2 ? ada : bob }),
    );
    let [status, holder] = ['open', null as string | null];
    for (const { event: kind, conversation } of await eventsOf(world, account)) {
      const released = kind === 'conversation.resolved' ? null : holder;
      expect(conversation.previous_assignee_id).toBe(conversation.assigned_to === released ? null : released);
      if (kind === 'conversation.resolved') expect(status).toBe('open');
      if (kind === 'conversation.assigned') expect(status).toBe('open');
      [status, holder] = [conversation.status, conversation.assigned_to];
    }
    expect(await stateOf(account, phone)).toMatchObject({ status, assigned_to: holder });
  });

  it.each(['resolve', 'reopen'] as const)('20 calls of %s create one conversation and emit once', async (action) => {
    await crowd(20, () => act(account, action, phone));
    expect(await eventsOf(world, account)).toHaveLength(1);
  });
});
