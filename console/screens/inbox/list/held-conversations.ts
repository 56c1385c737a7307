import type { Conversation } from '../records.js';
import { PAGE_SIZE } from './page-size.js';
import { rowKey } from './row-facts.js';

/** The beginning of the list as it is shown. */
export interface ShownConversations {
  readonly rows: readonly Conversation[];
  /** How many have come that are not shown. */
  readonly fresh: number;
}

/**
 * Keeps rows where they are under a hand: each shows its latest values in its old place, and those that the list has lost
 * stay as they were last known.
 *
 * @param before the rows as they were shown; null to take the order of the list
 */
export function heldConversations(
  before: readonly Conversation[] | null,
  latest: readonly Conversation[],
): ShownConversations {
  if (before === null) return { rows: latest, fresh: 0 };
  const byKey = new Map(latest.map((row) => [rowKey(row), row]));
  const keys = new Set(before.map(rowKey));
  return {
    rows: before.map((row) => byKey.get(rowKey(row)) ?? row),
    fresh: candidates(before, latest, keys).filter((row) => !keys.has(rowKey(row))).length,
  };
}

/** A list in which a conversation that it has shows other values; the same list if there are none. */
export function withRow(rows: readonly Conversation[], latest: Conversation | null): readonly Conversation[] {
  if (latest === null) return rows;
  const at = rows.findIndex((row) => rowKey(row) === rowKey(latest));
  return at < 0 || rows[at] === latest ? rows : rows.map((row, place) => (place === at ? latest : row));
}

/** Where only the beginning of a list is known, what is new at its end has just moved up because others have left. */
function candidates(before: readonly Conversation[], latest: readonly Conversation[], keys: ReadonlySet<string>) {
  if (before.length < PAGE_SIZE) return latest;
  const last = latest.findLastIndex((row) => keys.has(rowKey(row)));
  return last < 0 ? latest : latest.slice(0, last);
}

/** Whether two lists name the same conversations in the same order. */
export const isSameOrder = (one: readonly Conversation[], other: readonly Conversation[]): boolean =>
  one.length === other.length && one.every((row, place) => rowKey(row) === rowKey(other[place] ?? row));
