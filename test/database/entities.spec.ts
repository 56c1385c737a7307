import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { PARTITIONED_TABLES } from '../../src/database/schema/partitions.js';
import { MANIFEST } from '../../src/rooms.js';
import { workerDatabase } from '../support/database.js';
import { EXTENSION_LEDGERS } from '../support/tenancy-tables.js';

/** A column as described by both an entity and the catalog. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly array: boolean;
  readonly nullable: boolean;
  readonly key: boolean;
  readonly default: string | null;
  readonly generated: string | null;
  /** Whether only the database sets the value. */
  readonly identity: boolean;
}

/** PostgreSQL type names by TypeORM's. */
const TYPES: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone', real: 'real' };

describe('entities', () => {
  let client: pg.Client;
  let dataSource: DataSource;

  beforeAll(async () => {
    const url = await workerDatabase();
    client = new pg.Client({ connectionString: url });
    await client.connect();
    dataSource = await createDataSource({ url, poolSize: 1, entities: MANIFEST.entities }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await client.end();
  });

  const strings = async (sql: string): Promise<string[]> => {
    const { rows } = await client.query<{ found: string }>(sql);
    return rows.map(({ found }) => found);
  };
  const tables = () =>
    strings(`SELECT relname AS found FROM pg_class
             WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
               AND relname <> 'schema_migrations' ORDER BY 1`);

  const columnsOf = async (table: string): Promise<Column[]> => {
    const { rows } = await client.query<Column>(
      `SELECT a.attname AS name, format_type(coalesce(nullif(t.typelem, 0), t.oid), NULL) AS type,
              t.typcategory = 'A' AS array, NOT a.attnotnull AS nullable,
              coalesce(a.attnum = ANY (k.conkey), false) AS key, a.attidentity <> '' AS identity,
              CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END AS default,
              CASE WHEN a.attgenerated <> '' THEN pg_get_expr(d.adbin, d.adrelid) END AS generated
       FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
       LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
       WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
       ORDER BY a.attname`,
      [table],
    );
    return rows;
  };

  it('exist for every table, one per table', async () => {
    const withEntities = (await tables()).filter((table) => !EXTENSION_LEDGERS.includes(table));
    expect(dataSource.entityMetadatas.map(({ tableName }) => tableName).sort()).toEqual(withEntities);
  });

  it('match the columns of their tables: names, types, arrays, nulls, defaults, generated values, keys', async () => {
    for (const { tableName, columns } of dataSource.entityMetadatas) {
      expect({ tableName, columns: columns.map(declared).sort(byName) }).toEqual({
        tableName,
        columns: (await columnsOf(tableName)).map(comparable).sort(byName),
      });
    }
  });
});

describe('partitions', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: await workerDatabase() });
    await client.connect();
  });
  afterAll(() => client.end());

  /** Columns, indexes and constraints of a table, without its own name and those of its indexes. */
  const shapeOf = async (table: string): Promise<string[]> => {
    const { rows } = await client.query<{ line: string }>(
      `SELECT concat_ws(' ', 'column', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                        pg_get_expr(d.adbin, d.adrelid)) AS line
       FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
       UNION ALL
       SELECT concat_ws(' ', 'index', indisunique, indisprimary, indisvalid,
                        regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', ''))
       FROM pg_index WHERE indrelid = $1::regclass
       UNION ALL
       SELECT concat_ws(' ', 'constraint', contype, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('p', 'u', 'c', 'f')
       ORDER BY line`,
      [table],
    );
    return rows.map(({ line }) => line);
  };

  it.each(PARTITIONED_TABLES.map(({ table }) => table))('of %s match their parent', async (table) => {
    const { rows } = await client.query<{ name: string; valid: boolean }>(
      'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass',
      [table],
    );
    expect(rows.length).toBeGreaterThan(0);
    const shape = await shapeOf(table);
    for (const { name } of rows) expect({ name, shape: await shapeOf(name) }).toEqual({ name, shape });
    // Every index of a partition must belong to an index of the parent.
    const unattached = await client.query(
      `SELECT i.indexrelid::regclass FROM pg_inherits p JOIN pg_index i ON i.indrelid = p.inhrelid
       WHERE p.inhparent = $1::regclass AND NOT EXISTS (SELECT FROM pg_inherits x WHERE x.inhrelid = i.indexrelid)`,
      [table],
    );
    expect(unattached.rows).toEqual([]);
  });

  it('have no foreign keys in either direction', async () => {
    const { rows } = await client.query(
      `SELECT k.conname FROM pg_constraint k
       WHERE k.contype = 'f' AND EXISTS (
         SELECT FROM pg_class c WHERE c.oid IN (k.conrelid, k.confrelid) AND (c.relkind = 'p' OR c.relispartition))`,
    );
    expect(rows).toEqual([]);
  });
});

describe('foreign keys', () => {
  it('form no cycle', async () => {
    const client = new pg.Client({ connectionString: await workerDatabase() });
    try {
      await client.connect();
      const { rows } = await client.query<{ circle: string }>(
        `WITH RECURSIVE reference AS (
         SELECT DISTINCT conrelid, confrelid FROM pg_constraint WHERE contype = 'f'
       ), path AS (
         SELECT conrelid AS start, confrelid AS reached, ARRAY[conrelid, confrelid] AS way FROM reference
         UNION ALL
         SELECT p.start, r.confrelid, p.way || r.confrelid
         FROM path p JOIN reference r ON r.conrelid = p.reached
         WHERE p.reached <> p.start AND (r.confrelid = p.start OR r.confrelid <> ALL (p.way))
       )
       SELECT way::regclass[]::text AS circle FROM path WHERE reached = start ORDER BY 1`,
      );
      expect(rows).toEqual([]);
    } finally {
      await client.end();
    }
  });
});

function declared(column: ColumnMetadata): Column {
  const type = String(column.type);
  return {
    name: column.databaseName,
    type: TYPES[type] ?? type,
    array: column.isArray,
    nullable: column.isNullable,
    key: column.isPrimary,
    default: typeof column.default === 'function' ? normalised(column.default()) : null,
    generated: column.asExpression === undefined ? null : normalised(column.asExpression),
    identity: !column.isInsert && !column.isUpdate && column.asExpression === undefined,
  };
}

const comparable = (column: Column): Column => ({
  ...column,
  default: column.default === null ? null : normalised(column.default),
  generated: column.generated === null ? null : normalised(column.generated),
});

/** Strips spaces, casts and outer parentheses, and lower-cases everything but literals. */
const normalised = (expression: string): string =>
  expression
    .replace(/::[a-z ]+(?:\[\])?/g, '')
    .replace(/\s+/g, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^[A-Z]+(?=\()/, (name) => name.toLowerCase());

const byName = (a: Column, b: Column): number => a.name.localeCompare(b.name);
