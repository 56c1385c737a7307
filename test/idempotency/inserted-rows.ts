import { TENANT_TABLES } from '../support/tenancy-tables.js';
import type { World } from '../support/world.js';

/** Rows that one transaction inserted into a table. */
export interface Inserted {
  readonly table: string;
  readonly rows: number;
  /** Whether they were committed before the transaction that linked a record to its key, or without one. */
  readonly beforeNote: boolean;
}

/**
 * Records which rows the requests of an account insert, and in which transactions, by triggers on all tenant tables.
 * Rows that are updated or deleted, or inserted in vain (`ON CONFLICT`), do not count. Needs a database of its own.
 */
export class InsertedRows {
  private constructor(private readonly world: World) {}

  static async observe(world: World): Promise<InsertedRows> {
    const statements = [
      'CREATE SCHEMA observed',
      'CREATE TABLE observed.inserts (relation text, account_id uuid, xid xid8, rows bigint)',
      'CREATE TABLE observed.notes (account_id uuid, xid xid8)',
      `CREATE FUNCTION observed.insert() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO observed.inserts
         SELECT TG_TABLE_NAME, account_id, pg_current_xact_id(), count(*) FROM made GROUP BY account_id;
         RETURN NULL;
       END $$`,
      `CREATE FUNCTION observed.note() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO observed.notes VALUES (NEW.account_id, pg_current_xact_id());
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER note AFTER UPDATE OF record_id ON idempotency_keys FOR EACH ROW
       WHEN (NEW.record_id IS NOT NULL) EXECUTE FUNCTION observed.note()`,
      ...TENANT_TABLES.map(
        (table) =>
          `CREATE TRIGGER made AFTER INSERT ON ${table} REFERENCING NEW TABLE AS made
           FOR EACH STATEMENT EXECUTE FUNCTION observed.insert()`,
      ),
    ];
    for (const statement of statements) await world.unitOfWork.autocommit.affected(statement, []);
    return new InsertedRows(world);
  }

  /** The rows inserted for the account since this was last asked, by table. */
  async take(accountId: string): Promise<Inserted[]> {
    const { autocommit } = this.world.unitOfWork;
    const rows = await autocommit.rows<Inserted>(
      `WITH taken AS (DELETE FROM observed.inserts WHERE account_id = $1 RETURNING relation, xid, rows),
            noted AS (DELETE FROM observed.notes WHERE account_id = $1 RETURNING xid)
       SELECT relation AS "table", sum(rows)::integer AS rows,
              coalesce(xid < (SELECT min(xid) FROM noted), true) AS before_note
       FROM taken GROUP BY relation, xid ORDER BY relation, xid`,
      [accountId],
    );
    return rows;
  }
}

/** `2 in contacts, 1 in events`. */
export const inWords = (inserted: readonly Inserted[]): string =>
  inserted.map(({ table, rows }) => `${rows} in ${table}`).join(', ');
