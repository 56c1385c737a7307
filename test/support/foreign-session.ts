import pg from 'pg';
import { until } from './until.js';

/** How long the server may take to connect, and for one statement, on a busy machine, milliseconds. */
const TIMEOUT_MS = 120_000;

/** A session of another program on the database: a dump, an operator's psql, a migration. */
export class ForeignSession {
  private constructor(private readonly client: pg.Client) {}

  static async open(databaseUrl: string): Promise<ForeignSession> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'foreign',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // The database may stop while the session is open.
    client.on('error', () => undefined);
    await client.connect();
    return new ForeignSession(client);
  }

  /**
   * Locks the rows of `table` that match `condition` until {@link release}.
   *
   * @throws Error if no row matches, or if another session holds the lock for a minute
   */
  async lock(table: string, condition: string, parameters: unknown[]): Promise<void> {
    await this.client.query('BEGIN');
    await this.client.query("SET LOCAL lock_timeout = '60s'");
    const { rowCount } = await this.client.query(`SELECT FROM ${table} WHERE ${condition} FOR UPDATE`, parameters);
    if (rowCount === 0) throw new Error(`no row of ${table} to lock where ${condition}`);
  }

  /** Reads `tables` in a snapshot that lasts until {@link release}, as a dump does. */
  async holdSnapshot(...tables: string[]): Promise<void> {
    await this.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    for (const table of tables) await this.client.query(`SELECT count(*) FROM ${table}`);
  }

  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.client.query(sql, parameters)).rows as Row[];
  }

  /** Waits until another session waits for a lock of this one. */
  async untilAwaited(): Promise<void> {
    await until('another session waits for this one', async () => {
      const waiting = 'SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
      return (await this.query(waiting)).length > 0;
    });
  }

  async release(): Promise<void> {
    await this.client.query('ROLLBACK');
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
