import { sourceStatements, UNKNOWN } from '../support/source-statements.js';
import { isPipelineStatement, normalise, PIPELINE_STATEMENTS, unguardedTables } from '../support/tenancy-scanner.js';

describe('statements in src/', () => {
  // The others are checked when they run: see test/support/tenancy-setup.ts.
  const statements = sourceStatements().filter(({ sql }) => !sql.includes(UNKNOWN));

  it('are found', () => {
    expect(statements.length).toBeGreaterThan(60);
  });

  it('name the account of their rows, except for the listed pipeline statements', () => {
    const offending = statements
      .filter(({ sql }) => unguardedTables(sql).length > 0 && !isPipelineStatement(sql))
      .map(({ file, sql }) => `${file}: ${unguardedTables(sql).join(', ')}: ${normalise(sql)}`);
    expect(offending).toEqual([]);
  });

  it.each(PIPELINE_STATEMENTS)('include one that needs the exception for “$begins”', ({ begins }) => {
    const meant = statements.filter(({ sql }) => normalise(sql).startsWith(begins));
    expect(meant).toHaveLength(1);
    expect(unguardedTables(meant[0]?.sql ?? '')).not.toEqual([]);
  });
});
