import { OrganisationsService } from '../../src/accounts/organisations.service.js';
import { AgentsService } from '../../src/agents/agents.service.js';
import { ApiClient } from '../support/api-client.js';
import { crowd } from '../support/crowd.js';
import { ForeignSession } from '../support/foreign-session.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act, deactivateOwner, enrol, eventsOf, holdingsOf, receive, requestAction, stateOf } from './conversations.js';

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

const kinds = async () => (await eventsOf(world, account)).map(({ event }) => event.replace('conversation.', ''));
const rule = (settings: Parameters<OrganisationsService['set']>[1]) =>
  world.parley.app.get(OrganisationsService).set(String(account.organisationId), settings);

/** Deactivates an agent and runs `work` before that commits, until `work` has finished or waits for the lock. */
async function deactivateDuring<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const session = await ForeignSession.open(world.environment.databaseUrl);
  try {
    const [us] = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await session.query('BEGIN');
    await session.query("UPDATE users SET status = 'deactivated' WHERE organisation_id = $1 AND id = $2", [
      account.organisationId,
      userId,
    ]);
    let done = false;
    const working = work().finally(() => {
      done = true;
    });
    working.catch(() => undefined);
    await until('the work is done or waits for the agent', async () => {
      const waiting = await world.unitOfWork.autocommit.row(
        'SELECT 1 AS found FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
        [us?.pid],
      );
      return done || waiting !== null;
    });
    await session.query('COMMIT');
    return await working;
  } finally {
    await session.close();
  }
}

describe('an agent who is being deactivated is not assigned', () => {
  it('by assign, which answers 404 and changes nothing', async () => {
    const refused = await deactivateDuring(ada, () => requestAction(account, 'assign', phone, { user_id: ada }));
    expect(refused.status).toBe(404);
    expect(refused.body).toEqual({ error: 'not_found', message: expect.stringContaining(ada) });
    expect(await stateOf(account, phone)).toMatchObject({ has_conversation: false, assigned_to: null });
    expect(await eventsOf(world, account)).toEqual([]);
  });

  it('by auto_inbound, which picks the next agent', async () => {
    await rule({ autoInbound: true });
    const first = uniquePhone();
    await receive(world, account, first);
    expect((await stateOf(account, first)).assigned_to).toBe(account.ownerId);
    await deactivateDuring(ada, () => receive(world, account, phone));
    expect((await stateOf(account, phone)).assigned_to).toBe(account.ownerId);
  });

  it('by auto_reply, which is sent all the same', async () => {
    await rule({ autoReply: 'Soon.', autoReplyUserId: ada });
    expect(await deactivateDuring(ada, () => receive(world, account, phone))).toMatchObject({ autoReply: 'Soon.' });
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: null });
  });
});

describe('50 parallel actions on one conversation', () => {
  it('assign the same agent once and emit once; the others are no-ops', async () => {
    const answers = await crowd(50, () => act(account, 'assign', phone, { user_id: ada }));
    expect(answers.filter(({ no_op }) => no_op === false)).toHaveLength(1);
    expect(new Set(answers.map(({ assigned_at }) => assigned_at)).size).toBe(1);
    expect(await kinds()).toEqual(['assigned']);
    expect(await holdingsOf(world, account)).toMatchObject([{ userId: ada, heldUntil: null }]);
  });

  it('release it once and emit once', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await crowd(50, () => act(account, 'unassign', phone));
    expect(await kinds()).toEqual(['assigned', 'unassigned']);
    expect(await holdingsOf(world, account)).toMatchObject([{ userId: ada, heldUntil: expect.any(Date) }]);
  });

  it('alternate between resolve and reopen and emit one event per change', async () => {
    const names = await crowd(50, async (index) => {
      const action = index % 2 ? 'resolve' : 'reopen';
      return (await requestAction(account, action, phone)).body.message;
    });
    const emitted = await kinds();
    const changes = names.filter((message) => /^Conversation (resolved|reopened)$/.test(message));
    expect(emitted).toHaveLength(changes.length);
    // A reopen that comes before any resolve creates the conversation, so it may come first.
    for (const [index, kind] of emitted.entries()) expect(kind).not.toBe(emitted[index - 1]);
    const last = emitted.at(-1) === 'resolved' ? 'resolved' : 'open';
    expect(await stateOf(account, phone)).toMatchObject({ status: last });
  });

  it('resolve while the customer writes, and each resolution ends at most once', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await crowd<unknown>(50, (index) => (index % 2 ? act(account, 'resolve', phone) : receive(world, account, phone)));
    const [first, ...rest] = await eventsOf(world, account);
    expect(first?.event).toBe('conversation.assigned');
    for (const [index, { event, conversation }] of rest.entries()) {
      expect(event).toBe(index % 2 ? 'conversation.reopened' : 'conversation.resolved');
      expect(conversation.actor.source).toBe(index % 2 ? 'auto_reopen' : 'api');
      expect(conversation).toMatchObject({ assigned_to: ada, is_reassignment: false, previous_assignee_id: null });
    }
    expect(await holdingsOf(world, account)).toHaveLength(1);
  });

  it('of every kind while the customer writes leave a history that matches the events', async () => {
    const actions = ['assign', 'unassign', 'resolve', 'reopen', 'receive', 'assign'] as const;
    await crowd<unknown>(60, (index) => {
      const action = actions[index % actions.length] ?? 'receive';
      if (action === 'receive') return receive(world, account, phone);
      return requestAction(account, action, phone, {
        user_id: index % 4 ? ada : account.ownerId,
        note: `note ${index}`,
      });
    });
    const events = await eventsOf(world, account);
    const holdings = await holdingsOf(world, account);
    let holder: string | null = null;
    const expected: { user_id: string; from: string; note: string | null }[] = [];
    for (const { timestamp, conversation } of events) {
      const { assigned_to, note } = conversation;
      if (assigned_to !== null && assigned_to !== holder)
        expected.push({ user_id: assigned_to, from: timestamp, note });
      holder = assigned_to;
    }
    const at = (time: Date) => time.toISOString().replace('Z', '+00:00');
    expect(holdings.map(({ userId, heldFrom, note }) => ({ user_id: userId, from: at(heldFrom), note }))).toEqual(
      expected,
    );
    for (const [index, { heldUntil }] of holdings.entries()) {
      const next = holdings[index + 1];
      if (next === undefined) expect(heldUntil === null).toBe(holder !== null);
      else expect(Number(heldUntil)).toBeLessThanOrEqual(Number(next.heldFrom));
    }
    const { assigned_to, assigned_at } = await stateOf(account, phone);
    expect(assigned_to).toBe(holder);
    if (holder !== null) expect(assigned_at).toBe(expected.at(-1)?.from);
  });

  it('emit events with strictly increasing timestamps', async () => {
    await crowd(50, (index) => act(account, 'assign', phone, { user_id: index % 2 ? ada : account.ownerId }));
    const timestamps = (await eventsOf(world, account)).map(({ timestamp }) => timestamp);
    expect(new Set(timestamps).size).toBe(timestamps.length);
  });
});

