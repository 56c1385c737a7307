import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import { ONCE, parley } from '../../../data/api.js';
import { serverNow, useTopic } from '../../../data/live.js';
import { useQuery } from '../../../data/query.js';
import type { OpenThread } from '../open-thread.js';
import type { Entry } from '../records.js';
import { type LiveThread, threadTopic } from '../use-open-thread.js';
import { entriesOf, keyOf, PAGE_SIZE } from './stretch.js';
import { pageOf, ThreadTimeline } from './thread-timeline.js';

/** How often what depends on the time of day is looked at again, milliseconds. */
const LOOK_EVERY_MS = 20_000;

export interface OpenTimeline {
  readonly timeline: ThreadTimeline;
  /** Why the newest page could not be read. */
  readonly error: unknown;
  readonly retry: () => Promise<unknown>;
}

/** Reads the timeline of a thread and keeps it up to date while it is open. */
export function useTimeline({ key, pending }: OpenThread): OpenTimeline {
  const query = { waba_phone_id: key.phone, limit: PAGE_SIZE };
  // What the stream has told since the page was asked for: the answer may be older.
  const heard = useRef<readonly Entry[] | null>(null);
  const result = useQuery(['timeline', accountId.value ?? '', key.contact, key.phone], async (signal) => {
    heard.current = null;
    return pageOf(await parley.conversations.timeline(key.contact, query, { signal }));
  });
  const timeline = useMemo(() => {
    const made: ThreadTimeline = new ThreadTimeline({
      page: async (place) => pageOf(await parley.conversations.timeline(key.contact, { ...query, ...place }, ONCE)),
      newest: async () => {
        const { data } = await result.peek().refetch();
        if (data !== undefined) made.receive(data);
      },
    });
    return made;
  }, []);
  const { data, error } = result.value;
  useLayoutEffect(() => {
    if (data === undefined) return;
    timeline.receive(data);
    if (heard.current !== null) timeline.hear(heard.current);
  }, [data]);
  useTopic<LiveThread>(threadTopic(key), ({ entries }) => {
    heard.current = entries.toReversed();
    timeline.hear(heard.current);
  });

  // What was sent from here is shown once more at the end, until the timeline has it.
  const { stretch } = timeline;
  const held = stretch.value;
  const waiting = pending.value;
  useEffect(() => {
    if (waiting.length === 0 || held === null) return;
    const keys = new Set(entriesOf(held).map(keyOf));
    const left = waiting.filter(({ recordId }) => recordId === null || !keys.has(recordId));
    if (left.length < waiting.length) pending.value = left;
  }, [held, waiting]);
  const recorded = waiting.filter(({ recordId }) => recordId !== null).length;
  useEffect(() => {
    if (recorded > 0) void result.peek().refetch();
  }, [recorded]);
  return { timeline, error, retry: () => result.peek().refetch() };
}

/** The time of the service, looked at every few seconds. */
export function useNow(): Date {
  const now = useSignal(serverNow());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = serverNow();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now.value;
}
