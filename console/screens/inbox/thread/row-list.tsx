import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { OpenThread } from '../open-thread.js';
import type { Entry } from '../records.js';
import { ChangeLine } from './change-line.js';
import type { OpenMenu } from './message-menu.js';
import { MessageRow } from './message-row.js';
import { clockOf, dayName, daysBetween, fullOf } from './moments.js';
import { NoteRow } from './note-row.js';
import { type Row, rowsOf } from './thread-rows.js';
import type { ThreadTimeline } from './thread-timeline.js';

interface RowListProps {
  readonly thread: OpenThread;
  readonly timeline: ThreadTimeline;
  readonly entries: readonly Entry[];
  readonly now: Date;
  readonly openMenu: OpenMenu;
}

interface Drawn {
  readonly entry: Entry;
  readonly isContinued: boolean;
  readonly node: VNode;
}

/** The lines of what is held. A line whose entry has not changed is not drawn again. */
export function RowList({ thread, timeline, entries, now, openMenu }: RowListProps) {
  const last = useRef<ReadonlyMap<string, Drawn>>(new Map());
  const end = thread.conversation.value?.window_expires_at ?? null;
  const isClosed = end !== null && new Date(end) <= now && timeline.isComplete;
  const rows = rowsOf(entries, isClosed ? end : null);
  const drawn = new Map<string, Drawn>();
  const draw = (row: Extract<Row, { kind: 'entry' }>): VNode => {
    const { key, entry, isContinued } = row;
    const known = last.current.get(key);
    const isSame = known?.entry === entry && known.isContinued === isContinued;
    const one = isSame
      ? known
      : { entry, isContinued, node: <EntryRow key={key} {...{ row, thread, timeline, openMenu }} /> };
    drawn.set(key, one);
    return one.node;
  };
  const nodes = rows.map((row) => {
    if (row.kind === 'day') {
      return (
        <p key={row.key} class="day">
          <time dateTime={row.at}>{dayLabel(row.at, now)}</time>
        </p>
      );
    }
    if (row.kind === 'closed') {
      const text = words.windowClosed(daysBetween(row.at, now), clockOf(row.at), dayName(row.at, now));
      return (
        <p key={row.key} class="event num" title={fullOf(row.at)}>
          <Icon name="lock" />
          {text}
        </p>
      );
    }
    return draw(row);
  });
  last.current = drawn;
  return <>{nodes}</>;
}

function dayLabel(at: string, now: Date): string {
  const days = daysBetween(at, now);
  return days === 0 ? words.today : days === 1 ? words.yesterday : dayName(at, now);
}

interface EntryRowProps {
  readonly row: Extract<Row, { kind: 'entry' }>;
  readonly thread: OpenThread;
  readonly timeline: ThreadTimeline;
  readonly openMenu: OpenMenu;
}

function EntryRow({ row, thread, timeline, openMenu }: EntryRowProps) {
  const { key, entry, isContinued } = row;
  const { message, note, change } = entry;
  if (message !== undefined) return <MessageRow {...{ id: key, message, isContinued, thread, timeline, openMenu }} />;
  if (note !== undefined) return <NoteRow note={note} />;
  return change === undefined ? null : <ChangeLine id={key} change={change} at={entry.at} />;
}
