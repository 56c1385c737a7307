import type { QueryResult } from 'pg';

const names = new Map<string, string>();

/** Converts `account_id` to `accountId`. */
export function camelCase(column: string): string {
  const known = names.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  names.set(column, name);
  return name;
}

/** The rows of a result with columns in camelCase. The contents of JSON columns stay as they are. */
export function camelCased<Row>({ rows, fields }: QueryResult): Row[] {
  const columns: string[] = [];
  const properties: string[] = [];
  let isRenamed = false;
  for (const { name } of fields) {
    const property = names.get(name) ?? camelCase(name);
    columns.push(name);
    properties.push(property);
    isRenamed ||= property !== name;
  }
  if (!isRenamed) return rows as Row[];
  const records: Row[] = [];
  for (const row of rows as Record<string, unknown>[]) {
    const record: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) {
      record[properties[index] as string] = row[columns[index] as string];
    }
    records.push(record as Row);
  }
  return records;
}

/** Converts `accountId` to `account_id`. */
export const snakeCase = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A record with its properties named like their columns, for `jsonb_populate_recordset`. */
export const snakeCased = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([property, value]) => [snakeCase(property), value]));
