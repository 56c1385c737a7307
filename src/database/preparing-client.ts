import { createHash } from 'node:crypto';
import pg from 'pg';

/** Distinct statements that one process prepares; rarer ones beyond that are sent as they are. */
const MOST_PREPARED = 1000;

const names = new Map<string, string>();

/** A stable name for a statement text, or undefined once enough texts are prepared. */
function preparedName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MOST_PREPARED) return undefined;
  const name = `p_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

type Observer = (text: string) => void;
let observe: Observer | null = null;

/** Lets a test see each statement text that this process sends (the third wall of tenancy). */
export function observeStatements(observer: Observer | null): void {
  observe = observer;
}

/**
 * A connection that prepares each parametrised statement under a name derived from its text, so that PostgreSQL parses
 * and plans it once per connection instead of once per call.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // A connection may break between two statements of its borrower: the next one fails, which is how it is told.
    // Without a listener the process would end.
    this.on('error', () => undefined);
  }

  // The overloads of pg.Client#query cannot be restated here; the arguments pass through unchanged but for the name.
  override query(...args: unknown[]): never {
    const [text, values, callback] = args;
    if (typeof text !== 'string') return Reflect.apply(super.query, this, args) as never;
    observe?.(text);
    const name = Array.isArray(values) && values.length > 0 ? preparedName(text) : undefined;
    const query = name === undefined ? [text, values] : [{ name, text, values }, undefined];
    if (typeof values === 'function' || typeof callback === 'function') {
      return Reflect.apply(super.query, this, name === undefined ? args : [query[0], callback]) as never;
    }
    return this.promised(query) as never;
  }

  /**
   * Queries that pg itself makes promises of keep one another alive, with all that their callers hold, until the next full
   * collection: a transaction of many statements then grows by all of them.
   */
  private async promised([query, values]: unknown[]): Promise<pg.QueryResult> {
    try {
      return await new Promise<pg.QueryResult>((resolve, reject) => {
        const done = (error: Error | null, result: pg.QueryResult): void => (error ? reject(error) : resolve(result));
        Reflect.apply(super.query, this, [query, values, done]);
      });
    } catch (error) {
      // As pg does: the trace leads to the caller instead of the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}
