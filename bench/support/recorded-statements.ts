import type { EntityManager } from 'typeorm';
import type { Tx } from '../../src/database/unit-of-work.js';

/** A statement as sent to PostgreSQL. */
export interface RecordedStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Records the statements that `query` sends, without a database: every statement returns no rows. */
export async function recordStatements(query: (tx: Tx) => Promise<unknown>): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = [];
  const record = <T>(answer: T) => {
    return async (text: string, parameters: readonly unknown[] = []): Promise<T> => {
      statements.push({ text, parameters });
      return answer;
    };
  };
  await query({
    rows: record([]),
    row: record(null),
    affected: record(0),
    manager: UNRECORDED,
  });
  return statements;
}

/** Allows only `dataSource`, which queries read without sending a statement. */
const UNRECORDED = new Proxy({} as EntityManager, {
  get(_, property) {
    if (property === 'dataSource') return {};
    throw new Error('queries through TypeORM cannot be recorded');
  },
});
