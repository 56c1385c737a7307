import { recordStatements } from '../../bench/support/recorded-statements.js';
import {
  createPartitions,
  PARTITIONED_TABLES,
  type PartitionedTable,
  partitionsBetween,
} from '../../src/database/schema/partitions.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { findNamedMessage, type NamedIn } from '../../src/inbound/named-message.queries.js';
import { DAY, HOUR } from '../../src/values/clock.js';
import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { World } from '../support/world.js';

const BY_NUMBER = 'wamid.HBgMMjAxMDAxMjM0NTAxFQIAERgSNjE3RDU2M0YyNkY3NUQ5MUUyAA==';
const BY_USER_ID = 'wamid.HBgTRUcuMTQ0MjAwMDAwMDAwMDAwMRUUABEYEjYxN0Q1NjNGMjZGNzVEOTFFMgA=';
const OTHER = 'wamid.HBgTRUcuMTQ0MjAwMDAwMDAwMDAwMRUUABEYEjYxN0Q1NjNGMjZGNzVEOTFFMwA=';
const MESSAGES = PARTITIONED_TABLES.find(({ table }) => table === 'messages') as PartitionedTable;
/** Messages of the account, over 150 days; half are the contact's. */
const HISTORY = 60_000;

let world: World;
let accountId: string;
let place: NamedIn;
const original = newRecordId();

beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' }, databaseUrl: await freshDatabase() });
  const account = await world.account();
  accountId = account.accountId;
  place = { contactId: newRecordId(), businessPhoneId: account.phone.id, direction: 'out', at: new Date() };
  const { autocommit, pool } = world.unitOfWork;
  await createPartitions(pool, MESSAGES, partitionsBetween(MESSAGES, new Date(Date.now() - 150 * DAY), new Date()));
  const others = Array.from({ length: 500 }, () => newRecordId());
  // So many rows may take longer than the service lets one of its statements.
  const session = await ForeignSession.open(world.environment.databaseUrl);
  await session.query(
    `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status, network_message_id)
     SELECT $1, overlay(record_id_bound(now() - i * interval '150 days' / $5)::text PLACING lpad(i::text, 12, '0') FROM 25)::uuid,
            CASE i % 3 WHEN 0 THEN 'in' ELSE 'out' END, CASE i % 2 WHEN 0 THEN $2 ELSE ($4::uuid[])[1 + i % 500] END, $3, 'text',
            'received', 'wamid.' || encode(sha256(i::text::bytea), 'base64')
     FROM generate_series(1, $5) AS i`,
    [accountId, place.contactId, place.businessPhoneId, others, HISTORY],
  );
  await autocommit.affected(
    `WITH stored AS (
       INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status, network_message_id)
       VALUES ($1, $2, 'out', $3, $4, 'text', 'sent', $5)
       RETURNING account_id, network_message_id, id
     )
     INSERT INTO network_messages (account_id, network_message_id, message_id, outbound)
     SELECT account_id, network_message_id, id, true FROM stored`,
    [accountId, original, place.contactId, place.businessPhoneId, BY_NUMBER],
  );
  await session.query('ANALYZE messages');
  await session.close();
});
afterAll(() => world.stop());

describe('a message named by an inbound one', () => {
  it.each([
    ['its exact id', 1, BY_NUMBER, true],
    ['an unknown id without structure', 1, 'wamid.unknown', false],
    ['another form of its id', 2, BY_USER_ID, true],
    ['an unknown id', 2, OTHER, false],
  ])('by %s costs statements: %d', async (_, statements, id, isFound) => {
    let sent = 0;
    const found = await world.unitOfWork.transaction((tx) => {
      const counted: Tx = Object.assign(Object.create(tx), {
        row: (...args: Parameters<Tx['row']>) => ++sent && tx.row(...args),
        rows: (...args: Parameters<Tx['rows']>) => ++sent && tx.rows(...args),
      });
      return findNamedMessage(accountId, id, place, counted);
    });
    expect(found?.id).toBe(isFound ? original : undefined);
    expect(sent).toBe(statements);
  });

  it('may be the contact’s own', async () => {
    const ask = (id: string, direction: NamedIn['direction']) =>
      findNamedMessage(accountId, id, { ...place, direction }, world.unitOfWork.autocommit);
    for (const id of [BY_NUMBER, BY_USER_ID]) expect(await ask(id, 'in')).toBeNull();
    const { autocommit } = world.unitOfWork;
    const keys = [accountId, original];
    await autocommit.affected("UPDATE messages SET direction = 'in' WHERE account_id = $1 AND id = $2", keys);
    await autocommit.affected(
      'UPDATE network_messages SET outbound = false WHERE account_id = $1 AND message_id = $2',
      keys,
    );
    for (const id of [BY_NUMBER, BY_USER_ID]) {
      expect(await ask(id, 'in')).toMatchObject({ id: original, campaignId: null });
      expect(await ask(id, 'out')).toBeNull();
    }
  });

  it('is searched by an index among the contact’s newest thousand', async () => {
    expect(await readsOf(place.contactId)).toEqual({ rows: 1000, others: [] });
  });

  it('is searched among no other contact’s messages', async () => {
    expect(await readsOf(newRecordId())).toEqual({ rows: 0, others: [] });
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How many rows of messages the search reads for a contact, and the partitions of earlier months among which it does. */
async function readsOf(contactId: string): Promise<{ rows: number; others: string[] }> {
  const [, search] = await recordStatements((tx) => findNamedMessage(accountId, OTHER, { ...place, contactId }, tx));
  const plan = await world.unitOfWork.autocommit.row<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${search?.text}`,
    search?.parameters,
  );
  if (plan === null) throw new Error('EXPLAIN answered nothing');
  const scans = nodesOf(plan['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name']?.startsWith('messages_'));
  const read = (node: PlanNode) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const recent = partitionsBetween(MESSAGES, new Date(place.at.getTime() - 30 * DAY), new Date(Date.now() + HOUR));
  const names = recent.map(({ name }) => name);
  return {
    rows: scans.reduce((sum, node) => sum + read(node), 0),
    others: scans
      .filter((node) => read(node) > 0)
      .map((node) => node['Relation Name'] ?? '')
      .filter((name) => !names.includes(name)),
  };
}
