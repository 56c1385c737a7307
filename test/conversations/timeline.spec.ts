import type { NoteResponse } from '../../src/conversations/dto/conversation-entry.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
import { openWindow, SEND_MESSAGE } from '../messages/messages.js';
import { createContact, merge } from '../people/merging.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { act, enrol, requestAction } from './conversations.js';
import { anotherPhone, conversationOf, manyMessages, timelineOf, wordOf } from './threads.js';

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

const note = (text: string, more: Record<string, unknown> = {}, to = phone) =>
  account.api.post<NoteResponse>(`/api/v1/conversations/${to}/notes`, { text, ...more });
const get = (query: string, of = account, to = phone) => of.api.get(`/api/v1/conversations/${to}/timeline${query}`);
const answer = (message: string) =>
  account.api.post(SEND_MESSAGE, { contact_phone: phone, message_type: 'text', message });
const words = async (query = '') => (await timelineOf(account, phone, query)).entries.map(wordOf);

/** Follows the cursors of one direction from a page to the end. */
async function walk(first: string, direction: 'before' | 'after', limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let query: string | null = first; query !== null; ) {
    const { entries, next_before, next_after } = await timelineOf(account, phone, `?limit=${limit}${query}`);
    pages.push(entries.map(wordOf));
    const next: string | null = direction === 'before' ? next_before : next_after;
    query = next && `&${direction}=${next}`;
  }
  return pages;
}

