import 'reflect-metadata';
import { loadavg } from 'node:os';
import pg from 'pg';
import { Pool } from 'undici';
import { searchContacts } from '../src/contacts/contact-search.queries.js';
import { listContacts } from '../src/contacts/contacts.queries.js';
import { findAssignment, listConversations } from '../src/conversations/conversation.queries.js';
import type { ConversationFilter } from '../src/conversations/conversation-filter.js';
import type { Database, Tx } from '../src/database/unit-of-work.js';
import { listMembers } from '../src/groups/group-members.queries.js';
import { listGroups, searchGroups } from '../src/groups/groups.queries.js';
import { ANY_MESSAGE, listMessages } from '../src/messages/history/message-history.queries.js';
import { byNumber } from '../src/people/contact-ref.js';
import { median, quantile, show } from './support/figures.js';
import {
  fillInBulk,
  LARGE,
  type LargeTenant,
  largeTenant,
  seedContacts,
  seedLargeTenant,
} from './support/large-tenant.js';
import { inFlight, type LoadResult } from './support/load.js';
import { ProcessorTimeSpent, type ProcessTree, processorTime } from './support/processor-time.js';
import { recordStatements } from './support/recorded-statements.js';
import { authorizationOf, type BenchAccount, Stack } from './support/stack.js';

// Reads of one large tenant among others over HTTP. Compares Parley with bare SQL: the same statements sent through pg
// alone. Both take turns.

/** One by default: with more, the load, the service and the database compete for two cores. */
const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 1);
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 500);
const ROUNDS = 5;
const OTHER_ACCOUNTS = 10;
const CONTACTS_OF_OTHERS = 100_000;
const MAX_MATCHES = 1000;
/** The deepest page of a search. */
const SEARCH_PAGES = 100;
const TARGET_P99_MS = 20;
const TARGET_OVER_SQL_MS = 3;

/** One kind of read; `index` selects its page or term. */
interface Read {
  readonly name: string;
  path(index: number): string;
  sql(index: number, tx: Tx): Promise<unknown>;
}

/** Spreads pages evenly over the first `pages`. */
const pageAt = (index: number, pages: number): number => 1 + ((index * 7919) % pages);

function readsOf(tenant: LargeTenant, terms: readonly string[], phones: readonly string[]): Read[] {
  const { accountId, largestGroupId, agentId, contactPhone } = tenant;
  const at = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;
  const contacts = (name: string, pages: number): Read => ({
    name,
    path: (index) => `/api/v1/contacts/?page=${pageAt(index, pages)}`,
    sql: (index, tx) => listContacts(accountId, { page: pageAt(index, pages), limit: 20 }, tx),
  });
  const members = (name: string, pages: number): Read => ({
    name,
    path: (index) => `/api/v1/groups/${largestGroupId}/contacts?page=${pageAt(index, pages)}`,
    sql: (index, tx) => listMembers(accountId, largestGroupId, { page: pageAt(index, pages), limit: 20 }, tx),
  });
  const conversations = (name: string, query: string, filter: Partial<ConversationFilter>, pages: number): Read => ({
    name,
    path: (index) => `/api/v1/conversations/?page=${pageAt(index, pages)}${query}`,
    sql: (index, tx) =>
      listConversations(
        accountId,
        { status: null, assignedTo: null, unassigned: null, order: 'active', ...filter },
        { page: pageAt(index, pages), limit: 20 },
        tx,
      ),
  });
  return [
    contacts('contacts, pages 1-100', 100),
    contacts('contacts, pages 1-10,000', 10_000),
    {
      name: 'contacts search, page 1',
      path: (index) => `/api/v1/contacts/?search=${encodeURIComponent(at(terms, index))}`,
      sql: (index, tx) => searchContacts(accountId, at(terms, index), { page: 1, limit: 20 }, tx),
    },
    {
      name: `contacts search, pages 1-${SEARCH_PAGES}`,
      path: (index) =>
        `/api/v1/contacts/?search=${encodeURIComponent(at(terms, index))}&limit=10&page=${pageAt(index, SEARCH_PAGES)}`,
      sql: (index, tx) =>
        searchContacts(accountId, at(terms, index), { page: pageAt(index, SEARCH_PAGES), limit: 10 }, tx),
    },
    {
      name: 'groups',
      path: (index) => `/api/v1/groups/?page=${pageAt(index, 100)}`,
      sql: (index, tx) => listGroups(accountId, { page: pageAt(index, 100), limit: 20 }, tx),
    },
    {
      name: 'groups search',
      path: (index) => `/api/v1/groups/?search=${100 + (index % 900)}`,
      sql: (index, tx) => searchGroups(accountId, String(100 + (index % 900)), null, { page: 1, limit: 20 }, tx),
    },
    members('group members, pages 1-100', 100),
    members('group members, pages 1-2,500', 2500),
    conversations('conversations', '', {}, 100),
    conversations('conversations, pages 1-10,000', '', {}, 10_000),
    conversations('conversations, open', '&status=open', { status: 'open' }, 100),
    conversations('conversations, resolved', '&status=resolved', { status: 'resolved' }, 100),
    conversations('conversations, of an agent', `&assigned_to=${agentId}`, { assignedTo: agentId }, 100),
    conversations('conversations, unassigned', '&unassigned=true', { unassigned: true }, 100),
    conversations('conversations, assigned', '&unassigned=false', { unassigned: false }, 100),
    {
      name: 'conversation history',
      path: (index) => `/api/v1/conversations/${at(phones, index)}/messages`,
      sql: (index, tx) =>
        listMessages(accountId, { ...ANY_MESSAGE, contactPhone: at(phones, index) }, { page: 1, limit: 20 }, tx),
    },
    {
      name: 'longest history, all pages',
      path: (index) => `/api/v1/conversations/${contactPhone}/messages?page=${pageAt(index, 250)}`,
      sql: (index, tx) =>
        listMessages(
          accountId,
          { ...ANY_MESSAGE, contactPhone: contactPhone },
          { page: pageAt(index, 250), limit: 20 },
          tx,
        ),
    },
    {
      name: 'assignment state',
      path: (index) => `/api/v1/conversations/${at(phones, index)}/assignment`,
      sql: (index, tx) => findAssignment(accountId, byNumber(at(phones, index)), null, tx),
    },
  ];
}

