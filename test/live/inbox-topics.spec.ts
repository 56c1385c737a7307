import { InboxTopic } from '../../src/live/inbox.topic.js';
import { ThreadTopic } from '../../src/live/thread.topic.js';
import { act } from '../conversations/conversations.js';
import { anotherPhone, conversationOf, timelineOf } from '../conversations/threads.js';
import { openWindow } from '../messages/messages.js';
import { type Browser, inRole, member, signedIn } from '../sessions/browser.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { EventReader } from './event-reader.js';

const STREAM = '/api/v1/stream';

interface Rows {
  readonly topic: string;
  readonly total: number;
  readonly conversations: readonly { readonly phone_number: string; readonly last_message_preview: string }[];
}

let world: World;
let account: TestAccount;
let page: Browser;
const readers: EventReader[] = [];
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
  page = await inRole(world, account, 'agent');
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const reader of readers.splice(0)) reader.close();
});

const watch = async (topics: string, of = page): Promise<EventReader> => {
  const reader = await EventReader.open(of, topics);
  readers.push(reader);
  return reader;
};
const writes = (phone: string, text: string) => openWindow(world, account.phone, phone, { text });
const threadOf = (phone: string): string => `thread:${phone}:${account.phone.id}`;
/** The next list of a topic that has these people, in this order. */
const listed = (reader: EventReader, topic: string, phones: readonly string[]): Promise<unknown> =>
  reader.next('rows', (data) => {
    const { topic: of, conversations } = data as unknown as Rows;
    return of === topic && conversations.map(({ phone_number }) => phone_number).join() === phones.join();
  });

describe('the topic of an inbox', () => {
  it('has the people who have written, in each view', async () => {
    const [first, second] = [uniquePhone(), uniquePhone()];
    const { userId } = await member(world, account);
    const topics = [
      'inbox:unassigned',
      'inbox:all?order=last_inbound',
      'inbox:all?order=longest_waiting',
      'inbox:resolved',
    ];
    const reader = await watch(topics.join());
    for (const topic of topics) await listed(reader, topic, []);
    await writes(first, 'Good morning');
    await listed(reader, 'inbox:unassigned', [first]);
    await writes(second, 'Hello?');
    await listed(reader, 'inbox:unassigned', [second, first]);
    await listed(reader, 'inbox:all?order=last_inbound', [second, first]);
    await listed(reader, 'inbox:all?order=longest_waiting', [first, second]);
    await act(account, 'assign', first, { user_id: userId });
    await listed(reader, 'inbox:unassigned', [second]);
    await act(account, 'resolve', first);
    await listed(reader, 'inbox:resolved', [first]);
    await listed(reader, 'inbox:all?order=last_inbound', [second]);
    const last = reader.events.findLast(({ data }) => data['topic'] === 'inbox:resolved')?.data as unknown as Rows;
    expect(last).toEqual({ topic: 'inbox:resolved', total: 1, conversations: [await conversationOf(account, first)] });
  });

  it('is personal where it is about whoever watches', async () => {
    const [mine, other] = [await member(world, account), await member(world, account)];
    const [tab, foreign] = [
      await signedIn(world, account.accountId, mine),
      await signedIn(world, account.accountId, other),
    ];
    const reader = await watch('inbox:mine', tab);
    const colleague = await watch('inbox:mine', foreign);
    await listed(reader, 'inbox:mine', []);
    const phone = uniquePhone();
    await writes(phone, 'Hello');
    await act(account, 'assign', phone, { user_id: mine.userId });
    await listed(reader, 'inbox:mine', [phone]);
    await act(account, 'assign', phone, { user_id: other.userId });
    await listed(colleague, 'inbox:mine', [phone]);
    await listed(reader, 'inbox:mine', []);
  });

  it('may be of one business phone, which must be the account’s', async () => {
    const phoneId = await anotherPhone(world, account);
    const phone = uniquePhone();
    await writes(phone, 'Hello');
    const reader = await watch(`inbox:all?waba_phone_id=${phoneId},inbox:all?waba_phone_id=${account.phone.id}`);
    await listed(reader, `inbox:all?waba_phone_id=${phoneId}`, []);
    await listed(reader, `inbox:all?waba_phone_id=${account.phone.id}`, [phone]);
    const { phone: foreign } = await world.account();
    const topics = encodeURIComponent(`inbox:all?waba_phone_id=${foreign.id}`);
    expect((await page.get(`${STREAM}?topics=${topics}`)).status).toBe(403);
  });

  it.each([
    ['an account', []],
    ['an account in which nothing has happened for long', ['DELETE FROM events WHERE account_id = $1']],
  ])('of %s is read when something has happened, and seldom otherwise', async (_, statements) => {
    const topic = world.parley.app.get(InboxTopic);
    const [looks, read] = [jest.spyOn(topic, 'marks'), jest.spyOn(topic, 'read')];
    const phone = uniquePhone();
    await writes(phone, 'Hello');
    for (const statement of statements) await world.unitOfWork.autocommit.affected(statement, [account.accountId]);
    const startedAt = performance.now();
    const reader = await watch('inbox:all');
    await listed(reader, 'inbox:all', [phone]);
    await until('it was looked at', () => looks.mock.results.length >= 12);
    // What nobody announces is found within five seconds; the account's last events may come while it is watched.
    expect(read.mock.calls.length).toBeLessThanOrEqual(3 + (performance.now() - startedAt) / 5000);
  });
});

