import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { accountId } from './account.js';
import { heard, isOffline, waitsUntil } from './connection.js';
import type { StreamState } from './live-messages.js';
import { LiveTab } from './live-tab.js';
import { notifies, sounds } from './preferences.js';
import { queries } from './query.js';
import { noteServerClock } from './server-clock.js';
import { hasEnded, noteSignedOut, session } from './session.js';
import { noteVersion } from './version.js';

export { serverNow } from './server-clock.js';

/** How the page learns what changes: at once, by asking every few seconds, or not at all. */
export type LiveState = 'live' | 'reconnecting' | 'offline';

/** How often a page without a stream asks, milliseconds. */
const POLL_EVERY_MS = 5000;
/** Pages that all got their connection back at once go on within this time, milliseconds. */
const SPREAD_MS = 1000;

type Handler = (data: unknown) => void;

/** What the parts of the page watch, and the last that they heard. */
const handlers = new Map<string, Set<Handler>>();
const latest = new Map<string, unknown>();
const topics = signal<readonly string[]>([]);
/** How the stream is; null while nobody has said. */
const stream = signal<StreamState | null>(null);
/** Whether the page has begun to ask, for want of a stream. */
const polls = signal(false);
/** The unbroken time of the stream since which everything on the page is up to date. */
let streak: string | null = null;

export const liveState: ReadonlySignal<LiveState> = computed(() => {
  if (isOffline.value) return 'offline';
  return stream.value?.isOpen === true ? 'live' : 'reconnecting';
});

/** Whether everything that the page watches comes by the stream. */
const isServed = computed(() => {
  const { isOpen = false, topics: served = [] } = stream.value ?? {};
  return isOpen && topics.value.every((topic) => served.includes(topic));
});

/** Whether a topic does not come by the stream, and the page asks every few seconds: then it has to be read. */
export const isPolled = (topic: string): boolean =>
  polls.value && !(stream.value?.isOpen === true && stream.value.topics.includes(topic));

/**
 * Calls `onEvent` with the state of a topic while the part is shown: soon after it appears, and after each change. The
 * same state may come again. Without a stream nothing comes, and the queries of the page are read again every few seconds.
 */
export function useTopic<T>(topic: string, onEvent: (data: T) => void): void {
  const current = useRef(onEvent);
  current.current = onEvent;
  useEffect(() => {
    const handler: Handler = (data) => current.current(data as T);
    return watch(topic, handler);
  }, [topic]);
}

function watch(topic: string, handler: Handler): () => void {
  const known = handlers.get(topic) ?? new Set();
  known.add(handler);
  handlers.set(topic, known);
  if (latest.has(topic)) handler(latest.get(topic));
  topics.value = [...handlers.keys()];
  return () => {
    known.delete(handler);
    if (known.size > 0 || handlers.get(topic) !== known) return;
    handlers.delete(topic);
    latest.delete(topic);
    topics.value = [...handlers.keys()];
  };
}

/** Watches in the account of the address, for as long as somebody has signed in. */
export function startLive(): void {
  const watcher = computed(() => {
    const open = hasEnded.value ? null : session.value;
    const isTheirs = open?.accounts.some(({ account_id }) => account_id === accountId.value) === true;
    return open !== null && isTheirs ? `${accountId.value} ${open.user.user_id}` : null;
  });
  effect(() => {
    if (watcher.value === null) return;
    const [account = '', user = ''] = watcher.value.split(' ');
    return untracked(() => liveIn(account, user));
  });
}

/** Watches in one account, until the returned function is called. */
function liveIn(account: string, user: string): () => void {
  const tab = new LiveTab(account, user, {
    // What was on its way when the connection broke does not say that it is back.
    onHeard: () => {
      if (!isOffline.peek()) heard();
    },
    onEvent: receive,
    onSignedOut: noteSignedOut,
    staysHidden: () => notifies.peek() || sounds.peek(),
    onState: (state) => {
      stream.value = state;
      noteServerClock(state?.isOpen === true ? state.aheadMs : null);
      if (state?.isOpen !== true) return;
      noteVersion(state.version);
      // What was missed in a break nobody will say again.
      if (streak !== null && streak !== state.streak) void queries.invalidateQueries();
      streak = state.streak;
    },
  });
  const ends = [
    effect(() => tab.show(topics.value)),
    whenBack(() => {
      tab.retry();
      // Where the stream broke too, everything is read once it is there again.
      if (stream.peek()?.isOpen === true || !streak) void queries.invalidateQueries();
    }),
    effect(() => {
      if (isServed.value || isOffline.value) return;
      const timer = setInterval(poll, POLL_EVERY_MS);
      return () => {
        clearInterval(timer);
        polls.value = false;
      };
    }),
  ];
  return () => {
    for (const end of ends) end();
    tab.close();
    latest.clear();
    streak = null;
    stream.value = null;
    noteServerClock(null);
  };
}

/**
 * Calls `goOn` soon after each time that the connection is back, unless it is lost again by then. Where only some requests
 * fail, it comes back with each answer to another one: so no more often than a page without a stream asks.
 */
function whenBack(goOn: () => void): () => void {
  let [wasLost, wentOnAt] = [false, Number.NEGATIVE_INFINITY];
  return effect(() => {
    wasLost ||= isOffline.value;
    if (isOffline.value || !wasLost) return;
    const wait = Math.max(Math.random() * SPREAD_MS, wentOnAt + POLL_EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      wasLost = false;
      wentOnAt = performance.now();
      goOn();
    }, wait);
    return () => clearTimeout(timer);
  });
}

/** Reads again what the page shows, unless it was asked to wait. */
function poll(): void {
  if (document.visibilityState === 'hidden' || waitsUntil.value !== null) return;
  polls.value = true;
  // Between the last poll and the first event something may be missed too.
  streak ??= '';
  void queries.invalidateQueries(undefined, { cancelRefetch: false });
}

function receive(topic: string, data: unknown): void {
  const known = handlers.get(topic);
  if (known === undefined) return;
  latest.set(topic, data);
  for (const handler of known) {
    try {
      handler(data);
    } catch (error) {
      // The fault of one part must not cost the others their stream.
      reportError(error);
    }
  }
}
