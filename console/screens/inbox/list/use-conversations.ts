import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import { useTopic } from '../../../data/live.js';
import { queries, useQuery } from '../../../data/query.js';
import type { Conversation } from '../records.js';
import { isSameThread, type ThreadKey, threadOf } from '../thread-key.js';
import { type LiveThread, threadTopic } from '../use-open-thread.js';
import { readConversations } from './conversations-api.js';
import { type ConversationsFilter, topicOf } from './conversations-filter.js';
import { heldConversations, isSameOrder, withRow } from './held-conversations.js';
import { LaterPages } from './later-pages.js';
import { PAGE_SIZE } from './page-size.js';
import { rowKey } from './row-facts.js';

/** How often a list is read again of which the stream tells nothing, and one of which it tells. Milliseconds. */
const [SEARCH_EVERY_MS, READ_EVERY_MS] = [5000, 30_000];
/** Watched in place of a list of which the stream tells nothing; every page watches it. */
const ALWAYS = 'badges';

/** The beginning of a list as the stream tells it. */
interface LiveList {
  readonly conversations: readonly Conversation[];
  readonly total: number;
}

/** A list of conversations as it is shown. */
export interface ConversationList {
  /** The rows of the beginning; undefined until they are known. */
  readonly first: readonly Conversation[] | undefined;
  /** Undefined for one that was not read yet. */
  readonly rowAt: (index: number) => Conversation | undefined;
  /** How many rows there are, or how far one may scroll for now. */
  readonly size: number;
  readonly total: number;
  /** How many have come that are not shown because somebody points at the list. */
  readonly fresh: number;
  readonly showFresh: () => void;
  /** Whether somebody points at the list or has focus in it: until then, nothing moves. */
  readonly hold: (isHeld: boolean) => void;
  /** Reads the rows of a stretch if they are missing. */
  readonly need: (from: number, to: number) => void;
  readonly error: unknown;
  readonly reload: () => unknown;
}

/** What names a list among the queries of the page. */
export const listKey = ({ view, order, phone, search }: ConversationsFilter): string[] => [
  'conversations',
  accountId.value ?? '',
  view,
  order,
  phone ?? '',
  search ?? '',
];

/**
 * Reads a list and keeps it up to date. Use it under a key of its filter.
 *
 * @param open the thread beside it, of which the page hears also when the list has lost it
 */
export function useConversations(filter: ConversationsFilter, open: ThreadKey | null): ConversationList {
  const topic = topicOf(filter);
  const key = listKey(filter);
  // What was heard is newer than an answer that was asked for before: times are numbers in their order.
  const [time, askedAt] = [useRef(0), useRef(0)];
  const result = useQuery(key, async (signal) => {
    const at = ++time.current;
    const page = await readConversations(filter, 0, signal);
    askedAt.current = at;
    return page;
  }).value;
  const live = useSignal<{ at: number; list: LiveList } | null>(null);
  useTopic<LiveList>(topic ?? ALWAYS, (list) => {
    if (topic !== null) live.value = { at: ++time.current, list };
  });
  const beside = useSignal<{ at: number; row: Conversation } | null>(null);
  useTopic<LiveThread>(open === null ? ALWAYS : threadTopic(open), ({ conversation }) => {
    if (open !== null) beside.value = { at: ++time.current, row: conversation };
  });
  const isLive = live.value !== null && live.value.at > askedAt.current;
  const listed = isLive ? live.value?.list.conversations : result.data?.rows;
  const listedAt = isLive ? (live.value?.at ?? 0) : askedAt.current;
  const row = beside.value?.row ?? null;
  const isNewer = beside.value !== null && beside.value.at > listedAt;
  const latest = useMemo(() => listed && (isNewer ? withRow(listed, row) : listed), [listed, row, isNewer]);
  const total = (isLive ? live.value?.list.total : result.data?.total) ?? 0;
  const isHeld = useSignal(false);
  const [, setTimes] = useState(0);
  const redraw = (): void => setTimes((times) => times + 1);
  const kept = useRef<readonly Conversation[] | null>(null);
  const [opened, wasRead] = [useRef(Date.now()), useRef(false)];
  // What is remembered from an earlier visit gives way at once, even under a hand.
  const isKept = isHeld.value && wasRead.current && kept.current !== null && kept.current.length > 0;
  const shown = latest && heldConversations(isKept ? withRow(kept.current ?? [], row) : null, latest);
  wasRead.current ||= isLive || result.dataUpdatedAt >= opened.current;
  const before = kept.current;
  kept.current = shown?.rows ?? null;

  const later = useMemo(() => new LaterPages((page, signal) => readConversations(filter, page, signal), redraw), []);
  const range = useRef({ from: 0, to: 0 });
  const need = (): void => later.need(range.current.from, range.current.to, isHeld.peek());
  useEffect(() => () => later.close(), []);
  useEffect(() => {
    if (shown === undefined || before === null || isSameOrder(before, shown.rows)) return;
    later.outdate();
    need();
  });
  useEffect(() => {
    const again = (): void => {
      if (document.visibilityState !== 'visible') return;
      void queries.invalidateQueries({ queryKey: key, exact: true }, { cancelRefetch: false });
      need();
    };
    const timer = setInterval(again, topic === null ? SEARCH_EVERY_MS : READ_EVERY_MS);
    return () => clearInterval(timer);
  }, []);

  const first = shown?.rows;
  const { pages } = later;
  const count = first?.length ?? 0;
  return {
    first,
    rowAt: (index) => {
      if (index < count) return first?.[index];
      const read = pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
      const isBeside = read !== undefined && row !== null && rowKey(read) === rowKey(row);
      return isBeside && isSameThread(threadOf(row), open) ? row : read;
    },
    size: count < PAGE_SIZE ? count : Math.max(count, later.size(total)),
    total,
    fresh: shown?.fresh ?? 0,
    showFresh: () => {
      kept.current = null;
      redraw();
    },
    hold: (held) => {
      if (isHeld.peek() === held) return;
      isHeld.value = held;
      need();
    },
    need: (from, to) => {
      range.current = { from, to };
      need();
    },
    error: result.error ?? later.error,
    reload: () => {
      later.outdate();
      need();
      return result.refetch();
    },
  };
}