describe('the topic of a thread', () => {
  it('has the conversation and its newest entries, and tells of messages, reports, changes and notes', async () => {
    const phone = uniquePhone();
    await writes(phone, 'Are the tulips in?');
    const topic = threadOf(phone);
    const reader = await watch(topic);
    const contents = (data: Record<string, unknown>): unknown[] =>
      (
        data['entries'] as {
          message?: { content: string; status: string };
          note?: { text: string };
          change?: { kind: string };
        }[]
      ).map(({ message, note, change }) =>
        message ? `${message.content} ${message.status}` : (note?.text ?? change?.kind),
      );
    const first = await reader.next('timeline');
    expect(first).toEqual({
      topic,
      conversation: await conversationOf(account, phone),
      entries: (await timelineOf(account, phone)).entries,
    });
    const { userId } = await member(world, account);
    await act(account, 'assign', phone, { user_id: userId });
    await reader.next('timeline', (data) => contents(data)[0] === 'assigned');
    await account.api.post(`/api/v1/conversations/${phone}/notes`, { text: 'Ask for the order' });
    await reader.next('timeline', (data) => contents(data)[0] === 'Ask for the order');
    await account.api.post('/api/v1/messages/send-message', {
      contact_phone: phone,
      message_type: 'text',
      message: 'They are',
    });
    await reader.next('timeline', (data) => contents(data)[0] === 'They are read');
    expect(await reader.next('timeline')).toEqual({
      topic,
      conversation: await conversationOf(account, phone),
      entries: (await timelineOf(account, phone)).entries,
    });
  });

  it('is of a conversation of the account', async () => {
    const phone = uniquePhone();
    await writes(phone, 'Hello');
    const status = async (topic: string, of = page): Promise<number> =>
      (await of.get(`${STREAM}?topics=${encodeURIComponent(topic)}`)).status;
    expect(await status(threadOf(uniquePhone()))).toBe(404);
    const other = await world.account();
    expect(await status(threadOf(phone), await inRole(world, other, 'agent'))).toBe(403);
    expect(await status(`thread:${phone}:${other.phone.id}`)).toBe(403);
  });

  it('waits for no other thread', async () => {
    const [slow, quick] = [uniquePhone(), uniquePhone()];
    await writes(slow, 'Hello');
    await writes(quick, 'Hello');
    const topic = world.parley.app.get(ThreadTopic);
    const read = topic.read.bind(topic);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    jest.spyOn(topic, 'read').mockImplementation(async (watched) => {
      if (watched[0]?.subject?.startsWith(slow)) await held;
      return read(watched);
    });
    const reader = await watch(`${threadOf(slow)},${threadOf(quick)}`);
    await reader.next('timeline', (data) => data['topic'] === threadOf(quick));
    await writes(quick, 'Anybody?');
    await reader.next(
      'timeline',
      ({ topic: of, entries }) => of === threadOf(quick) && (entries as unknown[]).length === 2,
    );
    expect(reader.events.some(({ data }) => data['topic'] === threadOf(slow))).toBe(false);
    release();
    await reader.next('timeline', (data) => data['topic'] === threadOf(slow));
  });
});
