import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { serverNow } from '../../../data/live.js';
import { windowOf } from '../list/row-facts.js';
import type { OpenThread } from '../open-thread.js';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
/** When people are warned that the window closes. */
const CLOSING_MS = 600_000;

/** In which one may write freely. */
export interface OpenWindow {
  readonly end: Date;
  readonly now: Date;
  /** Whether its end needs somebody, as in the list. */
  readonly isSoon: boolean;
  readonly isClosing: boolean;
  /** How much of it is left, from 0 to 1. */
  readonly share: number;
}

/** The window of a thread as the clock of the service goes on; null once it is closed. */
export function useWindow({ conversation }: OpenThread): ReadonlySignal<OpenWindow | null> {
  const now = useSignal(serverNow());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = serverNow();
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return useComputed(() => {
    const window_expires_at = conversation.value?.window_expires_at ?? null;
    const { kind } = windowOf({ window_expires_at }, now.value);
    if (window_expires_at === null || kind === 'closed') return null;
    const end = new Date(window_expires_at);
    const left = end.getTime() - now.value.getTime();
    const share = Math.min(left / DAY_MS, 1);
    return { end, now: now.value, isSoon: kind === 'soon', isClosing: left <= CLOSING_MS, share };
  });
}
