import { OrganisationsService } from '../../src/accounts/organisations.service.js';
import { AgentsService } from '../../src/agents/agents.service.js';
import { recordInbound } from '../../src/conversations/automatic-rule.queries.js';
import { HOUR } from '../../src/values/clock.js';
import { crowd } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act, deactivateOwner, enrol, eventsOf, holdingsOf, receive, stateOf } from './conversations.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const rule = (settings: Parameters<OrganisationsService['set']>[1]) =>
  world.parley.app.get(OrganisationsService).set(String(account.organisationId), settings);
const deactivate = (userId: string) => world.parley.app.get(AgentsService).deactivate(userId);
const SYSTEM = { user_id: 'system', name: 'system' };

describe('auto_reopen', () => {
  it('reopens a resolved conversation on a customer’s message and keeps its assignee', async () => {
    const phone = uniquePhone();
    const ada = await enrol(world, account, 'Ada Agent');
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'resolve', phone);
    const before = await stateOf(account, phone);
    await receive(world, account, phone);
    expect(await stateOf(account, phone)).toEqual({ ...before, status: 'open' });
    expect((await eventsOf(world, account)).at(-1)).toEqual({
      event: 'conversation.reopened',
      timestamp: expect.stringMatching(/\+00:00$/),
      conversation: {
        contact_phone: phone,
        waba_phone_id: account.phone.id,
        status: 'open',
        assigned_to: ada,
        assigned_to_name: 'Ada Agent',
        previous_assignee_id: null,
        previous_assignee_name: null,
        is_reassignment: false,
        note: null,
        reason: null,
        actor: { ...SYSTEM, source: 'auto_reopen' },
      },
    });
    expect(await holdingsOf(world, account)).toMatchObject([{ userId: ada, heldUntil: null }]);
  });

  it('releases a conversation whose assignee is no longer active', async () => {
    const phone = uniquePhone();
    const ada = await enrol(world, account, 'Ada Agent');
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'resolve', phone);
    await deactivate(ada);
    await receive(world, account, phone);
    expect(await stateOf(account, phone)).toMatchObject({ status: 'open', assigned_to: null, assigned_at: null });
    expect((await eventsOf(world, account)).at(-1)?.conversation).toMatchObject({
      assigned_to: null,
      previous_assignee_id: ada,
      previous_assignee_name: 'Ada Agent',
      is_reassignment: false,
    });
    expect(await holdingsOf(world, account)).toMatchObject([{ userId: ada, heldUntil: expect.any(Date) }]);
  });

  it('does not change an open conversation, even one of a deactivated agent', async () => {
    const phone = uniquePhone();
    const ada = await enrol(world, account, 'Ada Agent');
    await act(account, 'assign', phone, { user_id: ada });
    await deactivate(ada);
    await receive(world, account, phone);
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: ada });
    expect(await eventsOf(world, account)).toHaveLength(1);
  });

  it('reopens once for many parallel messages', async () => {
    const phone = uniquePhone();
    await act(account, 'resolve', phone);
    await crowd(20, () => receive(world, account, phone));
    const kinds = (await eventsOf(world, account)).map(({ event }) => event);
    expect(kinds).toEqual(['conversation.resolved', 'conversation.reopened']);
  });
});

