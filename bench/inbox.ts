import 'reflect-metadata';
import { listConversations } from '../src/conversations/conversation.queries.js';
import type { ConversationFilter } from '../src/conversations/conversation-filter.js';
import { type Database } from '../src/database/unit-of-work.js';
import { findMessages } from '../src/messages/history/message-history.queries.js';
import { findThread, findTimeline } from '../src/messages/history/thread-timeline.queries.js';
import { byNumber } from '../src/people/contact-ref.js';
import { newRecordId } from '../src/values/record-id.js';
import { type Cost, measureReads, showGrowth } from './support/first-pages.js';

// First pages of an inbox: of lists among few and among many conversations, and of a short and a long thread. They should
// cost at most twice as much in the larger ones.

const SIZES = (process.env['BENCH_SIZES'] ?? '1000,1000000').split(',').map(Number);
/** Messages of the thread, for each of the sizes. */
const THREADS = [100, 1_000_000];
/** Growth that does not count, in blocks: index entries are counted to 10,000, and larger indexes have more levels. */
const SMALL = 500;
const DAYS = 60;
const CHUNK = 100_000;
const PHONE = '4915200000001';

/** Somebody has written in every tenth conversation, and waits in every hundredth. */
async function fill(conversations: number, messages: number, db: Database): Promise<string> {
  const [accountId, userId, phoneId] = Array.from({ length: 3 }, newRecordId) as [string, string, string];
  await db.rows(`INSERT INTO users (id, full_name, email, role) VALUES ($1, 'Olive', 'olive@example.test', 'owner')`, [
    userId,
  ]);
  await db.rows(`INSERT INTO accounts (id, owner_id, name) VALUES ($1, $2, 'Inbox')`, [accountId, userId]);
  for (let from = 1; from <= conversations; from += CHUNK) {
    await db.rows(
      `WITH contact AS (
         INSERT INTO contacts (account_id, id, phone_number, first_name, source)
         SELECT $1, new_record_id(), (4915200000000 + i)::text, 'Ada', 'import' FROM generate_series($2::int, $3::int) i
         RETURNING id, right(phone_number, 8)::int AS place
       )
       INSERT INTO conversations (account_id, contact_id, business_phone_id, last_message_at, last_inbound_at, waiting_since)
       SELECT $1, id, $4, at, CASE WHEN place % 10 = 0 THEN at END, CASE WHEN place % 100 = 0 THEN at END
       FROM (SELECT id, place, now() - place * interval '1 second' AS at FROM contact) one`,
      [accountId, from, Math.min(conversations, from + CHUNK - 1), phoneId],
    );
  }
  for (let from = 1; from <= messages; from += CHUNK) {
    await db.rows(
      `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, status, created_at)
       SELECT $1, overlay(record_id_bound(at)::text PLACING '7000-8000-' || lpad(i::text, 12, '0') FROM 15)::uuid,
              CASE i % 2 WHEN 0 THEN 'in' ELSE 'out' END, c.id, $2, 'text', 'Hello', 'sent', at
       FROM (SELECT i, now() - (1 - i::float8 / $3) * ${DAYS - 1} * interval '1 day' AS at
             FROM generate_series($4::int, $5::int) i) one,
            (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $6) c`,
      [accountId, phoneId, messages, from, Math.min(messages, from + CHUNK - 1), PHONE],
    );
  }
  return accountId;
}

type Reads = ReadonlyMap<string, (accountId: string, db: Database) => Promise<unknown>>;

function readsOfAll(): Reads {
  const any: ConversationFilter = { status: null, assignedTo: null, unassigned: null, order: 'active' };
  const list = (filter: Partial<ConversationFilter>) => (accountId: string, db: Database) =>
    listConversations(accountId, { ...any, ...filter }, { page: 1, limit: 20 }, db);
  return new Map([
    ['conversations', list({})],
    ['has_inbound', list({ hasInbound: true })],
    ['has_inbound, open, unassigned', list({ hasInbound: true, status: 'open', unassigned: true })],
    ['waiting', list({ waiting: true })],
    ['order=last_inbound', list({ order: 'last_inbound' })],
    ['order=longest_waiting', list({ order: 'longest_waiting' })],
    ['order=longest_waiting, unassigned', list({ order: 'longest_waiting', unassigned: true })],
    ['search by number', list({ search: PHONE })],
    ['timeline', timeline],
  ]);
}

/** The first page of the thread, as the service reads it. */
async function timeline(accountId: string, db: Database): Promise<unknown> {
  const thread = await findThread(accountId, byNumber(PHONE), null, db);
  if (thread === null) throw new Error('there is no thread');
  const { keys } = await findTimeline(
    accountId,
    thread,
    { direction: 'older', from: null, inclusive: false, limit: 51 },
    db,
  );
  return findMessages(
    accountId,
    keys.map(({ id }) => id),
    db,
  );
}

const results: Map<string, Cost>[] = [];
for (const [index, size] of SIZES.entries()) {
  const fillOne = (db: Database): Promise<string> => fill(size, THREADS[index] ?? size, db);
  results.push(await measureReads(DAYS, fillOne, readsOfAll()));
}
showGrowth(results, { conversations: SIZES.join(', ') }, SMALL);
