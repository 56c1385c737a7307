interface Row {
  readonly campaign_id: string;
}

/** Rows in the order in which they are shown. */
export interface ShownRows<T> {
  readonly rows: readonly T[];
  /** How many are known that are not shown. */
  readonly fresh: number;
}

/**
 * Keeps rows where they are while somebody points at them: each shows its latest values in its old place, and those that
 * the list has lost stay as they were last known.
 *
 * @param before the rows as they were shown; null to take the order of the list
 */
export function shownRows<T extends Row>(before: readonly T[] | null, latest: readonly T[]): ShownRows<T> {
  if (before === null) return { rows: latest, fresh: 0 };
  const byId = new Map(latest.map((row) => [row.campaign_id, row]));
  const ids = new Set(before.map((row) => row.campaign_id));
  return {
    rows: before.map((row) => byId.get(row.campaign_id) ?? row),
    fresh: latest.filter((row) => !ids.has(row.campaign_id)).length,
  };
}
