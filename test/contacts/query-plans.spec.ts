import { contactsAfter } from '../../src/contacts/contact-files.queries.js';
import { searchContacts } from '../../src/contacts/contact-search.queries.js';
import { findContact, listContacts } from '../../src/contacts/contacts.queries.js';
import { ensureContacts } from '../../src/contacts/ensured-contacts.queries.js';
import { observeStatements } from '../../src/database/preparing-client.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { listMembers } from '../../src/groups/group-members.queries.js';
import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { World } from '../support/world.js';

let world: World;
let accountId: string;
let tx: Tx;
/** Of each account: enough that the planner prefers an index for a reason. */
const CONTACTS = 20_000;

beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' }, databaseUrl: await freshDatabase() });
  tx = world.unitOfWork.autocommit;
  for (const account of [await world.account(), await world.account()]) {
    accountId = account.accountId;
    await tx.affected(
      `INSERT INTO contacts (account_id, id, phone_number, first_name, last_name, source, created_at)
       SELECT $1, uuidv7(), (49151000000000 + n)::text, 'First' || n % 977, md5(n::text), 'import', now() - n * interval '1 s'
       FROM generate_series(1, $2::integer) n`,
      [accountId, CONTACTS],
    );
  }
  await tx.affected(
    `WITH made AS (
       INSERT INTO contact_groups (account_id, id, name)
       SELECT $1, uuidv7(), 'Group ' || n FROM generate_series(1, 10) n RETURNING id
     )
     INSERT INTO group_members (account_id, group_id, contact_id)
     SELECT $1, made.id, c.id FROM made JOIN contacts c ON c.account_id = $1 AND abs(hashtext(made.id || c.phone_number)) % 10 = 0`,
    [accountId],
  );
  for (const table of ['contacts', 'contact_groups', 'group_members']) await tx.rows(`VACUUM ANALYZE ${table}`);
}, 60_000);
afterAll(() => world.stop());

/** The generic plan of the one statement that `query` sends, as text: what every call gets once it is prepared. */
async function planOf(query: () => Promise<unknown>): Promise<string> {
  const texts: string[] = [];
  observeStatements((text) => /\b(?:contacts|contact_groups)\b/.test(text) && texts.push(text));
  await query();
  observeStatements(null);
  expect(texts).toHaveLength(1);
  const lines = await tx.rows<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${texts[0]}`);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

describe('with many contacts', () => {
  it('a list counts its offset off in the index and takes the total from the counter', async () => {
    const plan = await planOf(() => listContacts(accountId, { page: 3, limit: 20 }, tx));
    expect(plan).toContain('Index Only Scan Backward using contacts_newest_idx');
    expect(plan).toContain('contact_totals_pkey');
    expect(plan).not.toContain('Seq Scan on contacts');
  });

  it.each(['abc', '4915100000', '北京', 'x@y'])(
    'a search for %j reads the trigram index of its account',
    async (text) => {
      const plan = await planOf(() => searchContacts(accountId, text, { page: 1, limit: 20 }, tx));
      expect(plan).toContain('Bitmap Index Scan on contacts_search_idx');
      expect(plan).toMatch(/Index Cond: \(\(account_id = \$1\)/);
    },
  );

  it.each(['a', '-', '%%%'])('a search for %j, which holds no trigram, reads its account alone', async (text) => {
    const plan = await planOf(() => searchContacts(accountId, text, { page: 1, limit: 20 }, tx));
    expect(plan).toMatch(/Index Cond: \(account_id = \$1\)/);
    expect(plan).not.toContain('Seq Scan on contacts');
  });

  it('a contact, a number and the next lot of an export are found by their keys', async () => {
    const entries = [{ phoneNumber: '49151000000001', name: null }];
    const byId = await planOf(() => findContact(accountId, newRecordId(), tx));
    const byPhone = await planOf(() => ensureContacts(accountId, entries, 'send', tx));
    const next = await planOf(() => contactsAfter(accountId, newRecordId(), 1000, tx));
    expect(byId).toContain('contacts_pkey');
    expect(byPhone).toContain('contacts_phone_number_key');
    expect(next).toContain('Index Scan using contacts_pkey');
    for (const plan of [byId, byPhone, next]) expect(plan).not.toContain('Seq Scan on contacts');
  });

  it('the contacts of a group are read newest first from the index', async () => {
    const plan = await planOf(() => listMembers(accountId, newRecordId(), { page: 1, limit: 20 }, tx));
    expect(plan).toContain('Index Only Scan Backward using group_members_newest_idx');
    expect(plan).not.toContain('Seq Scan');
  });
});
