// Work over a tenant's texts or lists goes in slices: after a few milliseconds it lets everything else of the process
// run. Otherwise one request with ten thousand entries would delay all other requests, health checks and lease renewals.

/** How long such work may keep the event loop, milliseconds. */
const SLICE_MS = 10;

/** The clock of the slices; tests replace it. */
export const sliceClock = { now: (): number => performance.now() };

/** When sliced work began to run in this turn of the event loop; null before it has. */
let began: number | null = null;
let isScheduled = false;
/** Work that waits for its next slice, longest wait first. */
const waiting: (() => void)[] = [];

/**
 * Ends the slice if it has lasted long enough. Await it between two items. Work that begins in one turn shares a
 * slice, and one piece of work continues per turn, so a hundred of them don't make a turn of a hundred slices.
 *
 * @returns undefined when the work may go on
 */
export function pause(): Promise<void> | undefined {
  const now = sliceClock.now();
  if (began === null) {
    began = now;
    schedule();
  }
  if (now - began < SLICE_MS) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(nextSlice);
}

function nextSlice(): void {
  isScheduled = false;
  began = null;
  const next = waiting.shift();
  if (next === undefined) return;
  began = sliceClock.now();
  schedule();
  next();
}

/** `items.map(map)` in slices. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await eachInSlices(items, (item, index) => results.push(map(item, index)));
  return results;
}

/** `items.flatMap(map)` in slices. */
export async function flatMapInSlices<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => readonly Result[],
): Promise<Result[]> {
  const results: Result[] = [];
  await eachInSlices(items, (item, index) => {
    for (const result of map(item, index)) results.push(result);
  });
  return results;
}

/** Calls `work` for each item in order, in slices. */
export async function eachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => unknown,
): Promise<void> {
  let index = 0;
  for (const item of items) {
    const paused = pause();
    if (paused !== undefined) await paused;
    work(item, index);
    index += 1;
  }
}
