import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hasStatus } from '../../../data/failure.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Skeleton } from '../../../parts/skeleton.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import { readableNumber } from '../list/readable-number.js';
import type { OpenThread } from '../open-thread.js';
import { personName } from '../person-name.js';
import { MessageMenu, useMessageMenu } from './message-menu.js';
import { PendingRows } from './pending-rows.js';
import { RowList } from './row-list.js';
import { entriesOf, PAGE_SIZE } from './stretch.js';
import type { ThreadTimeline } from './thread-timeline.js';
import { useOneTabStop } from './use-one-tab-stop.js';
import { usePlace } from './use-place.js';
import { useNow, useTimeline } from './use-timeline.js';

/** Messages, notes and changes of a thread, or why they are not there. */
export function Talk({ thread }: { thread: OpenThread }) {
  const { timeline, error, retry } = useTimeline(thread);
  const held = timeline.stretch.value;
  // A thread begins with its first message.
  const isNew = hasStatus(error, 404) && held === null;
  if (held === null && error !== null && !isNew) {
    return (
      <div class="talk-state">
        <LoadFailed what={words.messages} error={error} retry={retry} />
      </div>
    );
  }
  if (held === null && !isNew) {
    return (
      <div class="talk-state">
        <Skeleton rows={6} />
      </div>
    );
  }
  return <Log thread={thread} timeline={timeline} />;
}

interface LogProps {
  readonly thread: OpenThread;
  readonly timeline: ThreadTimeline;
}

function Log({ thread, timeline }: LogProps) {
  const { stretch, isAtEnd, loading, failure } = timeline;
  const entries = entriesOf(stretch.value ?? []);
  const now = useNow();
  const { scroller, rows, onScroll } = usePlace(timeline, null);
  const menu = useMessageMenu();
  useOneTabStop(scroller);
  const conversation = thread.conversation.value;
  const who = conversation === undefined ? readableNumber(thread.key.contact) : personName(conversation);
  const pending = thread.pending.value;
  const known = useRef(pending.length);
  useEffect(() => {
    if (pending.length > known.current) void timeline.toNewest();
    known.current = pending.length;
  }, [pending.length]);
  // Asked to show another entry, it draws once more and scrolls there.
  timeline.target.value;
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'End' || event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void timeline.toNewest();
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  };
  return (
    <>
      <div
        ref={scroller}
        class="talk"
        role="log"
        aria-label={words.label(who)}
        // What is read on the way through older messages is not announced.
        aria-live={isAtEnd.value ? 'polite' : 'off'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has focus
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={press}
      >
        {loading.value === 'older' && <p class="talk-edge">{words.loadingOlder}</p>}
        {failure.value?.side === 'older' && <PageFailed timeline={timeline} />}
        <div ref={rows} class="talk-rows">
          {timeline.isWhole && entries.length > 0 && <p class="day faint">{words.beginning}</p>}
          {entries.length === 0 && pending.length === 0 && <p class="day">{words.empty}</p>}
          <RowList thread={thread} timeline={timeline} entries={entries} now={now} openMenu={menu.open} />
          {timeline.isComplete || stretch.value === null ? <PendingRows pending={pending} /> : null}
        </div>
        {loading.value === 'newer' && <p class="talk-edge">{words.loadingNewer}</p>}
        {failure.value?.side === 'newer' && <PageFailed timeline={timeline} />}
      </div>
      {!isAtEnd.value && <JumpToNewest timeline={timeline} log={scroller} />}
      {menu.shown !== null && (
        <MessageMenu key={menu.shown.id} thread={thread} timeline={timeline} shown={menu.shown} close={menu.close} />
      )}
    </>
  );
}

function PageFailed({ timeline }: { timeline: ThreadTimeline }) {
  const side = timeline.failure.value?.side;
  return (
    <p class="talk-edge">
      {words.pageFailed}{' '}
      <button
        class="link"
        type="button"
        onClick={() => void (side === 'older' ? timeline.loadOlder() : timeline.loadNewer())}
      >
        {words.retry}
      </button>
    </p>
  );
}

/** Leads back to the end, and says how much has come there. */
function JumpToNewest({ timeline, log }: { timeline: ThreadTimeline; log: RefObject<HTMLElement | null> }) {
  const count = timeline.newMessages.value;
  const some = count < PAGE_SIZE ? words.newMessages(count) : words.manyNew(PAGE_SIZE);
  const jump = (): void => {
    // The button goes away.
    log.current?.focus({ preventScroll: true });
    void timeline.toNewest();
  };
  return (
    <div class="talk-jump" role="status">
      <button class="btn" type="button" onClick={jump}>
        {count === 0 ? words.toNewest : some}
      </button>
    </div>
  );
}
