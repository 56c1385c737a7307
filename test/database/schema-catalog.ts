import type { Client } from 'pg';

/**
 * Everything that migrations can create, one sorted line each: relations, columns, views, constraints, indexes,
 * triggers, functions, extensions and comments. Two schemas are equal if their lines are.
 */
export async function describeSchema(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    WITH relation AS (
      SELECT c.oid, c.relname, c.relkind, c.relpersistence, c.reloptions, pg_get_partkeydef(c.oid) AS partition_key,
             pg_get_expr(c.relpartbound, c.oid) AS partition_bound
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public'
    )
    SELECT concat_ws(' ', 'relation', relname, relkind, relpersistence, reloptions, partition_key, partition_bound) AS line
    FROM relation
    UNION ALL
    SELECT concat_ws(' ', 'column', r.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                     CASE WHEN a.attnotnull THEN 'not null' END, a.attidentity, a.attgenerated,
                     pg_get_expr(d.adbin, d.adrelid))
    FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE r.relkind IN ('r', 'p')
    UNION ALL
    SELECT concat_ws(' ', 'view', relname, pg_get_viewdef(oid)) FROM relation WHERE relkind = 'v'
    UNION ALL
    SELECT concat_ws(' ', 'constraint', r.relname, k.conname, pg_get_constraintdef(k.oid))
    FROM relation r JOIN pg_constraint k ON k.conrelid = r.oid
    UNION ALL
    SELECT concat_ws(' ', 'index', pg_get_indexdef(oid)) FROM relation WHERE relkind IN ('i', 'I')
    UNION ALL
    SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid))
    FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT t.tgisinternal
    UNION ALL
    SELECT concat_ws(' ', 'function', pg_get_functiondef(p.oid))
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = 'public' AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.deptype = 'e')
    UNION ALL
    SELECT concat_ws(' ', 'extension', extname) FROM pg_extension
    UNION ALL
    SELECT concat_ws(' ', 'comment', r.relname, c.objsubid, c.description)
    FROM relation r JOIN pg_description c ON c.objoid = r.oid AND c.classoid = 'pg_class'::regclass
    UNION ALL
    SELECT concat_ws(' ', 'comment on function', p.proname, c.description)
    FROM pg_proc p JOIN pg_description c ON c.objoid = p.oid AND c.classoid = 'pg_proc'::regclass
    WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.deptype = 'e')
    ORDER BY line`);
  // The number of a column changes when it is dropped and added again, so it is left out.
  return rows.map(({ line }) => line);
}
