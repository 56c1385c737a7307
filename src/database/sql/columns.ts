/**
 * Turns rows into the arrays that `unnest` takes, one per key and in their order. A column without any value becomes an
 * empty array, which `unnest` pads with nulls and which costs nothing to send.
 */
export function columnsOf<Row extends object>(rows: readonly Row[], keys: readonly (keyof Row)[]): unknown[][] {
  const columns: unknown[][] = [];
  for (const key of keys) {
    const column = new Array<unknown>(rows.length);
    let isEmpty = true;
    for (let index = 0; index < rows.length; index += 1) {
      const value = rows[index]?.[key] ?? null;
      column[index] = value;
      isEmpty &&= value === null;
    }
    columns.push(isEmpty ? [] : column);
  }
  return columns;
}
