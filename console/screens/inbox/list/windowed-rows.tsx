import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLetters } from '../../../frame/letters.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import type { Conversation } from '../records.js';
import { isSameThread, type ThreadKey, threadOf } from '../thread-key.js';
import type { ConversationsFilter } from './conversations-filter.js';
import { rowKey } from './row-facts.js';
import { RowSlot } from './row-slot.js';
import type { ConversationList } from './use-conversations.js';
import { useRowFocus } from './use-row-focus.js';
import { useWindow } from './use-window.js';

/** Keys that move through rows besides the letters. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
/** How far a row that is seen may have moved for the list to follow it. */
const FOLLOWED = 50;

interface WindowedRowsProps {
  readonly list: ConversationList;
  /** The same for all rows that it ever shows. */
  readonly filter: ConversationsFilter;
  readonly open: ThreadKey | null;
  /** Below the last row, from when it has come into the window. */
  readonly end: VNode;
  /** Gets what takes focus to the first row. */
  readonly toFirst: { current: (() => void) | null };
}

/** A slot as it was drawn: what has not changed since is not drawn again. */
interface Drawn {
  readonly facts: readonly unknown[];
  readonly node: VNode;
}

/** Conversations of which only those around what is seen have elements. */
export function WindowedRows({ list, filter, open, end, toFirst }: WindowedRowsProps) {
  const { rowAt, size } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const focus = useRowFocus(scroller);
  const shown = useWindow(scroller, size, list.need, focus.leave);
  const { first, count, rowHeight, reveal } = shown;
  const hasEnded = useRef(false);
  hasEnded.current ||= first + count >= size;
  useAnchor(scroller, list, rowHeight);

  const go = (index: number): void => {
    focus.want(index);
    reveal(index);
    focus.settle();
  };
  useLayoutEffect(() => {
    toFirst.current = () => go(0);
  });
  const step = (by: number): void => {
    // The pane of the list may be hidden behind a thread.
    if (scroller.current === null || scroller.current.clientHeight === 0) return;
    const from = focus.place() ?? openPlace(list, open, 0, size);
    go(from === null ? 0 : Math.min(Math.max(from + by, 0), size - 1));
  };
  const stop = (): void => focus.stop(openPlace(list, open, first, count), shown.seen);
  useLayoutEffect(() => {
    focus.settle();
    stop();
  });
  useLetters({
    j: { label: words.keys.next, press: () => step(1) },
    k: { label: words.keys.previous, press: () => step(-1) },
  });

  const latest = useRef({ step, stop, focus });
  latest.current = { step, stop, focus };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const by = STEPS[event.key];
      if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || !latest.current.focus.hasFocus())
        return;
      event.preventDefault();
      latest.current.step(by);
    };
    const note = (event: FocusEvent): void => {
      latest.current.focus.note(event);
      latest.current.stop();
    };
    scroller.current?.addEventListener('keydown', press);
    scroller.current?.addEventListener('focusin', note);
    // Where focus goes next is known only afterwards.
    scroller.current?.addEventListener('focusout', () => queueMicrotask(() => latest.current.stop()));
  }, []);

  const drawn = useRef(new Map<number, Drawn>());
  const slot = (index: number, slots: number): VNode => {
    const conversation = rowAt(index);
    const isOpen = conversation !== undefined && open !== null && isSameThread(threadOf(conversation), open);
    const facts = [index, conversation, isOpen, size, rowHeight];
    const before = drawn.current.get(index % slots);
    if (before?.facts.every((fact, place) => fact === facts[place]) === true) return before.node;
    const row = { conversation, filter, isOpen, index, size, offset: index * rowHeight };
    const node = <RowSlot key={index % slots} {...row} />;
    drawn.current.set(index % slots, { facts, node });
    return node;
  };
  return (
    <div class="rows" ref={scroller} tabIndex={-1}>
      <ul aria-label={words.name}>{Array.from({ length: count }, (_, place) => slot(first + place, shown.slots))}</ul>
      {hasEnded.current && end}
    </div>
  );
}

/** The place of the row of the open thread, among those of a stretch that were read. */
function openPlace({ rowAt }: ConversationList, open: ThreadKey | null, first: number, count: number): number | null {
  if (open === null) return null;
  for (let index = first; index < first + count; index++) {
    const row: Conversation | undefined = rowAt(index);
    if (row !== undefined && isSameThread(threadOf(row), open)) return index;
  }
  return null;
}

/** Keeps the first row that is seen where it is when others come or go before it. */
function useAnchor(
  scroller: { readonly current: HTMLElement | null },
  { rowAt, size }: ConversationList,
  rowHeight: number,
): void {
  const anchor = useRef<{ readonly key: string; readonly index: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || element.clientHeight === 0) return;
    const index = Math.floor(element.scrollTop / rowHeight);
    const { current } = anchor;
    const keyAt = (at: number): string | null => {
      const row = rowAt(at);
      return row === undefined ? null : rowKey(row);
    };
    if (current !== null && current.index === index && index > 0 && keyAt(index) !== current.key) {
      for (let by = 1; by <= FOLLOWED; by++) {
        const found = [index + by, index - by].find((at) => at >= 0 && at < size && keyAt(at) === current.key);
        if (found === undefined) continue;
        element.scrollTop += (found - index) * rowHeight;
        anchor.current = { key: current.key, index: found };
        return;
      }
    }
    const key = keyAt(index);
    anchor.current = key === null ? null : { key, index };
  });
}
