import pg from 'pg';
import { describedTables } from '../personal-data/data-protection-page.js';
import { workerDatabase } from '../support/database.js';
import { EXTENSION_LEDGERS } from '../support/tenancy-tables.js';

describe('docs/data-protection.md', () => {
  it('says of every column of every table whose data it holds', async () => {
    const client = new pg.Client({ connectionString: await workerDatabase() });
    await client.connect();
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attname::text) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       GROUP BY c.relname ORDER BY c.relname`,
    );
    await client.end();
    const described = describedTables().map(({ table, ofContacts, ofOthers, ofNobody }) => ({
      table,
      columns: [...ofContacts, ...ofOthers, ...ofNobody].sort(),
    }));
    expect(described.sort((a, b) => (a.table < b.table ? -1 : 1))).toEqual(
      rows
        .filter(({ table }) => !EXTENSION_LEDGERS.includes(table))
        .map(({ table, columns }) => ({ table, columns: columns.sort() }))
        .sort((a, b) => (a.table < b.table ? -1 : 1)),
    );
  });
});