/** Search terms of at least 3 characters that match 1 to 1,000 contacts each: names, numbers, email addresses. */
async function searchTerms(accountId: string, db: Database): Promise<string[]> {
  const terms = await db.rows<{ term: string }>(
    `WITH sample AS MATERIALIZED (
       SELECT * FROM contacts WHERE account_id = $1 AND abs(hashtext(phone_number)) % 4000 = 0
     )
     SELECT last_name AS term FROM sample
     UNION SELECT first_name || ' ' || last_name FROM sample
     UNION SELECT substr(last_name, 1, 5) FROM sample
     UNION SELECT phone_number FROM sample
     UNION SELECT substr(phone_number, 5, 6) FROM sample
     UNION SELECT right(phone_number, 4) FROM sample
     UNION SELECT email FROM sample
     UNION SELECT split_part(email, '@', 2) FROM sample
     UNION SELECT substr(email, 2, 12) FROM sample`,
    [accountId],
  );
  const fit: string[] = [];
  for (const { term } of terms) {
    const { total } = await searchContacts(accountId, term, { page: 1, limit: 1 }, db);
    if (total > 0 && total <= MAX_MATCHES) fit.push(term);
  }
  return fit;
}

/** The measurements of one kind of read over all rounds. */
class Measurement {
  readonly results: LoadResult[] = [];
  readonly spent = new ProcessorTimeSpent();

  async measure(processes: readonly ProcessTree[], round: () => Promise<LoadResult>): Promise<void> {
    const before = await processorTime(processes);
    this.results.push(await round());
    this.spent.add(before, await processorTime(processes));
  }

  /** Latency in milliseconds at this quantile (0 to 1), as the median of all rounds. */
  quantile(share: number): number {
    return median(this.results.map(({ latencies }) => quantile(latencies, share)));
  }

  get failures(): number {
    return this.results.reduce((sum, { failures }) => sum + failures, 0);
  }

  get cpuTime(): string {
    const { load: _, all: __, ...used } = this.spent.perItem(ROUNDS * REQUESTS);
    return Object.entries(used)
      .map(([name, each]) => `${name} ${each}`)
      .join(' + ');
  }
}