describe('auto_inbound', () => {
  it('is off by default', async () => {
    await receive(world, account, uniquePhone());
    expect(await eventsOf(world, account)).toEqual([]);
  });

  it('assigns a new inbound conversation with the system as the actor', async () => {
    await rule({ autoInbound: true });
    const phone = uniquePhone();
    await receive(world, account, phone);
    expect(await stateOf(account, phone)).toMatchObject({ status: 'open', assigned_to: account.ownerId });
    expect(await eventsOf(world, account)).toMatchObject([
      {
        event: 'conversation.assigned',
        conversation: {
          assigned_to: account.ownerId,
          assigned_to_name: 'Olive Owner',
          is_reassignment: false,
          actor: { ...SYSTEM, source: 'auto_inbound' },
        },
      },
    ]);
    expect(await holdingsOf(world, account)).toMatchObject([{ source: 'auto_inbound', assignedBy: null }]);
  });

  it('rotates evenly through all active members of any role, also under concurrency', async () => {
    await rule({ autoInbound: true });
    for (const name of ['Ada', 'Bob', 'Cleo']) await enrol(world, account, name);
    await crowd(40, () => receive(world, account, uniquePhone()));
    const shares = new Map<string, number>();
    for (const { userId } of await holdingsOf(world, account)) shares.set(userId, (shares.get(userId) ?? 0) + 1);
    expect([...shares.values()]).toEqual([10, 10, 10, 10]);
  });

  it('skips deactivated members and starts with new ones', async () => {
    await rule({ autoInbound: true });
    const ada = await enrol(world, account, 'Ada Agent');
    const next = async () => {
      const phone = uniquePhone();
      await receive(world, account, phone);
      return (await stateOf(account, phone)).assigned_to;
    };
    expect([await next(), await next(), await next()]).toEqual([account.ownerId, ada, account.ownerId]);
    await deactivate(ada);
    expect([await next(), await next()]).toEqual([account.ownerId, account.ownerId]);
    const bob = await enrol(world, account, 'Bob Agent');
    expect([await next(), await next()]).toEqual([bob, account.ownerId]);
    await deactivate(bob);
    await deactivateOwner(world, account);
    expect(await next()).toBeNull();
    const cleo = await enrol(world, account, 'Cleo Agent');
    expect(await next()).toBe(cleo);
  });

  it('assigns a conversation once, at the contact’s first message', async () => {
    const [fresh, old] = [uniquePhone(), uniquePhone()];
    await receive(world, account, old);
    await rule({ autoInbound: true });
    await crowd(10, () => receive(world, account, fresh));
    await act(account, 'unassign', fresh);
    await receive(world, account, fresh);
    await act(account, 'resolve', old);
    await receive(world, account, old);
    expect(await holdingsOf(world, account)).toHaveLength(1);
    expect(await stateOf(account, fresh)).toMatchObject({ status: 'open', assigned_to: null });
    expect(await stateOf(account, old)).toMatchObject({ status: 'open', assigned_to: null });
  });

  it('assigns it whoever opened it: a single send or a request', async () => {
    await rule({ autoInbound: true });
    const [sent, asked] = [uniquePhone(), uniquePhone()];
    const { name } = await approvedTemplate(world, account);
    const single = await account.api.post('/api/v1/messages/send', { template_name: name, contact_phone: sent });
    expect(single.status).toBe(200);
    await act(account, 'unassign', asked);
    for (const phone of [sent, asked]) {
      expect(await stateOf(account, phone)).toMatchObject({ assigned_to: null });
      await Promise.all([1, 2, 3].map(() => receive(world, account, phone)));
      expect(await stateOf(account, phone)).toMatchObject({ status: 'open', assigned_to: account.ownerId });
    }
    expect(await holdingsOf(world, account)).toHaveLength(2);
  });

  it('assigns a resolved conversation that nobody holds after reopening it, and leaves one with its holder', async () => {
    await rule({ autoInbound: true });
    const ada = await enrol(world, account, 'Ada Agent');
    const [free, held] = [uniquePhone(), uniquePhone()];
    await act(account, 'resolve', free);
    await act(account, 'assign', held, { user_id: ada });
    for (const phone of [free, held]) await receive(world, account, phone);
    expect(await stateOf(account, free)).toMatchObject({ status: 'open', assigned_to: account.ownerId });
    expect(await stateOf(account, held)).toMatchObject({ status: 'open', assigned_to: ada });
    const sources = (await eventsOf(world, account)).map(({ conversation }) => conversation.actor.source);
    expect(sources).toEqual(['api', 'api', 'auto_reopen', 'auto_inbound']);
  });

  it('treats a message as the first once, even within one transaction', async () => {
    const { contactId } = await receive(world, account, uniquePhone());
    const mention = {
      contactId,
      businessPhoneId: account.phone.id,
      preview: 'Hello',
      at: new Date(),
      waiting: 'begins',
    } as const;
    await world.unitOfWork.transaction(async (tx) => {
      await tx.affected('DELETE FROM conversations WHERE account_id = $1', [account.accountId]);
      expect(await recordInbound(account.accountId, mention, tx)).toMatchObject({ isFirst: true });
      expect(await recordInbound(account.accountId, mention, tx)).toMatchObject({ isFirst: false });
    });
    const { autocommit } = world.unitOfWork;
    expect(await recordInbound(account.accountId, mention, autocommit)).toMatchObject({ isFirst: false });
  });

  it('does not use up a turn when the transaction rolls back', async () => {
    await rule({ autoInbound: true });
    const ada = await enrol(world, account, 'Ada Agent');
    const failing = receive(world, account, uniquePhone(), { thenFail: true });
    await expect(failing).rejects.toThrow('rolled back');
    for (const turn of [account.ownerId, ada]) {
      const phone = uniquePhone();
      await receive(world, account, phone);
      expect((await stateOf(account, phone)).assigned_to).toBe(turn);
    }
  });

  it('does nothing in an account without an organisation', async () => {
    const lone = await world.account({ organisation: false });
    expect(await receive(world, lone, uniquePhone())).toMatchObject({ autoReply: null });
    expect(await eventsOf(world, lone)).toEqual([]);
  });
});