describe('the timeline of a conversation', () => {
  it('is one line of time of messages, notes and changes, newest first', async () => {
    await openWindow(world, account.phone, phone, { text: 'Where is it?' });
    await act(account, 'assign', phone, { user_id: ada, note: 'Speaks Portuguese' });
    await note('A good customer');
    await answer('On its way');
    await act(account, 'assign', phone, { user_id: account.ownerId, note: 'Yours' });
    await act(account, 'unassign', phone);
    await act(account, 'resolve', phone, { reason: 'Answered' });
    await act(account, 'reopen', phone);
    const { entries, next_before, next_after } = await timelineOf(account, phone);
    const owner = { user_id: account.ownerId, name: 'Olive Owner', source: 'api' };
    const change = (kind: string, more: object = {}) => ({
      type: 'change',
      at: expect.stringMatching(/\+00:00$/),
      change: {
        kind,
        actor: owner,
        assigned_to: null,
        assigned_to_name: null,
        previous_assignee_id: null,
        previous_assignee_name: null,
        note: null,
        reason: null,
        ...more,
      },
    });
    const isOwner = { assigned_to: account.ownerId, assigned_to_name: 'Olive Owner' };
    const isAda = { assigned_to: ada, assigned_to_name: 'Ada Agent' };
    const wasOwner = { previous_assignee_id: account.ownerId, previous_assignee_name: 'Olive Owner' };
    const wasAda = { previous_assignee_id: ada, previous_assignee_name: 'Ada Agent' };
    const message = (direction: string, content: string) => ({
      type: 'message',
      at: expect.stringMatching(/\+00:00$/),
      message: expect.objectContaining({ direction, content, message_id: expect.any(String) }),
    });
    expect(entries).toEqual([
      change('reopened', isOwner),
      change('resolved', { reason: 'Answered' }),
      change('unassigned', wasOwner),
      change('assigned', { ...isOwner, ...wasAda, note: 'Yours' }),
      message('out', 'On its way'),
      {
        type: 'note',
        at: expect.any(String),
        note: { id: expect.any(String), text: 'A good customer', by: owner, at: expect.stringMatching(/\+00:00$/) },
      },
      change('assigned', { ...isAda, note: 'Speaks Portuguese' }),
      message('in', 'Where is it?'),
    ]);
    expect([next_before, next_after]).toEqual([null, null]);
  });

  it('keeps the note of a first assignment, which the answer and the list do not show', async () => {
    expect(await act(account, 'assign', phone, { user_id: ada, note: 'First' })).toMatchObject({ note: null });
    expect(await conversationOf(account, phone)).toMatchObject({ note: null });
    expect((await timelineOf(account, phone)).entries[0]?.change).toMatchObject({ note: 'First' });
  });

  it('pages back and forward without missing or repeating an entry, with pages of any size', async () => {
    await manyMessages(world, account, phone, { count: 23, businessPhoneId: account.phone.id });
    for (const text of ['one', 'two', 'three']) await note(text);
    const all = await words('?limit=100');
    expect(all).toHaveLength(26);
    for (const limit of [1, 4, 13, 25, 26, 27]) {
      expect((await walk('', 'before', limit)).flat()).toEqual(all);
      let oldest = await timelineOf(account, phone, `?limit=${limit}`);
      while (oldest.next_before !== null) {
        oldest = await timelineOf(account, phone, `?limit=${limit}&before=${oldest.next_before}`);
      }
      if (oldest.next_after === null) continue;
      const newer = await walk(`&after=${oldest.next_after}`, 'after', limit);
      expect([...newer.toReversed().flat(), ...oldest.entries.map(wordOf)]).toEqual(all);
    }
  });

  it('shows what is around a message, with cursors both ways', async () => {
    await manyMessages(world, account, phone, { count: 30, businessPhoneId: account.phone.id });
    const { entries } = await timelineOf(account, phone, '?limit=100');
    const id = entries.find((entry) => wordOf(entry) === '15')?.message?.message_id;
    const page = await timelineOf(account, phone, `?around=${id}&limit=6`);
    expect(page.entries.map(wordOf)).toEqual(['18', '17', '16', '15', '14', '13']);
    expect(await words(`?limit=2&before=${page.next_before}`)).toEqual(['12', '11']);
    expect(await words(`?limit=2&after=${page.next_after}`)).toEqual(['20', '19']);
    expect(await words(`?limit=1&around=${id}`)).toEqual(['15']);
  });

  it('leads back from a place behind which nothing is, also after it was empty', async () => {
    await manyMessages(world, account, phone, { count: 3, businessPhoneId: account.phone.id });
    const { next_before } = await timelineOf(account, phone, '?limit=1');
    await world.unitOfWork.autocommit.affected("DELETE FROM messages WHERE account_id = $1 AND content IN ('1', '2')", [
      account.accountId,
    ]);
    const empty = await timelineOf(account, phone, `?before=${next_before}`);
    expect(empty).toMatchObject({ entries: [], next_before: null });
    expect(await words(`?after=${empty.next_after}`)).toEqual(['3']);
  });

  it.each(['before', 'after'])('begins at the newest entry when %s is empty', async (name) => {
    await manyMessages(world, account, phone, { count: 3, businessPhoneId: account.phone.id });
    expect(await words(`?limit=2&${name}=`)).toEqual(['3', '2']);
  });

  it('has no reactions', async () => {
    const id = await openWindow(world, account.phone, phone, { text: 'Hi' });
    await world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from: phone,
      type: 'reaction',
      context_id: id,
      emoji: '👍',
    });
    expect(await words()).toEqual(['Hi']);
  });

  it('is of one business phone: the chosen one, else the most recently active one, and cursors stay with it', async () => {
    const other = await anotherPhone(world, account);
    await manyMessages(world, account, phone, { count: 3, businessPhoneId: account.phone.id });
    await manyMessages(world, account, phone, { count: 2, businessPhoneId: other });
    expect(await words(`?waba_phone_id=${account.phone.id}`)).toEqual(['3', '2', '1']);
    await note('here', { waba_phone_id: account.phone.id });
    const first = await timelineOf(account, phone, `?limit=1`);
    const isOther = first.entries.map(wordOf)[0] === '2';
    await world.unitOfWork.autocommit.affected(
      `UPDATE conversations SET last_message_at = now() + interval '1 hour' WHERE account_id = $1 AND business_phone_id = $2`,
      [account.accountId, isOther ? account.phone.id : other],
    );
    expect(await words(`?limit=1&before=${first.next_before}`)).toEqual([isOther ? '1' : '3']);
  });

  it('finds the few messages of a phone among many of another, in pages that may be short', async () => {
    const other = await anotherPhone(world, account);
    await manyMessages(world, account, phone, { count: 2, businessPhoneId: other });
    const contactId = await manyMessages(world, account, phone, { count: 20_010, businessPhoneId: account.phone.id });
    // The messages of the other phone are older than all of these.
    await world.unitOfWork.autocommit.affected(
      `UPDATE messages SET id = overlay(record_id_bound(now() - interval '6 hours')::text PLACING right(id::text, 22) FROM 15)::uuid
       WHERE account_id = $1 AND contact_id = $2 AND business_phone_id = $3`,
      [account.accountId, contactId, other],
    );
    await note('newest', { waba_phone_id: other });
    const pages: string[][] = [];
    for (let query: string | null = ''; query !== null; ) {
      const page = await timelineOf(account, phone, `?waba_phone_id=${other}${query}`);
      pages.push(page.entries.map(wordOf));
      query = page.next_before && `&before=${page.next_before}`;
    }
    expect(pages).toEqual([['newest'], ['2', '1']]);
  });

  it('has the assignments of older releases, which wrote no entries', async () => {
    await openWindow(world, account.phone, phone, { text: 'Hi' });
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'assign', phone, { user_id: account.ownerId, note: 'Yours' });
    const { autocommit } = world.unitOfWork;
    await autocommit.affected('DELETE FROM conversation_entries WHERE account_id = $1', [account.accountId]);
    await autocommit.affected('UPDATE conversation_assignments SET has_entry = false WHERE account_id = $1', [
      account.accountId,
    ]);
    await act(account, 'resolve', phone);
    const { entries } = await timelineOf(account, phone);
    expect(entries.map(wordOf)).toEqual(['resolved', 'assigned', 'assigned', 'Hi']);
    expect(entries[1]?.change).toMatchObject({
      assigned_to: account.ownerId,
      previous_assignee_name: 'Ada Agent',
      note: 'Yours',
      actor: { user_id: account.ownerId, source: 'api' },
    });
    expect(await words('?limit=2')).toEqual(['resolved', 'assigned']);
    expect((await walk('', 'before', 1)).flat()).toEqual(['resolved', 'assigned', 'assigned', 'Hi']);
  });

  it('moves with a merge of two people, whichever conversation is left', async () => {
    const [one, other] = [await createContact(account), await createContact(account)];
    for (const { phone_number } of [one, other]) {
      await act(account, 'assign', phone_number, { user_id: ada });
      await note(`about ${phone_number}`, {}, phone_number);
    }
    const alone = await anotherPhone(world, account);
    await act(account, 'resolve', other.phone_number, { waba_phone_id: alone });
    await merge(world, account, one.id, other.id);
    phone = one.phone_number;
    expect(await words(`?waba_phone_id=${account.phone.id}`)).toEqual([
      `about ${other.phone_number}`,
      'assigned',
      `about ${one.phone_number}`,
      'assigned',
    ]);
    expect(await words(`?waba_phone_id=${alone}`)).toEqual(['resolved']);
  });

  it('tells of automatic changes', async () => {
    await act(account, 'assign', phone, { user_id: ada });
    await act(account, 'resolve', phone);
    await openWindow(world, account.phone, phone, { text: 'Hi again' });
    const { entries } = await timelineOf(account, phone);
    expect(entries[0]?.change).toMatchObject({
      kind: 'reopened',
      assigned_to: ada,
      actor: { user_id: 'system', name: 'system', source: 'auto_reopen' },
    });
    expect(entries[1]?.message).toMatchObject({ content: 'Hi again' });
  });

  it.each([
    ['', 404, 'not_found', 'there is no conversation with'],
    ['?around=019c1363-49c0-7680-92b3-4d37d5120a7f', 404, 'not_found', 'message 019c1363-49c0-7680-92b3-4d37d5120a7f'],
    ['?around=x', 400, 'bad_request', 'around must be an id (got x)'],
    ['?limit=101', 400, 'bad_request', 'limit must be'],
    ['?before=x', 400, 'bad_request', 'before belongs to another list, account or filter'],
    ['?after=x', 400, 'bad_request', 'after belongs to another list, account or filter'],
    ['?before=a&after=b', 400, 'bad_request', 'before and after exclude each other'],
    ['?waba_phone_id=019c1363-49c0-7680-92b3-4d37d5120a7f', 403, 'forbidden', '019c1363'],
  ])('answers %s with its error', async (query, status, error, message) => {
    if (query !== '') await act(account, 'unassign', phone);
    if (query.startsWith('?around=0')) await act(account, 'resolve', phone);
    expect(await get(query)).toMatchObject({ status, body: { error, message: expect.stringContaining(message) } });
  });

  it('is never of another account, nor are its cursors', async () => {
    await manyMessages(world, account, phone, { count: 3, businessPhoneId: account.phone.id });
    const stranger = await world.account();
    expect((await get('', stranger)).status).toBe(404);
    await manyMessages(world, stranger, phone, { count: 3, businessPhoneId: stranger.phone.id });
    const { entries, next_before } = await timelineOf(account, phone, '?limit=1');
    expect((await get(`?before=${next_before}`, stranger)).status).toBe(400);
    expect((await get(`?around=${entries[0]?.message?.message_id}`, stranger)).status).toBe(404);
  });
});