/** Prints the results; returns whether they meet the target. */
function print({ name }: Read, ours: Measurement, floor: Measurement): boolean {
  const over = ours.quantile(0.99) - floor.quantile(0.99);
  const failures = ours.failures + floor.failures;
  const met = ours.quantile(0.99) <= TARGET_P99_MS && over <= TARGET_OVER_SQL_MS && failures === 0;
  const both = (figure: (share: number) => number): string => `${figure(0.5).toFixed(1)}/${figure(0.99).toFixed(1)}`;
  show(name, {
    'p50/p99 ms': both((share) => ours.quantile(share)),
    'bare SQL': both((share) => floor.quantile(share)),
    over: both((share) => ours.quantile(share) - floor.quantile(share)),
    'CPU ms': `${ours.cpuTime} (bare SQL: ${floor.cpuTime})`,
    ...(failures > 0 ? { failures } : {}),
    ...(met ? {} : { '': 'target missed' }),
  });
  return met;
}

/** Seeds one large account among others. `BENCH_ONLY` selects the reads whose name contains it. */
async function seed(stack: Stack): Promise<{ account: BenchAccount; reads: Read[] }> {
  const tx = stack.unitOfWork.autocommit;
  const account = await stack.account();
  const others: BenchAccount[] = [];
  for (let index = 0; index < OTHER_ACCOUNTS; index += 1) others.push(await stack.account());
  const from = performance.now();
  await fillInBulk(tx, async () => {
    await seedLargeTenant(account.accountId, LARGE, tx);
    for (const other of others) await seedContacts(other.accountId, CONTACTS_OF_OTHERS, tx);
  });
  const tenant = await largeTenant(account.accountId, tx);
  const terms = await searchTerms(account.accountId, tx);
  const phones = await tx.rows<{ phoneNumber: string }>(
    'SELECT phone_number FROM contacts WHERE account_id = $1 AND abs(hashtext(phone_number)) % 200 = 0',
    [account.accountId],
  );
  console.log(`Seeded in ${Math.round((performance.now() - from) / 1000)} s; ${terms.length} search terms`);
  const reads = readsOf(
    tenant,
    terms,
    phones.map(({ phoneNumber }) => phoneNumber),
  );
  return { account, reads: reads.filter(({ name }) => name.includes(process.env['BENCH_ONLY'] ?? '')) };
}

async function bench(): Promise<void> {
  const stack = await Stack.start();
  const floorPool = new pg.Pool({ connectionString: stack.databaseUrl, max: CONNECTIONS });
  const http = new Pool(stack.baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  try {
    const { account, reads } = await seed(stack);
    console.log(
      `Reads, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${REQUESTS} requests; load ${loadavg()[0]?.toFixed(1)}`,
    );
    const names = new Map<string, string>();
    const headers = authorizationOf(account);
    const size = { connections: CONNECTIONS, requests: REQUESTS };
    let missed = 0;
    const readAll = (read: Read): Promise<LoadResult> =>
      inFlight(size, async (index) => {
        const answer = await http.request({ path: read.path(index), method: 'GET', headers });
        await answer.body.dump();
        return answer.statusCode === 200;
      });
    // Warm up: for the first few thousand requests of a process, V8 has not optimised the code yet.
    for (const read of reads) await readAll(read);
    for (const read of reads) {
      const statements = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) => recordStatements((recorder) => read.sql(index, recorder))),
      );
      const runFloor = (): Promise<LoadResult> =>
        inFlight(size, async (index) => {
          for (const { text, parameters } of statements[index] ?? []) {
            const name = names.get(text) ?? `read_${names.size}`;
            names.set(text, name);
            await floorPool.query({ name, text, values: [...parameters] });
          }
          return true;
        });
      const runOurs = (): Promise<LoadResult> => readAll(read);
      await runFloor();
      await runOurs();
      const [ours, floor] = [new Measurement(), new Measurement()];
      for (let round = 0; round < ROUNDS; round += 1) {
        await floor.measure(stack.processes, runFloor);
        await ours.measure(stack.processes, runOurs);
      }
      if (!print(read, ours, floor)) missed += 1;
    }
    console.log(
      `  target: p99 at most ${TARGET_P99_MS} ms and at most ${TARGET_OVER_SQL_MS} ms over bare SQL; ${missed} of ${reads.length} missed; load ${loadavg()[0]?.toFixed(1)}`,
    );
  } finally {
    await http.close();
    await floorPool.end();
    await stack.stop();
  }
}

await bench();
