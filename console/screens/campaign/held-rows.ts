/** Rows as they are shown, and how many places differ from what is known by now. */
export interface HeldRows<Row> {
  readonly rows: readonly Row[];
  /** Rows that have come, gone or moved. */
  readonly changed: number;
}

/**
 * Keeps rows where they are while somebody points at them: each shows its latest values in its old place, and those that
 * are gone stay.
 */
export function heldRows<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  keyOf: (row: Row) => string,
): HeldRows<Row> {
  const byKey = new Map(latest.map((row) => [keyOf(row), row]));
  const places = Math.max(shown.length, latest.length);
  const differs = (place: number): boolean => {
    const [before, now] = [shown[place], latest[place]];
    return before === undefined || now === undefined || keyOf(before) !== keyOf(now);
  };
  return {
    rows: shown.map((row) => byKey.get(keyOf(row)) ?? row),
    changed: Array.from({ length: places }, (_, place) => place).filter(differs).length,
  };
}
