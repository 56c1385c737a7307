import { DOCUMENTED_READS, type DocumentedRead } from '../../bench/support/documented-reads.js';
import {
  fillInBulk,
  type LargeTenant,
  largeTenant,
  seedContacts,
  seedLargeTenant,
} from '../../bench/support/large-tenant.js';
import { type RecordedStatement, recordStatements } from '../../bench/support/recorded-statements.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { type Tx, UnitOfWork } from '../../src/database/unit-of-work.js';
import { ensureContacts } from '../../src/people/ensured-contacts.queries.js';
import type { Page } from '../../src/values/page.js';
import { freshDatabase } from '../support/database.js';
import { World } from '../support/world.js';

/** Tables that must never be scanned sequentially. Groups and users of an account are few enough for that. */
const LARGE_TABLE = /^(contacts|group_members|conversations|conversation_assignments|messages_\d+)$/;
const PAGE: Page = { page: 1, limit: 20 };
/** Large enough that reading all of it is dearer than any index. */
const SIZE = { contacts: 50_000, groups: 500, conversations: 50_000, largestGroup: 12_500, longestThread: 2000 };
/** Contacts named Lindgrove, with a margin: one in 400 has that last name. */
const MATCHES = (SIZE.contacts / 400) * 1.2;

/** How long a read of all contacts may take on a busy machine, milliseconds. */
const STATEMENT_MS = 120_000;

/** Before version 18, PostgreSQL rounds the rows of each loop of a parallel plan to a whole number. */
const ROUNDING = 1;

/** Which indexes a read must use, and how many rows it may read from a table and sort; defaults to {@link SHOWN}. */
interface Expectation {
  readonly uses: readonly string[];
  readonly reads?: number;
  readonly sorts?: number;
}

/** A page, and one extra row. */
const SHOWN = PAGE.limit + 1;
const LISTED = ['conversations_pkey', 'contacts_pkey', 'conversation_assignments_present_key'];

/**
 * The total counts the thread. Without a long thread in its statistics PostgreSQL expects a few rows and may sort them
 * as well.
 */
const A_THREAD = {
  uses: ['messages_account_id_contact_id_id_idx', 'messages_pkey'],
  reads: SIZE.longestThread,
  sorts: SIZE.longestThread,
};

const EXPECTED: Readonly<Record<string, Expectation>> = {
  listContacts: { uses: ['contacts_newest_idx', 'contacts_pkey', 'counter_changes_pkey'] },
  searchContacts: {
    uses: ['contacts_search_idx', 'contacts_newest_idx', 'contacts_pkey'],
    reads: MATCHES,
    sorts: MATCHES,
  },
  'searchContacts: number': {
    uses: ['contacts_search_idx', 'contacts_newest_idx', 'contacts_pkey'],
    reads: MATCHES,
    sorts: MATCHES,
  },
  'searchContacts: short': { uses: ['contacts_pkey'], reads: SIZE.contacts, sorts: SIZE.contacts },
  contactsAfter: { uses: ['contacts_pkey'] },
  listGroups: { uses: ['contact_groups_newest_idx', 'contact_groups_pkey', 'counter_changes_pkey'] },
  searchGroups: { uses: [], sorts: 40 },
  findGroup: { uses: ['contact_groups_pkey', 'counter_changes_pkey'] },
  listMembers: { uses: ['group_members_newest_idx', 'contacts_pkey', 'contact_groups_pkey'] },
  lockForMembership: { uses: ['contacts_pkey'] },
  namesOfGroups: { uses: ['contact_groups_pkey'] },
  membersOfGroups: { uses: ['contacts_pkey'], reads: 100, sorts: 100 },
  findAgents: { uses: [] },
  'findAgents: role': { uses: [] },
  'findAgents: search': { uses: [] },
  findAssignment: { uses: ['contacts_phone_number_key', 'conversations_pkey'] },
  lockConversation: { uses: ['contacts_phone_number_key', 'conversations_pkey'] },
  listConversations: { uses: ['conversations_held_idx', 'conversations_unassigned_idx', ...LISTED] },
  'listConversations: status': { uses: ['conversations_held_idx', 'conversations_unassigned_idx', ...LISTED] },
  'listConversations: assigned_to': { uses: ['conversations_assigned_idx', ...LISTED] },
  'listConversations: status, assigned_to': { uses: ['conversations_assigned_idx', ...LISTED] },
  'listConversations: unassigned': { uses: ['conversations_unassigned_idx', ...LISTED] },
  'listConversations: assigned': { uses: ['conversations_held_idx', ...LISTED] },
  'listConversations: status, unassigned': { uses: ['conversations_unassigned_idx', ...LISTED] },
  listMessages: A_THREAD,
  'listMessages: waba_phone_id': A_THREAD,
};

