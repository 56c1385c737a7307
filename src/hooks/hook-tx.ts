import type { QueryResult } from 'pg';
import type { EntityManager } from 'typeorm';
import { encodeParameters } from '../database/sql/statement-parameters.js';
import { objectionTo } from '../database/sql/tenancy-scan.js';
import { type Connection, ConnectionDatabase, type TransactionTx } from '../database/unit-of-work.js';

type Parameters = readonly unknown[];

/** A hook sent a statement that it may not send. */
export class HookRefused extends Error {}

/** A hook took too long, or sent a statement after its end. */
export class HookOver extends Error {}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** The rights of one hook: its account, the tables that have rows of accounts, and when it must be done. */
export interface HookRights {
  readonly accountId: string;
  readonly tables: ReadonlySet<string>;
  /** By `performance.now()`. */
  readonly until: number;
}

/**
 * The connection of a transaction as a hook sees it. Sends one statement at a time, each with the time that is left and
 * only for rows of the hook's account, and none after the hook's end.
 */
class HookConnection implements Connection {
  private turn: Promise<unknown> = Promise.resolve();
  private isOver = false;

  constructor(
    private readonly inner: Connection,
    private readonly rights: HookRights,
  ) {}

  /** @param raw the parameters before they were encoded */
  query(sql: string, parameters: unknown[] = [], raw: Parameters = parameters): Promise<QueryResult> {
    const answer = this.turn.then(() => this.send(sql, parameters, raw));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  /** Refuses what has not been sent yet, and waits for what has. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.turn;
  }

  private async send(sql: string, parameters: unknown[], raw: Parameters): Promise<QueryResult> {
    const { accountId, tables } = this.rights;
    this.requireTime();
    const objection = objectionTo(sql, tables);
    if (objection !== null) throw new HookRefused(`a hook may not send this statement, because ${objection}: ${sql}`);
    const ids = new Set(`${sql} ${JSON.stringify(raw)}`.toLowerCase().match(UUID));
    ids.delete(accountId.toLowerCase());
    const { rows } = await this.inner.query(
      `SELECT set_config('statement_timeout', $1, true),
              EXISTS (SELECT FROM accounts WHERE id = ANY ($2::uuid[])) AS is_foreign`,
      [String(this.requireTime()), `{${[...ids].join(',')}}`],
    );
    if (rows[0].is_foreign === true) throw new HookRefused(`a hook may not name another account: ${sql}`);
    this.requireTime();
    return this.inner.query(sql, parameters);
  }

  /** @returns the whole milliseconds that are left, at least one */
  private requireTime(): number {
    const left = Math.floor(this.rights.until - performance.now());
    if (this.isOver || left < 1) throw new HookOver('the hook is over: its transaction takes no more statements');
    return left;
  }
}

/** The transaction as a hook gets it: dead when the hook has ended, in whatever way. */
export class HookTx extends ConnectionDatabase {
  private constructor(
    private readonly hook: HookConnection,
    manager: EntityManager,
  ) {
    super(hook, manager);
  }

  static within(tx: TransactionTx, rights: HookRights): HookTx {
    const [hook, manager] = tx.behind((inner) => new HookConnection(inner, rights));
    return new HookTx(hook, manager);
  }

  override rows<Row>(sql: string, parameters?: Parameters): Promise<Row[]> {
    return observed(super.rows<Row>(sql, parameters));
  }

  override row<Row>(sql: string, parameters?: Parameters): Promise<Row | null> {
    return observed(super.row<Row>(sql, parameters));
  }

  override affected(sql: string, parameters?: Parameters): Promise<number> {
    return observed(super.affected(sql, parameters));
  }

  /** Ends the hook's right to send statements. Resolves when none is under way. */
  end(): Promise<void> {
    return this.hook.end();
  }

  protected override run(sql: string, parameters: Parameters): Promise<QueryResult> {
    return this.hook.query(sql, encodeParameters(sql, parameters), parameters);
  }
}

/** A statement that a hook does not wait for may be refused after its end; that must not stop the process. */
function observed<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}
