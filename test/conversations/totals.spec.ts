import type { ConversationsResponse } from '../../src/conversations/dto/conversation-responses.dto.js';
import { CounterFoldSweep } from '../../src/counters/counter-fold.sweep.js';
import { crowd } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act, enrol, receive, requestAction } from './conversations.js';

const NOBODY = '00000000-0000-0000-0000-000000000000';

let world: World;
let account: TestAccount;
let ada: string;
beforeAll(async () => {
  // Without the worker role, nothing is folded except by a test.
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  ada = await enrol(world, account, 'Ada Agent');
});

interface Count {
  readonly counter: string;
  readonly subjectId: string;
  readonly amount: number;
}

const counts = (sql: string): Promise<Count[]> =>
  world.unitOfWork.autocommit.rows<Count>(sql, [account.accountId]).then((rows) => rows.filter(({ amount }) => amount));
const folded = () =>
  counts(`SELECT counter, subject_id, amount FROM counters
          WHERE account_id = $1 AND counter LIKE 'conversations.%' ORDER BY counter, subject_id`);
const unfolded = () =>
  counts(`SELECT counter, subject_id, amount FROM counter_changes
          WHERE account_id = $1 AND counter LIKE 'conversations.%' ORDER BY counter, subject_id`);
const counted = () =>
  counts(`SELECT 'conversations.' || status AS counter, coalesce(assigned_to, '${NOBODY}') AS subject_id, count(*) AS amount
          FROM conversations WHERE account_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`);

const fold = () => new CounterFoldSweep(world.unitOfWork).sweep();

/** Compares the total of every filtered list with the conversations. */
async function expectExactTotals(): Promise<void> {
  const truth = await counted();
  for (const status of ['open', 'resolved', null]) {
    for (const holder of [ada, account.ownerId, NOBODY, 'anybody', null]) {
      const right = truth.filter(
        ({ counter, subjectId }) =>
          (status === null || counter === `conversations.${status}`) &&
          (holder === null || (holder === 'anybody' ? subjectId !== NOBODY : subjectId === holder)),
      );
      const query = new URLSearchParams({ limit: '100' });
      if (status !== null) query.set('status', status);
      if (holder === NOBODY || holder === 'anybody') query.set('unassigned', String(holder === NOBODY));
      else if (holder !== null) query.set('assigned_to', holder);
      const { body } = await account.api.get<ConversationsResponse>(`/api/v1/conversations/?${query}`);
      expect(body.total).toBe(right.reduce((sum, { amount }) => sum + amount, 0));
      expect(body.conversations).toHaveLength(body.total);
    }
  }
}

/** Creates open and resolved conversations, assigned to Ada, to the owner and to nobody. */
async function someConversations(): Promise<string[]> {
  const phones = Array.from({ length: 6 }, uniquePhone);
  for (const [index, phone] of phones.entries()) {
    await receive(world, account, phone);
    if (index % 3 < 2) await act(account, 'assign', phone, { user_id: index % 3 ? ada : account.ownerId });
    if (index < 3) await act(account, 'resolve', phone);
  }
  return phones;
}

describe('conversation list totals', () => {
  it('are exact before, between and after folds', async () => {
    const phones = await someConversations();
    expect(await folded()).toEqual([]);
    expect((await unfolded()).length).toBeGreaterThan(0);
    await expectExactTotals();

    await fold();
    expect(await unfolded()).toEqual([]);
    expect(await folded()).toEqual(await counted());
    await expectExactTotals();

    for (const phone of phones.slice(0, 4)) await act(account, 'reopen', phone);
    await act(account, 'unassign', String(phones[4]));
    expect((await folded()).length).toBeGreaterThan(0);
    expect((await unfolded()).length).toBeGreaterThan(0);
    await expectExactTotals();

    await fold();
    expect(await unfolded()).toEqual([]);
    expect(await folded()).toEqual(await counted());
    await expectExactTotals();
  });

  it('are exact when changes and folds run in parallel', async () => {
    const phones = await someConversations();
    const actions = ['assign', 'resolve', 'unassign', 'reopen'] as const;
    const total = async () =>
      (await account.api.get<ConversationsResponse>('/api/v1/conversations/?limit=1')).body.total;
    await Promise.all([
      crowd(60, (index) =>
        requestAction(account, actions[index % 4] ?? 'assign', String(phones[index % 6]), {
          user_id: index % 8 ? ada : account.ownerId,
        }),
      ),
      crowd(10, fold, 2),
      crowd(20, async () => expect(await total()).toBe(6), 4),
    ]);
    await expectExactTotals();
    await fold();
    expect(await folded()).toEqual(await counted());
    await expectExactTotals();
  });

  it('count a conversation once when many parallel messages start it', async () => {
    const { accountId } = account;
    const { name } = await approvedTemplate(world, account);
    const numbers = [uniquePhone(), uniquePhone()];
    for (const number of numbers) await receive(world, account, number);
    await world.unitOfWork.autocommit.affected('DELETE FROM conversations WHERE account_id = $1', [accountId]);
    await expectExactTotals();
    await crowd<unknown>(24, (index) => {
      const contact_phone = String(numbers[index % 2]);
      if (index % 3 === 2) return receive(world, account, contact_phone);
      return account.api.post('/api/v1/messages/send', { template_name: name, contact_phone });
    });
    expect(await counted()).toEqual([{ counter: 'conversations.open', subjectId: NOBODY, amount: 2 }]);
    await expectExactTotals();
  });

  it('do not count a message that was rolled back', async () => {
    await expect(receive(world, account, uniquePhone(), { thenFail: true })).rejects.toThrow('rolled back');
    expect(await unfolded()).toEqual([]);
    await expectExactTotals();
  });
});
