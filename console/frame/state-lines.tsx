import { useSignal, useSignalEffect } from '@preact/signals';
import { isOffline, lastHeard, waitsUntil } from '../data/connection.js';
import { loadSession } from '../data/session.js';
import { words } from '../words/en.js';

/** When a page without a connection tries again first, and how often after that, milliseconds. */
const [FIRST_MS, RETRY_MS] = [1000, 5000];
const SECOND_MS = 1000;

/** The lines at the top that say that there is no connection, or that requests wait. */
export function StateLines() {
  const seconds = useSignal(0);
  useSignalEffect(() => {
    if (!isOffline.value) return;
    const ask = (): void => void loadSession();
    // Most often only one request was lost.
    const first = setTimeout(ask, FIRST_MS);
    const retry = setInterval(ask, RETRY_MS);
    addEventListener('online', ask);
    return () => {
      clearTimeout(first);
      clearInterval(retry);
      removeEventListener('online', ask);
    };
  });
  useSignalEffect(() => {
    const until = waitsUntil.value;
    if (until === null) return;
    const count = (): void => {
      seconds.value = Math.ceil((until.getTime() - Date.now()) / SECOND_MS);
      if (seconds.value <= 0) waitsUntil.value = null;
    };
    count();
    const timer = setInterval(count, SECOND_MS);
    return () => clearInterval(timer);
  });
  return (
    <div role="status">
      {isOffline.value && <p class="line">{words.states.offline(lastHeard.value)}</p>}
      {waitsUntil.value !== null && (
        <p class="line" aria-live="off">
          {words.states.waiting(seconds.value)}
        </p>
      )}
    </div>
  );
}
