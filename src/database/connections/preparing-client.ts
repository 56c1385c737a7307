import { createHash } from 'node:crypto';
import type pg from 'pg';
import { WatchedClient, type WatchedClientConfig } from './watched-client.js';

/** Distinct statements that one process prepares; rarer ones beyond that are sent as they are. */
const MAX_PREPARED = 1000;

/**
 * Begins a statement that is worth a plan of its own at each call: one over thousands of rows, for which a plan from the
 * day a table was small would be a disaster.
 */
export const CUSTOM_PLAN = '/* planned anew */ ';
/** Statements that are planned; others cost nothing to take apart. */
const PLANNED = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/;

const names = new Map<string, string>();

/** A stable name for a statement text, or undefined once enough texts are prepared. */
function preparedName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_PREPARED) return undefined;
  const name = `p_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

type Observer = (text: string) => void;
let observe: Observer | null = null;

/** Lets a test see each statement text that this process sends. */
export function observeStatements(observer: Observer | null): void {
  observe = observer;
}

/** How a {@link PreparingClient} is used. */
export interface PreparingClientConfig extends WatchedClientConfig {
  /** Whether the server's session is this connection's own. Behind a pooler it is not, so no statement gets a name. */
  readonly ownSession?: boolean;
}

/**
 * A connection that prepares each statement under a name derived from its text, so that PostgreSQL parses it once per
 * connection, and plans it once where the plan serves all parameters.
 */
export class PreparingClient extends WatchedClient {
  private readonly namesStatements: boolean;

  constructor(config?: string | PreparingClientConfig) {
    super(config);
    this.namesStatements = typeof config !== 'object' || config.ownSession !== false;
  }

  // The overloads of pg.Client#query cannot be restated here; the arguments pass through unchanged but for the name.
  override query(...args: unknown[]): never {
    const [text, values, callback] = args;
    if (typeof text !== 'string') return Reflect.apply(super.query, this, args) as never;
    observe?.(text);
    const name = this.namesStatements && Array.isArray(values) && PLANNED.test(text) ? preparedName(text) : undefined;
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
