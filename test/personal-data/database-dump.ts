import pg from 'pg';

/** A column and one of its values, as text. */
export interface DumpedValue {
  readonly column: string;
  readonly text: string;
}

/**
 * Every value of every table of a database, as a dump would contain it: including queue tables and large values.
 * Partitions are read individually, so that detached ones count too.
 */
export async function dumpOf(url: string): Promise<DumpedValue[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: columns } = await client.query<{ schema: string; table: string; owner: string; name: string }>(
      `SELECT n.nspname AS schema, c.relname AS table, coalesce(p.relname, c.relname) AS owner, a.attname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
       WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`,
    );
    const values: DumpedValue[] = [];
    for (const { schema, table, owner, name } of columns) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT "${name}"::text AS text FROM "${schema}"."${table}" WHERE "${name}" IS NOT NULL`,
      );
      for (const { text } of rows) values.push({ column: `${owner}.${name}`, text });
    }
    return values;
  } finally {
    await client.end();
  }
}

/** The columns that contain any of `needles`, as text or as hex-encoded bytes. */
export function columnsWith(dump: readonly DumpedValue[], needles: readonly string[]): string[] {
  const forms = needles.flatMap((needle) => [needle.toLowerCase(), Buffer.from(needle).toString('hex')]);
  const found = dump.filter(({ text }) => {
    const folded = text.toLowerCase();
    return forms.some((form) => folded.includes(form));
  });
  return [...new Set(found.map(({ column }) => column))].sort();
}
