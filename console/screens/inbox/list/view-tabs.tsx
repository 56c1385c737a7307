import { useEffect, useRef } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import { useTopic } from '../../../data/live.js';
import { inboxOrder } from '../../../data/preferences.js';
import { queries, useQuery } from '../../../data/query.js';
import { path, searchWith } from '../../../frame/router.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import { countConversations } from './conversations-api.js';
import { type ConversationsFilter, isOrdered, topicOf, VIEWS, type View } from './conversations-filter.js';

/** How soon after a change the numbers are counted again, and how often at least. Milliseconds. */
const [SOON_MS, EVERY_MS] = [2000, 30_000];

const countKey = (): string[] => ['conversation-counts', accountId.value ?? ''];

/** Links to the views, with the numbers of those that somebody has to look after. */
export function ViewTabs({ filter }: { filter: ConversationsFilter }) {
  // The same numbers wherever one is, also in a list without that order.
  const order = inboxOrder.value;
  const counts: Partial<Record<View, number | undefined>> = {
    mine: useCount({ ...filter, order, view: 'mine' }),
    unassigned: useCount({ ...filter, order, view: 'unassigned' }),
  };
  const listed = { ...filter, search: null };
  useCountAgain(isOrdered(listed) ? { ...listed, order } : listed);
  return (
    <nav class="tabs" aria-label={words.views.label}>
      {VIEWS.map((view) => {
        const count = filter.search === null ? counts[view] : undefined;
        const name = words.views[view];
        return (
          <a
            key={view}
            href={path.value + searchWith({ view: view === 'mine' ? null : view })}
            aria-current={filter.view === view ? 'true' : undefined}
            aria-label={count === undefined ? undefined : words.views.counted(name, count, order === 'longest_waiting')}
          >
            {name} {count !== undefined && <span class="num">{words.count(count)}</span>}
          </a>
        );
      })}
    </nav>
  );
}

/** How many conversations a view has, whatever is searched for; undefined until that is known. */
export function useCount(filter: ConversationsFilter): number | undefined {
  const all = { ...filter, search: null };
  const key = [...countKey(), all.view, all.order, all.phone ?? ''];
  return useQuery(key, (signal) => countConversations(all, signal)).value.data;
}

/** Counts again soon after something has changed. */
function useCountAgain(filter: ConversationsFilter): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const again = (): void => void queries.invalidateQueries({ queryKey: countKey() }, { cancelRefetch: false });
  const soon = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      again();
    }, SOON_MS);
  };
  useTopic('badges', soon);
  useTopic(topicOf(filter) ?? 'badges', soon);
  useEffect(() => {
    const every = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, EVERY_MS);
    return () => {
      clearInterval(every);
      if (timer.current !== null) clearTimeout(timer.current);
    };
  }, []);
}