it('auto_inbound stays fair when customers write to several accounts of one organisation in parallel', async () => {
  await rule({ autoInbound: true });
  const sibling = await world.account();
  await world.unitOfWork.autocommit.affected('UPDATE accounts SET organisation_id = $2 WHERE id = $1', [
    sibling.accountId,
    account.organisationId,
  ]);
  await crowd(40, (index) => receive(world, index % 2 ? sibling : account, uniquePhone()));
  const holdings = [...(await holdingsOf(world, account)), ...(await holdingsOf(world, sibling))];
  const shares = [ada, account.ownerId].map((id) => holdings.filter(({ userId }) => userId === id).length);
  expect(shares).toEqual([20, 20]);
});

it('auto_inbound shares evenly among active agents when customers write in parallel', async () => {
  await rule({ autoInbound: true });
  const [bob, cleo, gone] = [
    await enrol(world, account, 'Bob Agent'),
    await enrol(world, account, 'Cleo Agent'),
    await enrol(world, account, 'Gone Agent'),
  ];
  await receive(world, account, uniquePhone());
  await world.parley.app.get(AgentsService).deactivate(gone);
  await deactivateOwner(world, account);
  await crowd(30, () => receive(world, account, uniquePhone()));
  const holders = (await holdingsOf(world, account)).map(({ userId }) => userId);
  const shares = [account.ownerId, gone, ada, bob, cleo].map((id) => holders.filter((one) => one === id).length);
  expect(shares).toEqual([1, 0, 10, 10, 10]);
});

describe('two instances of Parley on one database', () => {
  let other: World;
  beforeAll(async () => {
    other = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => other.stop());
  const instances = () => [account, { ...account, api: new ApiClient(other.baseUrl, account.apiKey) }];

  it('leave one assignee and one chain of events after 50 parallel assigns', async () => {
    const agents = [ada, account.ownerId, await enrol(world, account, 'Cleo Agent')];
    const asked = instances();
    const answers = await crowd(50, (index) =>
      act(asked[index % 2] ?? account, 'assign', phone, { user_id: agents[index % 3] }),
    );
    const chain = (await eventsOf(world, account)).map(({ conversation }) => conversation);
    expect(chain).toHaveLength(answers.filter(({ no_op }) => !no_op).length);
    let holder: string | null = null;
    for (const { previous_assignee_id, assigned_to } of chain) {
      expect(previous_assignee_id).toBe(holder);
      holder = assigned_to;
    }
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: holder });
    expect((await holdingsOf(world, account)).map(({ userId }) => userId)).toEqual(
      chain.map(({ assigned_to }) => assigned_to),
    );
  });

  it('rotate through the agents evenly, and reopen and assign each conversation once', async () => {
    await rule({ autoInbound: true });
    const phones = Array.from({ length: 20 }, uniquePhone);
    await crowd(80, (index) => receive(index % 2 ? world : other, account, phones[index % 20] ?? phone));
    const holdings = await holdingsOf(world, account);
    expect(holdings).toHaveLength(20);
    for (const id of [ada, account.ownerId]) {
      expect(holdings.filter(({ userId }) => userId === id)).toHaveLength(10);
    }
  });

  it('create one contact, one conversation and one event from 50 parallel resolves', async () => {
    const asked = instances();
    await crowd(50, (index) => act(asked[index % 2] ?? account, 'resolve', phone));
    expect(await kinds()).toEqual(['resolved']);
    for (const path of ['contacts', 'conversations']) {
      expect((await account.api.get(`/api/v1/${path}/`)).body.total).toBe(1);
    }
  });
});