let world: World;
let tenant: LargeTenant;
/** Partitions that hold no row: PostgreSQL may as well read the whole of nothing. */
let emptyPartitions: ReadonlySet<string>;

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  world = await World.start({ env: { PARLEY_ROLES: 'api' }, databaseUrl });
  // The service's own connections would time out.
  const dataSource = await createDataSource({ url: databaseUrl, poolSize: 1 }).initialize();
  try {
    const tx = new UnitOfWork(dataSource).autocommit;
    const { accountId } = await world.account();
    const others = [await world.account(), await world.account()];
    await fillInBulk(tx, async () => {
      await seedLargeTenant(accountId, SIZE, tx);
      for (const other of others) await seedContacts(other.accountId, SIZE.contacts / 2, tx);
    });
    tenant = await largeTenant(accountId, tx);
    const empty = await tx.rows<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relispartition AND pg_relation_size(oid) = 0",
    );
    emptyPartitions = new Set(empty.map(({ name }) => name));
  } finally {
    await dataSource.destroy();
  }
}, 300_000);
afterAll(() => world.stop());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
};

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Runs a statement with a generic or a custom plan and returns the nodes of that plan. */
function planOf({ text, parameters }: RecordedStatement, mode: 'generic' | 'custom'): Promise<PlanNode[]> {
  const explained = async (tx: Tx) => {
    await tx.rows(`SET LOCAL plan_cache_mode = force_${mode}_plan`);
    await tx.rows(`PREPARE planned AS ${text}`);
    const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
    const row = await tx.row<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE planned${values}`,
    );
    await tx.rows('DEALLOCATE planned');
    if (row === null) throw new Error('EXPLAIN answered nothing');
    return nodesOf(row['QUERY PLAN'][0].Plan);
  };
  return world.unitOfWork.transaction(explained, { statementMs: STATEMENT_MS });
}

/** PostgreSQL reports rows as the mean over a node's loops. */
const rowsOf = (node: PlanNode, kept: number): number => Math.round(kept * node['Actual Loops']);
const rowsRead = (node: PlanNode): number =>
  rowsOf(
    node,
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0),
  );

/** The indexes, sequential scans and row counts of a plan. */
function summaryOf(nodes: readonly PlanNode[]) {
  const relation = (node: PlanNode): string => node['Relation Name'] ?? '';
  const scans = nodes.filter((node) => LARGE_TABLE.test(relation(node)));
  const sorts = nodes.filter((node) => /Sort/.test(node['Node Type']));
  return {
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name']?.replace(/_\d{6}_/, '_') ?? []))],
    wholeTables: scans
      .filter((node) => /Seq Scan/.test(node['Node Type']))
      .map(relation)
      .filter((name) => !emptyPartitions.has(name)),
    read: Math.max(0, ...scans.map(rowsRead)),
    sorted: Math.max(0, ...sorts.flatMap((node) => node.Plans ?? []).map((node) => rowsOf(node, node['Actual Rows']))),
  };
}

const named = (name: string): DocumentedRead => {
  const read = DOCUMENTED_READS.find((one) => one.name === name);
  if (read === undefined) throw new Error(`${name} is not documented`);
  return read;
};

/** Plans of all statements of a read, generic and custom. */
async function plansOf(read: DocumentedRead, page: Page) {
  const statements = await recordStatements((tx) => read.run(tenant, page, tx));
  const plans = [];
  for (const statement of statements) {
    for (const mode of ['generic', 'custom'] as const) plans.push(summaryOf(await planOf(statement, mode)));
  }
  return plans;
}

describe('with an account large enough for its indexes', () => {
  it('every read of docs/queries has an expected plan', () => {
    expect(DOCUMENTED_READS.map(({ name }) => name).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it.each(DOCUMENTED_READS.map((read) => [read.name, read] as const))(
    '%s reads and sorts no more than it needs, through its indexes',
    async (name, read) => {
      const { uses = [], reads = SHOWN, sorts = SHOWN } = EXPECTED[name] ?? {};
      const plans = await plansOf(read, PAGE);
      for (const { wholeTables, read: rows, sorted } of plans) {
        expect(wholeTables).toEqual([]);
        expect(rows).toBeLessThanOrEqual(reads + ROUNDING);
        expect(sorted).toBeLessThanOrEqual(sorts);
      }
      const used = plans.flatMap(({ indexes }) => indexes);
      expect(used).toEqual(expect.arrayContaining([...uses]));
    },
  );

  it.each([
    ['listContacts', SIZE.contacts],
    ['listGroups', SIZE.groups],
    ['listMembers', SIZE.largestGroup],
    ['listConversations', SIZE.conversations],
  ])('the last page of %s reads as little as the first, and a middle page half the list', async (name, rows) => {
    const pages = rows / PAGE.limit;
    for (const { read } of await plansOf(named(name), { ...PAGE, page: pages }))
      expect(read).toBeLessThanOrEqual(SHOWN);
    for (const { read } of await plansOf(named(name), { ...PAGE, page: Math.ceil(pages / 2) + 1 })) {
      expect(read).toBeLessThanOrEqual(rows / 2 + SHOWN);
    }
  });

  it('an existing contact is looked up by its number', async () => {
    const entries = [{ phoneNumber: tenant.contactPhone, name: null }];
    const [statement] = await recordStatements((tx) => ensureContacts(tenant.accountId, entries, 'send', tx));
    if (statement === undefined) throw new Error('no statement was sent');
    const { indexes, wholeTables, read } = summaryOf(await planOf(statement, 'generic'));
    expect(indexes).toContain('contacts_phone_number_key');
    expect(wholeTables).toEqual([]);
    expect(read).toBe(1);
  });
});