describe('a note', () => {
  it('is answered 201 with its record, and is neither sent nor told', async () => {
    await act(account, 'resolve', phone);
    const before = await conversationOf(account, phone);
    const { status, body } = await note('Call back');
    expect(status).toBe(201);
    expect(body).toEqual({
      status: 'success',
      message: `Note added to the conversation with ${phone}`,
      note: {
        id: expect.any(String),
        text: 'Call back',
        by: { user_id: account.ownerId, name: 'Olive Owner', source: 'api' },
        at: expect.stringMatching(/\+00:00$/),
      },
    });
    expect(await conversationOf(account, phone)).toEqual(before);
    expect(await world.simulator.requests(account.phone.phoneNumberId)).toEqual([]);
    const events = await world.unitOfWork.autocommit.rows('SELECT kind FROM events WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(events).toEqual([{ kind: 'conversation.resolved' }]);
  });

  it('takes 2,000 characters and no more', async () => {
    await act(account, 'resolve', phone);
    expect((await note('😀'.repeat(2000))).status).toBe(201);
    expect((await note('x'.repeat(2001))).body).toMatchObject({
      message: 'text must be at most 2000 characters (got 2001)',
    });
    expect((await note('  ')).body).toMatchObject({ message: 'text is required and must not be blank' });
  });

  it('is 404 without a conversation, and creates none', async () => {
    expect(await note('Lost')).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect((await account.api.get('/api/v1/contacts/')).body.total).toBe(0);
    const foreign = (await world.account()).phone.id;
    expect((await note('Lost', { waba_phone_id: foreign })).status).toBe(403);
  });

  it('is written once, however often its request is repeated with a key', async () => {
    await act(account, 'resolve', phone);
    const path = `/api/v1/conversations/${phone}/notes`;
    const options = { headers: { 'idempotency-key': uniqueDigits() } };
    const [one, two] = [
      await account.api.post<NoteResponse>(path, { text: 'Once' }, options),
      await account.api.post<NoteResponse>(path, { text: 'Once' }, options),
    ];
    expect(two.body).toEqual(one.body);
    expect(await words()).toEqual(['Once', 'resolved']);
  });
});

describe('assign with only_if_unassigned', () => {
  const take = (userId: string) =>
    requestAction(account, 'assign', phone, { user_id: userId, only_if_unassigned: true });

  it('assigns what nobody has, answers who has it already as ever, and 409 to others, with the name', async () => {
    expect((await take(ada)).body.data).toMatchObject({ assigned_to: ada, no_op: false });
    expect((await take(ada)).body.data).toMatchObject({ assigned_to: ada, no_op: true });
    const refused = await take(account.ownerId);
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({ error: 'conflict', message: expect.stringContaining('Ada Agent') });
    expect(refused.body.message).toContain(ada);
    expect((await requestAction(account, 'assign', phone, { user_id: account.ownerId })).status).toBe(200);
    expect(await words()).toEqual(['assigned', 'assigned']);
  });

  it('lets exactly one of many agents win who ask at once', async () => {
    const agents: string[] = [];
    for (let index = 0; index < 8; index += 1) agents.push(await enrol(world, account, `Agent ${index}`));
    await act(account, 'resolve', phone);
    await act(account, 'reopen', phone);
    await act(account, 'unassign', phone);
    const answers = await Promise.all(agents.map(take));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const winner = answers.find(({ status }) => status === 200)?.body.data.assigned_to;
    expect((await conversationOf(account, phone)).assigned_to).toBe(winner);
    expect((await words()).filter((word) => word === 'assigned')).toHaveLength(1);
  });

  it('must be true or false', async () => {
    const body = { user_id: newRecordId(), only_if_unassigned: 'yes' };
    expect(await requestAction(account, 'assign', phone, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('only_if_unassigned') },
    });
  });
});
