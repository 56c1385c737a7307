import type { Entry } from '../records.js';

/** A page of a timeline, the oldest entry first. */
export interface TimelinePage {
  readonly entries: readonly Entry[];
  /** Leads to older entries; null at the beginning of the thread. */
  readonly before: string | null;
  /** Leads to newer entries; null at the end of the thread. */
  readonly after: string | null;
}

/** The part of a thread that the page holds: neighbouring pages, the oldest first. */
export type Stretch = readonly TimelinePage[];

/** Entries of a page, and of what the stream tells. */
export const PAGE_SIZE = 50;
/** More entries than this are not held: the far end is dropped, and read again when somebody scrolls there. */
const MAX_HELD = 3 * PAGE_SIZE;

/** Names an entry in its thread. Changes have no id of their own. */
export function keyOf({ type, at, message, note, change }: Entry): string {
  return (
    message?.message_id ??
    note?.id ??
    [type, change?.kind, at, change?.actor.user_id, change?.assigned_to ?? change?.previous_assignee_id].join(' ')
  );
}

export const entriesOf = (stretch: Stretch): readonly Entry[] => stretch.flatMap(({ entries }) => entries);

/** Whether the newest entry of the thread is held, as far as was heard. */
export const reachesEnd = (stretch: Stretch): boolean => stretch.at(-1)?.after === null;

export const reachesBeginning = (stretch: Stretch): boolean => stretch[0]?.before === null;

const countOf = (stretch: Stretch): number => stretch.reduce((sum, { entries }) => sum + entries.length, 0);

const keysOf = (stretch: Stretch): ReadonlySet<string> => new Set(entriesOf(stretch).map(keyOf));

/** What of a page is not held yet. */
const unheld = (stretch: Stretch, page: TimelinePage): TimelinePage => {
  const held = keysOf(stretch);
  return { ...page, entries: page.entries.filter((entry) => !held.has(keyOf(entry))) };
};

/** Puts an older page in front, and drops what is too far behind it. */
export function withOlder(stretch: Stretch, page: TimelinePage): Stretch {
  let next: Stretch = [unheld(stretch, page), ...stretch];
  while (next.length > 2 && countOf(next) > MAX_HELD) next = next.slice(0, -1);
  return next;
}

/** Puts a newer page behind, and drops what is too far before it. */
export function withNewer(stretch: Stretch, page: TimelinePage): Stretch {
  let next: Stretch = [...stretch, unheld(stretch, page)];
  while (next.length > 2 && countOf(next) > MAX_HELD) next = next.slice(1);
  return next;
}

/** What of a page around the last held entry comes after it: the way on where no cursor leads. */
export function behindLast(stretch: Stretch, page: TimelinePage): TimelinePage {
  const last = entriesOf(stretch).at(-1);
  const at = last === undefined ? -1 : page.entries.findIndex((entry) => keyOf(entry) === keyOf(last));
  return { ...page, entries: page.entries.slice(at + 1) };
}

/**
 * Takes in the newest entries of the thread: new ones at the end, changed ones in their place. What is unchanged stays
 * the same object.
 *
 * @param newest the oldest first; all of the thread if they are fewer than a page
 * @returns null when entries are missing between what is held and what was heard
 */
export function withNewest(stretch: Stretch, newest: readonly Entry[]): Stretch | null {
  const heard = new Map(newest.map((entry) => [keyOf(entry), entry]));
  if (!reachesEnd(stretch)) return withChanges(stretch, heard);
  const held = new Map(entriesOf(stretch).map((entry) => [keyOf(entry), entry]));
  const isWhole = newest.length < PAGE_SIZE;
  const from = isWhole ? 0 : newest.findIndex((entry) => held.has(keyOf(entry)));
  if (from < 0) return null;
  const tail = [
    ...newest.slice(from).map((entry) => unchanged(held.get(keyOf(entry)), entry)),
    ...laterThan(newest.at(-1), [...held.values()]).filter((entry) => !heard.has(keyOf(entry))),
  ];
  if (isWhole) {
    const old = stretch.length === 1 ? stretch[0]?.entries : undefined;
    return [{ entries: old === undefined ? tail : same(old, tail), before: null, after: null }];
  }
  const first = keyOf(newest[from] as Entry);
  const place = stretch.findIndex(({ entries }) => entries.some((entry) => keyOf(entry) === first));
  const { entries = [], before = null } = stretch[place] ?? {};
  const kept = entries.slice(
    0,
    entries.findIndex((entry) => keyOf(entry) === first),
  );
  return [...stretch.slice(0, place), { entries: [...kept, ...tail], before, after: null }];
}

/** What is held behind an entry: an answer may be older than what the stream has told. */
function laterThan(last: Entry | undefined, held: readonly Entry[]): readonly Entry[] {
  const place = last === undefined ? -1 : held.findIndex((entry) => keyOf(entry) === keyOf(last));
  return place < 0 ? [] : held.slice(place + 1);
}

/** Puts changed entries in the place of what they were. */
export function withChanges(stretch: Stretch, changed: ReadonlyMap<string, Entry>): Stretch {
  return stretch.map((page) => {
    const entries = page.entries.map((entry) => unchanged(entry, changed.get(keyOf(entry)) ?? entry));
    return { ...page, entries: same(page.entries, entries) };
  });
}

function unchanged(old: Entry | undefined, entry: Entry): Entry {
  return old !== undefined && (old === entry || JSON.stringify(old) === JSON.stringify(entry)) ? old : entry;
}

const same = (old: readonly Entry[], entries: readonly Entry[]): readonly Entry[] =>
  old.length === entries.length && old.every((entry, place) => entry === entries[place]) ? old : entries;

/** How many messages among the newest come after a known entry; a page of them if it is too far back to tell. */
export function messagesAfter(newest: readonly Entry[], key: string): number {
  const place = newest.findIndex((entry) => keyOf(entry) === key);
  if (place < 0 && newest.length >= PAGE_SIZE) return PAGE_SIZE;
  return newest.slice(place + 1).filter(({ type }) => type === 'message').length;
}
