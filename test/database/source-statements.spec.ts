import pg from 'pg';
import { workerDatabase } from '../support/database.js';
import { sourceStatements, UNKNOWN } from '../support/source-statements.js';

/** Parts of statements that are put together at run time: cut off, or with parameters that only the rest names. */
const IS_PART = /syntax error at end of input|could not determine data type of parameter/;
/** Parts that read what another part of their statement names. */
const READS_PART = /relation "(?:matched|recipient|person|chosen)" does not exist/;
/** Created by a transaction of an import. */
const TEMPORARY_TABLE = /relation "staged_contacts" does not exist/;

// Runs on every supported version of PostgreSQL, and so also covers the statements that no other test sends there.
describe('statements in src/', () => {
  it('are understood by this version of PostgreSQL', async () => {
    const statements = sourceStatements().filter(({ sql }) => !sql.includes(UNKNOWN));
    const client = new pg.Client({ connectionString: await workerDatabase() });
    const [refused, understood]: [string[], string[]] = [[], []];
    try {
      await client.connect();
      for (const [index, { file, sql }] of statements.entries()) {
        await client.query(`PREPARE source_${index} AS ${sql}`).then(
          () => understood.push(sql),
          (error: Error) => refused.push(`${file}: ${error.message}: ${sql.replace(/\s+/g, ' ').trim().slice(0, 160)}`),
        );
      }
    } finally {
      await client.end();
    }
    const excused = [IS_PART, READS_PART, TEMPORARY_TABLE];
    expect(refused.filter((refusal) => !excused.some((excuse) => excuse.test(refusal)))).toEqual([]);
    expect(understood.length).toBeGreaterThan(150);
  });
});
