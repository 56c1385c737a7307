import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { serverNow } from '../../../data/live.js';

/** How often the times of the list advance, milliseconds. */
const EVERY_MS = 15_000;

/** The time for which the list says how long people wait. */
export const listNow = signal(serverNow());

/**
 * Lets the times of the list advance while it is shown.
 *
 * @param rows what is shown: what has just come must not be later than now
 */
export function useListClock(rows: unknown): void {
  const tick = (): void => {
    listNow.value = serverNow();
  };
  useLayoutEffect(tick, [rows]);
  useEffect(() => {
    const timer = setInterval(tick, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
