import type { EntityManager } from 'typeorm';
import type { Tx } from '../../src/database/unit-of-work.js';

/** A statement as sent to PostgreSQL. */
export interface RecordedStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * Records the statements that `query` sends.
 *
 * @param database answers them; without one, every statement returns no rows
 */
export async function recordStatements(
  query: (tx: Tx) => Promise<unknown>,
  database: Pick<Tx, 'rows' | 'row' | 'affected'> = EMPTY,
): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = [];
  const record = (text: string, parameters: readonly unknown[] = []): unknown[] => {
    statements.push({ text, parameters });
    return [...parameters];
  };
  await query({
    rows: (text, parameters) => database.rows(text, record(text, parameters)),
    row: (text, parameters) => database.row(text, record(text, parameters)),
    affected: (text, parameters) => database.affected(text, record(text, parameters)),
    manager: UNRECORDED,
  });
  return statements;
}

const EMPTY: Pick<Tx, 'rows' | 'row' | 'affected'> = {
  rows: async () => [],
  row: async () => null,
  affected: async () => 0,
};

/** Allows only `dataSource`, which queries read without sending a statement. */
const UNRECORDED = new Proxy({} as EntityManager, {
  get(_, property) {
    if (property === 'dataSource') return {};
    throw new Error('queries through TypeORM cannot be recorded');
  },
});
