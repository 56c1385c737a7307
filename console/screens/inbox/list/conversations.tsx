import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isOffline } from '../../../data/connection.js';
import { inboxOrder } from '../../../data/preferences.js';
import { search } from '../../../frame/router.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Skeleton } from '../../../parts/skeleton.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import { type ThreadKey, threadOf } from '../thread-key.js';
import { type ConversationsFilter, filterOf } from './conversations-filter.js';
import { useListClock } from './list-clock.js';
import { ListEnd } from './list-end.js';
import { ListHeader } from './list-header.js';
import { shownThreads } from './next-conversation.js';
import { NothingHere } from './nothing-here.js';
import { type ConversationList, listKey, useConversations } from './use-conversations.js';
import { WindowedRows } from './windowed-rows.js';

/** The list of conversations. */
export function Conversations({ open }: { open: ThreadKey | null }) {
  const filter = filterOf(search.value, inboxOrder.value);
  return (
    <section class="list" aria-label={words.list}>
      <ListHeader filter={filter} isAlone={open === null} />
      <List key={listKey(filter).join('\n')} filter={filter} open={open} />
    </section>
  );
}

interface ListProps {
  readonly filter: ConversationsFilter;
  readonly open: ThreadKey | null;
}

/** The conversations of a view, or what there is in their place. */
function List({ filter, open }: ListProps) {
  const list = useConversations(filter, open);
  const { first, error, reload, fresh } = list;
  useShownThreads(list);
  useListClock(first);
  const { place, ...hand } = useHand(list);
  const [movesFocus, toFirst] = [useRef(false), useRef<() => void>(null)];
  useLayoutEffect(() => {
    if (!movesFocus.current) return;
    // The button that had focus is gone.
    movesFocus.current = false;
    toFirst.current?.();
  });
  const failed = error !== null && !(isOffline.value && first !== undefined) && (
    <LoadFailed what={words.list} error={error} retry={reload} />
  );
  return (
    <div class="list-body" ref={place} {...hand}>
      <p class="hide" role="status">
        {filter.search !== null && first !== undefined && words.found(list.total)}
      </p>
      {failed}
      {fresh > 0 && (
        <button
          class="fresh"
          type="button"
          onClick={() => {
            movesFocus.current = true;
            list.showFresh();
          }}
        >
          {words.fresh(fresh)}
        </button>
      )}
      {first === undefined ? (
        !failed && <Skeleton rows={8} />
      ) : first.length === 0 ? (
        !failed && <NothingHere filter={filter} />
      ) : (
        <WindowedRows
          list={list}
          filter={filter}
          open={open}
          end={<ListEnd filter={filter} found={list.total} />}
          toFirst={toFirst}
        />
      )}
    </div>
  );
}

/** Tells the other parts which threads are listed. */
function useShownThreads({ first = [] }: ConversationList): void {
  useEffect(() => {
    shownThreads.value = first.map(threadOf).filter((thread) => thread !== null);
  }, [first]);
  useEffect(
    () => () => {
      shownThreads.value = [];
    },
    [],
  );
}

/** Notices whether somebody points at the list or has focus in it. */
function useHand(list: ConversationList) {
  const [place, pointsAt] = [useRef<HTMLDivElement>(null), useRef(false)];
  const look = (): void => list.hold(pointsAt.current || place.current?.contains(document.activeElement) === true);
  const point = ({ pointerType }: PointerEvent, isOver: boolean): void => {
    // A finger that is lifted points at nothing.
    pointsAt.current = isOver && pointerType !== 'touch';
    look();
  };
  return {
    place,
    onPointerEnter: (event: PointerEvent) => point(event, true),
    onPointerLeave: (event: PointerEvent) => point(event, false),
    onFocusIn: look,
    // Where focus goes next is known only afterwards.
    onFocusOut: () => queueMicrotask(look),
  };
}
