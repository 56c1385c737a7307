import type { EntityManager } from 'typeorm';
import type { Tx } from '../../src/database/unit-of-work.js';

/** A statement as it is sent to PostgreSQL. */
export interface RecordedStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** The statements that `query` sends where nothing is found, without a database. */
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

/** It may be asked which database it is on, and nothing else. */
const UNRECORDED = new Proxy({} as EntityManager, {
  get(_, asked) {
    if (asked === 'dataSource') return {};
    throw new Error('a query that goes through TypeORM is not recorded');
  },
});