describe('auto_reply', () => {
  const TEXT = 'We will be with you shortly.';
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR);

  it('is off by default', async () => {
    expect(await receive(world, account, uniquePhone())).toMatchObject({ autoReply: null });
  });

  it('is claimed once per window, even by parallel messages', async () => {
    await rule({ autoReply: TEXT });
    const phone = uniquePhone();
    const answers = await crowd(10, () => receive(world, account, phone));
    expect(answers.filter(({ autoReply }) => autoReply === TEXT)).toHaveLength(1);
    expect((await receive(world, account, phone)).autoReply).toBeNull();
    expect((await receive(world, account, phone)).autoReply).toBeNull();
    expect(await eventsOf(world, account)).toEqual([]);
  });

  it('is claimed again when the customer writes after the window closed', async () => {
    await rule({ autoReply: TEXT });
    const phone = uniquePhone();
    expect((await receive(world, account, phone, { at: hoursAgo(23) })).autoReply).toBe(TEXT);
    expect((await receive(world, account, phone, { at: hoursAgo(1) })).autoReply).toBeNull();
    await world.unitOfWork.autocommit.affected(
      `UPDATE conversations SET last_inbound_at = now() - interval '25 hours' WHERE account_id = $1`,
      [account.accountId],
    );
    expect((await receive(world, account, phone)).autoReply).toBe(TEXT);
  });

  it('is not sent for a message older than 24 hours, which does not open a window', async () => {
    await rule({ autoReply: TEXT });
    const phone = uniquePhone();
    expect((await receive(world, account, phone, { at: hoursAgo(25) })).autoReply).toBeNull();
    expect((await receive(world, account, phone)).autoReply).toBe(TEXT);
  });

  it('is sent in unassigned conversations only', async () => {
    await rule({ autoReply: TEXT });
    const phone = uniquePhone();
    await act(account, 'assign', phone, { user_id: account.ownerId });
    expect((await receive(world, account, phone)).autoReply).toBeNull();
    await act(account, 'unassign', phone);
    expect((await receive(world, account, phone)).autoReply).toBe(TEXT);
  });

  it('is not sent in a conversation that auto_inbound has just assigned', async () => {
    await rule({ autoReply: TEXT, autoInbound: true });
    expect((await receive(world, account, uniquePhone())).autoReply).toBeNull();
  });

  it('assigns the conversation to the agent of the rule', async () => {
    const ada = await enrol(world, account, 'Ada Agent');
    await rule({ autoReply: TEXT, autoReplyUserId: ada });
    const phone = uniquePhone();
    expect((await receive(world, account, phone)).autoReply).toBe(TEXT);
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: ada, assigned_to_name: 'Ada Agent' });
    expect(await eventsOf(world, account)).toMatchObject([
      {
        event: 'conversation.assigned',
        conversation: { assigned_to: ada, is_reassignment: false, actor: { ...SYSTEM, source: 'auto_reply' } },
      },
    ]);
    expect(await holdingsOf(world, account)).toMatchObject([{ userId: ada, source: 'auto_reply' }]);
  });

  it('replies in a reopened conversation without an assignee, and orders the events', async () => {
    const [ada, bob] = await Promise.all([enrol(world, account, 'Ada Agent'), enrol(world, account, 'Bob Agent')]);
    await rule({ autoReply: TEXT, autoReplyUserId: bob });
    const phone = uniquePhone();
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'resolve', phone);
    await deactivate(ada);
    expect((await receive(world, account, phone)).autoReply).toBe(TEXT);
    const sources = (await eventsOf(world, account)).map(({ conversation }) => conversation.actor.source);
    expect(sources).toEqual(['api', 'api', 'auto_reopen', 'auto_reply']);
    expect(await stateOf(account, phone)).toMatchObject({ status: 'open', assigned_to: bob });
  });

  it('replies without assigning when that agent is no longer active', async () => {
    const ada = await enrol(world, account, 'Ada Agent');
    await rule({ autoReply: TEXT, autoReplyUserId: ada });
    await deactivate(ada);
    const phone = uniquePhone();
    expect((await receive(world, account, phone)).autoReply).toBe(TEXT);
    expect(await stateOf(account, phone)).toMatchObject({ assigned_to: null });
  });

  it('is not sent by a suspended account', async () => {
    await rule({ autoReply: TEXT });
    await world.unitOfWork.autocommit.affected("UPDATE accounts SET status = 'suspended' WHERE id = $1", [
      account.accountId,
    ]);
    expect((await receive(world, account, uniquePhone())).autoReply).toBeNull();
  });
});
