import { AgentsService } from '../../src/agents/agents.service.js';
import { ReleasedThreadsService } from '../../src/conversations/released-threads.service.js';
import { ReleasedThreadsSweep } from '../../src/conversations/released-threads.sweep.js';
import { TransitionsService } from '../../src/conversations/transitions.service.js';
import { BackgroundUnitOfWork } from '../../src/database/unit-of-work.js';
import { Outbox } from '../../src/outbox/outbox.js';
import { freshDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { act, enrol, eventsOf, holdingsOf, receive, stateOf } from './conversations.js';
import { conversationOf, timelineOf } from './threads.js';

let world: World;
let account: TestAccount;
let ada: string;
beforeAll(async () => {
  // Without the worker role, nothing is released except by a test; and no agents of other files are.
  world = await World.start({ databaseUrl: await freshDatabase(), env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  ada = await enrol(world, account, 'Ada Agent');
});

const agents = () => world.parley.app.get(AgentsService);
const sweep = (transitions = world.parley.app.get(TransitionsService)) => {
  const { app } = world.parley;
  const unitOfWork = app.get(BackgroundUnitOfWork);
  return new ReleasedThreadsSweep(unitOfWork, new ReleasedThreadsService(unitOfWork, transitions, app.get(Outbox)));
};
const isReleasing = async (userId: string) =>
  (await world.unitOfWork.autocommit.row('SELECT 1 AS found FROM users WHERE id = $1 AND releases_threads', [
    userId,
  ])) !== null;

/** Stores open conversations that an agent holds. */
async function held(count: number): Promise<void> {
  const { autocommit } = world.unitOfWork;
  const { accountId, phone } = account;
  await autocommit.affected(
    `WITH contact AS (
       INSERT INTO contacts (account_id, id, phone_number, first_name, source)
       SELECT $1, new_record_id(), '49151' || $3 || lpad(i::text, 3, '0'), 'Grace', 'import' FROM generate_series(1, $2::int) AS i
       RETURNING id
     ), conversation AS (
       INSERT INTO conversations (account_id, contact_id, business_phone_id, assigned_to, assigned_at)
       SELECT $1, id, $4, $5, now() FROM contact
       RETURNING contact_id
     )
     INSERT INTO conversation_assignments (account_id, contact_id, business_phone_id, held_from, user_id, source)
     SELECT $1, contact_id, $4, now() - interval '1 hour', $5, 'api' FROM conversation`,
    [accountId, count, uniqueDigits().slice(-5), phone.id, ada],
  );
}
const open = async () => (await account.api.get(`/api/v1/conversations/?assigned_to=${ada}&status=open`)).body.total;

describe('deactivating an agent', () => {
  it('releases the open conversations, with event and entry, and leaves the resolved ones', async () => {
    const [one, two, done, others] = [uniquePhone(), uniquePhone(), uniquePhone(), uniquePhone()];
    for (const phone of [one, two, done]) {
      await receive(world, account, phone);
      await act(account, 'assign', phone, { user_id: ada });
    }
    await act(account, 'resolve', done);
    await act(account, 'assign', others, { user_id: account.ownerId });
    await agents().deactivate(ada);
    await sweep().run();
    for (const phone of [one, two]) {
      expect(await conversationOf(account, phone)).toMatchObject({
        status: 'open',
        assigned_to: null,
        waiting_since: expect.any(String),
      });
      expect((await timelineOf(account, phone)).entries[0]?.change).toEqual({
        kind: 'unassigned',
        actor: { user_id: 'system', name: 'system', source: 'manual' },
        assigned_to: null,
        assigned_to_name: null,
        previous_assignee_id: ada,
        previous_assignee_name: 'Ada Agent',
        note: null,
        reason: 'the agent was deactivated',
      });
    }
    expect(await stateOf(account, done)).toMatchObject({ status: 'resolved', assigned_to: ada });
    expect(await stateOf(account, others)).toMatchObject({ assigned_to: account.ownerId });
    const released = (await eventsOf(world, account)).filter(({ event }) => event === 'conversation.unassigned');
    expect(released.map(({ conversation }) => conversation)).toEqual([
      expect.objectContaining({ previous_assignee_id: ada, reason: 'the agent was deactivated' }),
      expect.objectContaining({ actor: { user_id: 'system', name: 'system', source: 'manual' } }),
    ]);
    expect(await isReleasing(ada)).toBe(false);
  });

  it('goes on where a process died between two slices', async () => {
    await held(120);
    await agents().deactivate(ada);
    const transitions = world.parley.app.get(TransitionsService);
    let applied = 0;
    const dying = {
      apply: (...given: Parameters<TransitionsService['apply']>) => {
        applied += 1;
        if (applied > 70) throw new Error('killed');
        return transitions.apply(...given);
      },
    } as TransitionsService;
    await sweep(dying).run();
    expect(await open()).toBe(70);
    expect(await isReleasing(ada)).toBe(true);
    await sweep().run();
    expect(await open()).toBe(0);
    expect(await isReleasing(ada)).toBe(false);
    expect(await eventsOf(world, account)).toHaveLength(120);
    expect((await holdingsOf(world, account)).every(({ heldUntil }) => heldUntil !== null)).toBe(true);
  });

  it('releases each conversation once when two processes do it', async () => {
    await held(60);
    await agents().deactivate(ada);
    const [one, two] = [sweep(), sweep()];
    await until('both have finished', async () => {
      await Promise.all([one.run(), two.run()]);
      return !(await isReleasing(ada));
    });
    expect(await eventsOf(world, account)).toHaveLength(60);
    expect(await open()).toBe(0);
  });

  it('is done by a worker', async () => {
    await held(3);
    const worker = await world.worker();
    try {
      await agents().deactivate(ada);
      await until('the conversations are released', async () => (await open()) === 0);
    } finally {
      await worker.stop();
    }
  });
});

describe('activating an agent', () => {
  it('lets conversations be assigned to them again; those that were not released yet stay', async () => {
    await held(2);
    await agents().deactivate(ada);
    await agents().activate(ada);
    await sweep().run();
    expect(await open()).toBe(2);
    expect(await act(account, 'assign', uniquePhone(), { user_id: ada })).toMatchObject({ assigned_to: ada });
    await agents().activate(ada);
    await expect(agents().activate(account.accountId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is what creating one with the e-mail address of a deactivated agent points to', async () => {
    const email = `ada-${uniqueDigits()}@example.test`;
    const agent = { organisationId: String(account.organisationId), fullName: 'Ada', email, role: 'agent' } as const;
    const userId = await agents().add(agent);
    await expect(agents().add(agent)).rejects.toMatchObject({
      code: 'conflict',
      message: `the organisation already has an agent ${email}`,
    });
    await agents().deactivate(userId);
    await expect(agents().add(agent)).rejects.toMatchObject({
      code: 'conflict',
      message: `the organisation has a deactivated agent ${email}; activate them with \`agents activate ${userId}\``,
    });
  });
});
