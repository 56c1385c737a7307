import { recordStatements } from '../../bench/support/recorded-statements.js';
import { listConversations } from '../../src/conversations/conversation.queries.js';
import type { ConversationFilter } from '../../src/conversations/conversation-filter.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { findThread, findTimeline } from '../../src/messages/history/thread-timeline.queries.js';
import { byNumber } from '../../src/people/contact-ref.js';
import { started, untilCampaign } from '../campaigns/campaigns.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { manyMessages } from './threads.js';

/** Rows per statement. */
const CHUNK = 2000;
/** How long such a statement may take on a busy machine, milliseconds. */
const STATEMENT_MS = 120_000;

let world: World;
let session: ForeignSession;
beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  world = await World.start({ databaseUrl });
  session = await ForeignSession.open(databaseUrl);
});
afterAll(async () => {
  await session.close();
  await world.stop();
});

/** Updates statistics and visibility maps: a row that some transaction cannot see yet costs each query another block. */
const vacuum = () =>
  until('all rows are visible to everybody', async () => {
    await session.query('VACUUM ANALYZE');
    const hidden = await session.query(
      `SELECT FROM pg_class WHERE relkind = 'r' AND relallvisible < relpages
       AND (relname IN ('contacts', 'conversations') OR relname LIKE 'messages\\_%')`,
    );
    return hidden.length === 0;
  });

interface PlanNode {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** The blocks that a query touches. */
async function blocksOf(query: (tx: Tx) => Promise<unknown>): Promise<number> {
  let blocks = 0;
  for (const { text, parameters } of await recordStatements(query)) {
    const plan = await world.unitOfWork.autocommit.row<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
      parameters,
    );
    const root = plan?.['QUERY PLAN'][0].Plan;
    blocks += (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0);
  }
  return blocks;
}

it('the first page of a long thread touches hardly more blocks than that of a short one', async () => {
  const account = await world.account();
  const [short, long] = [uniquePhone(), uniquePhone()];
  await manyMessages(world, account, short, { count: 100, businessPhoneId: account.phone.id });
  await manyMessages(world, account, long, { count: 20_000, businessPhoneId: account.phone.id });
  await vacuum();
  const costOf = async (phone: string): Promise<number> => {
    const { accountId } = account;
    const thread = await findThread(accountId, byNumber(phone), null, world.unitOfWork.autocommit);
    if (thread === null) throw new Error('there is no thread');
    const first = { direction: 'older', from: null, inclusive: false, limit: 51 } as const;
    return blocksOf((tx) => findTimeline(accountId, thread, first, tx));
  };
  expect(await costOf(long)).toBeLessThan(2 * (await costOf(short)) + 50);
});

/** Stores conversations; somebody has written in every tenth, and waits in every hundredth. */
async function conversations({ accountId, phone }: TestAccount, count: number): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) {
    const insert = `WITH contact AS (
         INSERT INTO contacts (account_id, id, phone_number, first_name, source)
         SELECT $1, new_record_id(), (4915100000000 + i)::text, 'Grace', 'import' FROM generate_series($2::int, $3::int) AS i
         RETURNING id, right(phone_number, 5)::int AS place
       )
       INSERT INTO conversations (account_id, contact_id, business_phone_id, last_message_at, last_inbound_at, waiting_since)
       SELECT $1, id, $4, at, CASE WHEN place % 10 = 0 THEN at END, CASE WHEN place % 100 = 0 THEN at END
       FROM (SELECT id, place, now() - place * interval '1 second' AS at FROM contact) one`;
    const parameters = [accountId, from, Math.min(count, from + CHUNK - 1), phone.id];
    await world.unitOfWork.transaction((tx) => tx.affected(insert, parameters), { statementMs: STATEMENT_MS });
  }
}

it('first pages of inboxes touch hardly more blocks among many conversations than among few', async () => {
  const [few, many] = [await world.account(), await world.account()];
  await conversations(few, 3000);
  await conversations(many, 20_000);
  await vacuum();
  const any = { status: null, assignedTo: null, unassigned: null, order: 'active' } as const;
  const filters: Partial<ConversationFilter>[] = [
    { hasInbound: true },
    { hasInbound: true, status: 'open', unassigned: true },
    { waiting: true },
    { order: 'last_inbound' },
    { order: 'last_inbound', status: 'open' },
    { order: 'longest_waiting' },
    { order: 'longest_waiting', unassigned: true },
  ];
  const grown: unknown[] = [];
  for (const filter of filters) {
    const costOf = ({ accountId }: TestAccount) =>
      blocksOf((tx) => listConversations(accountId, { ...any, ...filter }, { page: 1, limit: 20 }, tx));
    const [least, most] = [await costOf(few), await costOf(many)];
    // 2,000 index entries are counted instead of 300.
    if (most > 2 * least + 100) grown.push([filter, least, most]);
  }
  expect(grown).toEqual([]);
});

it('a campaign message writes nothing for inboxes, and one row of its conversation', async () => {
  const account = await world.account();
  const { name } = await approvedTemplate(world, account);
  const numbers = Array.from({ length: 40 }, uniquePhone);
  // Statistics of tables would count what was rolled back too, and are told late.
  await session.query(`
    CREATE TABLE written (operation text NOT NULL);
    CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO written VALUES (TG_OP); RETURN NULL; END $$;
    CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON conversations FOR EACH ROW EXECUTE FUNCTION note_write()`);
  const sizes = () =>
    session.query<{ entries: number }>(
      `SELECT pg_relation_size(oid) AS entries FROM pg_class
       WHERE relname IN ('conversations_written_idx', 'conversations_inbound_idx', 'conversations_waiting_idx')`,
    );
  const indexes = await sizes();
  expect(indexes).toHaveLength(3);
  for (let sent = 0; sent < 2; sent += 1) {
    await untilCampaign(account, await started(account, name, numbers), 'completed');
  }
  const stored = 'SELECT FROM messages WHERE account_id = $1';
  expect(await session.query(stored, [account.accountId])).toHaveLength(2 * numbers.length);
  // The first message creates the conversation, the second updates it once.
  const written = 'SELECT operation, count(*)::integer AS rows FROM written GROUP BY 1 ORDER BY 1';
  expect(await session.query(written)).toEqual([
    { operation: 'INSERT', rows: numbers.length },
    { operation: 'UPDATE', rows: numbers.length },
  ]);
  expect(await sizes()).toEqual(indexes);
  const entered = 'SELECT 1 AS found FROM conversation_entries WHERE account_id = $1';
  expect(await session.query(entered, [account.accountId])).toEqual([]);
});
