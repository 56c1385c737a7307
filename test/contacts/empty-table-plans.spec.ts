import { recordStatements } from '../../bench/support/recorded-statements.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { findByIdentity } from '../../src/people/contact-identity.queries.js';
import { ensureContacts } from '../../src/people/ensured-contacts.queries.js';
import { freshDatabase } from '../support/database.js';
import { uniquePhone, World } from '../support/world.js';

// Until statistics catch up, a connection may keep a plan made while the contacts table was empty. Such a plan must
// find a contact by its number rather than read all contacts of the account.

/** How long a statement with ten thousand numbers may take on a busy machine, milliseconds. */
const STATEMENT_MS = 120_000;

let world: World;
let accountId: string;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' }, databaseUrl: await freshDatabase() });
  accountId = (await world.account()).accountId;
});
afterAll(() => world.stop());

/** Returns the generic plan of a statement, made now. */
async function planOf(query: (tx: Tx) => Promise<unknown>): Promise<string> {
  const [statement] = await recordStatements(query);
  return world.unitOfWork.transaction(async (tx) => {
    await tx.rows('SET LOCAL plan_cache_mode = force_generic_plan');
    await tx.rows(`PREPARE planned AS ${statement?.text}`);
    const nulls = statement?.parameters.map(() => 'NULL').join(', ');
    const lines = await tx.rows<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) EXECUTE planned(${nulls})`);
    await tx.rows('DEALLOCATE planned');
    return lines.map((line) => line['QUERY PLAN'].trim()).join('\n');
  });
}

describe('a plan made while there are no contacts', () => {
  it('looks up ensured contacts by number', async () => {
    const entries = [{ phoneNumber: uniquePhone(), name: null }];
    expect(await planOf((tx) => ensureContacts(accountId, entries, 'send', tx))).toMatch(
      /Index Scan using contacts_phone_number_key on contacts a\nIndex Cond: \(\(account_id = e\.account_id\) AND \(CASE.*= CASE/,
    );
  });

  it.each([
    ['contacts_phone_number_key', 'CASE .*'],
    ['contacts_user_id_key', 'user_id'],
  ])('looks up an identity through %s', async (index, column) => {
    const plan = await planOf((tx) => findByIdentity(accountId, uniquePhone(), 'DE.1', tx));
    expect(plan).toMatch(
      new RegExp(`using ${index} on contacts.*\\nIndex Cond: \\(\\(account_id = \\$1\\) AND \\(${column} = .*\\)\\)`),
    );
  });
});

describe('10,000 numbers ensured by one statement', () => {
  /** Rows of contacts that this transaction has read so far. */
  const rowsRead = async (tx: Tx): Promise<number> => {
    const row = await tx.row<{ read: number }>(
      `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read FROM pg_stat_xact_user_tables
       WHERE relname LIKE 'contacts%'`,
    );
    return row?.read ?? 0;
  };

  it('read a few rows each, new or known, with plans made while there were no contacts', async () => {
    const ensuring = async (tx: Tx) => {
      await tx.rows('SET LOCAL plan_cache_mode = force_generic_plan');
      const batch = () => Array.from({ length: 10_000 }, () => ({ phoneNumber: uniquePhone(), name: null }));
      const [first, second] = [batch(), batch()];
      await ensureContacts(accountId, [{ phoneNumber: uniquePhone(), name: null }], 'campaign', tx);
      for (const entries of [first, second, first]) {
        const before = await rowsRead(tx);
        expect(await ensureContacts(accountId, entries, 'campaign', tx)).toHaveLength(10_000);
        expect((await rowsRead(tx)) - before).toBeLessThan(50_000);
      }
    };
    await world.unitOfWork.transaction(ensuring, { statementMs: STATEMENT_MS });
  });
});
