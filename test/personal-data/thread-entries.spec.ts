import { act } from '../conversations/conversations.js';
import { timelineOf } from '../conversations/threads.js';
import { createContact } from '../people/merging.js';
import { freshDatabase } from '../support/database.js';
import { type TestAccount, uniqueDigits, World } from '../support/world.js';
import { erase, untilPass } from './erasing.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ databaseUrl: await freshDatabase() });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const note = (phone: string, text: string, headers = {}) =>
  account.api.post(`/api/v1/conversations/${phone}/notes`, { text }, { headers });

describe('notes and changes of a thread', () => {
  it('are exported with their contact', async () => {
    const { id, phone_number } = await createContact(account);
    await act(account, 'resolve', phone_number, { reason: 'Answered' });
    await note(phone_number, 'Prefers mornings', { 'idempotency-key': uniqueDigits() });
    const { body } = await account.api.get(`/api/v1/contacts/${id}/export`);
    expect(body.entries).toEqual([
      expect.objectContaining({ kind: 'resolved', reason: 'Answered', source: 'api', actor_id: account.ownerId }),
      expect.objectContaining({ kind: 'note', note: 'Prefers mornings' }),
    ]);
    expect(body.stored_answers).toEqual([
      expect.objectContaining({ about: expect.arrayContaining([expect.objectContaining({ status: 'success' })]) }),
    ]);
  });

  it('are erased with their contact, and in the stored answer too', async () => {
    const { id, phone_number } = await createContact(account);
    const other = await createContact(account);
    const options = { 'idempotency-key': uniqueDigits() };
    for (const phone of [phone_number, other.phone_number]) await act(account, 'resolve', phone);
    await note(phone_number, 'Prefers mornings', options);
    await note(other.phone_number, 'Prefers evenings');
    await erase(account, id);
    const left = await world.unitOfWork.autocommit.rows(
      'SELECT kind, note FROM conversation_entries WHERE account_id = $1 AND contact_id = $2',
      [account.accountId, id],
    );
    expect(left).toEqual([]);
    expect((await account.api.get(`/api/v1/conversations/${phone_number}/timeline`)).status).toBe(404);
    expect((await timelineOf(account, other.phone_number)).entries).toHaveLength(2);
    await untilPass(world, account, id, 1);
    const repeated = await note(phone_number, 'Prefers mornings', options);
    expect(repeated.text).not.toContain('mornings');
  });
});
