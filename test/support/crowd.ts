/** As many requests of one account can be under way without any waiting longer for a lock than the service lets it. */
const AT_ONCE = 10;

/**
 * Does `work` `count` times, `atOnce` of them at any moment, and returns what each returned, in order. When one fails,
 * no other begins, and the error is thrown when those under way have ended.
 */
export async function crowd<T>(count: number, work: (index: number) => Promise<T>, atOnce = AT_ONCE): Promise<T[]> {
  const done: T[] = [];
  let next = 0;
  const workOff = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      try {
        done[index] = await work(index);
      } catch (error) {
        next = count;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(count, atOnce) }, workOff));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return done;
}

/** The same for each of `items`. */
export const crowdOf = <Item, T>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<T>,
  atOnce = AT_ONCE,
): Promise<T[]> => crowd(items.length, (index) => work(items[index] as Item, index), atOnce);
