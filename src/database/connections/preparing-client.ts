import { createHash } from 'node:crypto';
import pg from 'pg';
import { WatchedClient, type WatchedClientConfig } from './watched-client.js';

/** Maximum number of distinct statements that a process prepares; any beyond that are sent unprepared. */
const MAX_PREPARED = 1000;

/**
 * Prefix for a statement that must be planned on every call: it works on thousands of rows, and a plan cached while the
 * table was small would be disastrous.
 */
export const CUSTOM_PLAN = '/* custom plan */ ';
/** Statements with a query plan; preparing others gains nothing. */
const PLANNED = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/;

const names = new Map<string, string>();

/** A stable name for a statement text; null for texts that are sent unprepared. */
function preparedName(text: string): string | null {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_PREPARED || !PLANNED.test(text)) return null;
  const name = `p_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

type Done = (error: Error | null, result: pg.QueryResult) => void;

type Observer = (text: string) => void;
let observe: Observer | null = null;

/** Lets tests see every statement that this process sends. */
export function observeStatements(observer: Observer | null): void {
  observe = observer;
}

export interface PreparingClientConfig extends WatchedClientConfig {
  /** False behind a pooler, where sessions are shared and named statements do not work; true by default. */
  readonly ownSession?: boolean;
}

/**
 * A connection that prepares each statement under a name derived from its text, so that PostgreSQL parses it once per
 * connection, and plans it once if a generic plan is good enough.
 */
export class PreparingClient extends WatchedClient {
  private readonly namesStatements: boolean;

  constructor(config?: string | PreparingClientConfig) {
    super(config);
    this.namesStatements = typeof config !== 'object' || config.ownSession !== false;
  }

  // The overloads of pg.Client#query cannot be repeated here; the arguments pass through unchanged except for the name.
  override query(...args: unknown[]): never {
    const [text, values, callback] = args;
    if (typeof text !== 'string') return Reflect.apply(super.query, this, args) as never;
    observe?.(text);
    const name = this.namesStatements && Array.isArray(values) ? preparedName(text) : null;
    if (typeof values === 'function') return Reflect.apply(super.query, this, args) as never;
    if (typeof callback === 'function') return this.named(name, text, values, callback as Done) as never;
    return this.promised(name, text, values) as never;
  }

  /** Names the query itself: pg copies a query that is given as an object property by property. */
  private named(name: string | null, text: string, values: unknown, done: Done): unknown {
    const query = new pg.Query(text, values as unknown[], done as never);
    if (name !== null) Object.assign(query, { name });
    return super.query(query);
  }

  /**
   * Wraps the callback form in our own promise. pg's own promises keep each other alive, with everything their callers
   * hold, until the next full garbage collection, so a transaction of many statements would keep growing.
   */
  private async promised(name: string | null, text: string, values: unknown): Promise<pg.QueryResult> {
    try {
      return await new Promise<pg.QueryResult>((resolve, reject) => {
        this.named(name, text, values, (error, result) => (error ? reject(error) : resolve(result)));
      });
    } catch (error) {
      // As pg does: make the stack trace point to the caller instead of the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}
