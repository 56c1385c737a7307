import type { EntityManager } from 'typeorm';
import type { Tx } from '../../src/database/unit-of-work.js';

/** A statement as sent to PostgreSQL. */
export interface RecordedStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * Records the statements that `query` sends, without a database: every statement returns no rows. What the query makes of
 * that, such as an error about a missing row, does not matter.
 */
export async function recordStatements(query: (tx: Tx) => Promise<unknown>): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = [];
  const record = <T>(answer: T) => {
    return async (text: string, parameters: readonly unknown[] = []): Promise<T> => {
      statements.push({ text, parameters });
      return answer;
    };
  };
  try {
    await query({
      rows: record([]),
      row: record(null),
      affected: record(0),
      manager: UNRECORDED,
    });
  } catch (error) {
    if (statements.length === 0 || error instanceof Unrecordable) throw error;
  }
  return statements;
}

/** A query went through TypeORM. */
class Unrecordable extends Error {}

/** Allows only `dataSource`, which queries read without sending a statement. */
const UNRECORDED = new Proxy({} as EntityManager, {
  get(_, property) {
    if (property === 'dataSource') return {};
    throw new Unrecordable('queries through TypeORM cannot be recorded');
  },
});
