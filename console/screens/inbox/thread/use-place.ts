import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ThreadTimeline } from './thread-timeline.js';

/** From how near to an edge the next page is read, in heights of what is seen. */
const READ_AHEAD = 1.5;
/** The end is in sight within this distance, CSS pixels. */
const NEAR_END = 24;

/** An element, and how far below the upper edge it was. */
interface Anchor {
  readonly element: Element;
  readonly offset: number;
}

interface ThreadPlace {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rows: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
}

/**
 * Keeps what somebody reads where it is while entries come and go above and below it; at the end it stays at the end.
 * The browser’s own anchoring is switched off, since it does not work at the upper edge, nor in every browser.
 */
export function usePlace(timeline: ThreadTimeline, marker: unknown): ThreadPlace {
  const [scroller, rows] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const shownTarget = useRef(0);
  const anchor = timeline.isAtEnd.peek() ? null : anchorOf(scroller.current, rows.current);

  const toEnd = (): void => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  const readOn = (): void => {
    const element = scroller.current;
    if (element === null || timeline.stretch.peek() === null || timeline.failure.peek() !== null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const ahead = READ_AHEAD * clientHeight;
    if (scrollTop < ahead && !timeline.isWhole) void timeline.loadOlder();
    else if (scrollHeight - clientHeight - scrollTop < ahead && !timeline.isComplete) void timeline.loadNewer();
  };
  const onScroll = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const left = element.scrollHeight - element.clientHeight - element.scrollTop;
    const isAtEnd = left < NEAR_END && timeline.isComplete;
    if (isAtEnd !== timeline.isAtEnd.peek()) timeline.showsEnd(isAtEnd);
    readOn();
  };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const target = timeline.target.peek();
    if (target !== null && target.count !== shownTarget.current && show(rows.current, target.key)) {
      shownTarget.current = target.count;
    } else if (timeline.isAtEnd.peek()) toEnd();
    else if (anchor?.element.isConnected) element.scrollTop += offsetOf(anchor.element, element) - anchor.offset;
    readOn();
  });
  useEffect(() => {
    const [element, content] = [scroller.current, rows.current];
    if (element === null || content === null) return;
    const observer = new ResizeObserver(() => {
      if (timeline.isAtEnd.peek()) toEnd();
    });
    observer.observe(element);
    observer.observe(content);
    return () => observer.disconnect();
  }, [marker]);
  return { scroller, rows, onScroll };
}

const offsetOf = (element: Element, scroller: Element): number =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;

/** The first line that is in sight. */
function anchorOf(scroller: HTMLDivElement | null, rows: HTMLDivElement | null): Anchor | null {
  if (scroller === null || rows === null) return null;
  const edge = scroller.getBoundingClientRect().top;
  const { children } = rows;
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((children[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle;
    else low = middle + 1;
  }
  // Days come and go with the entries above them, so the anchor is an entry.
  let element = children[low];
  while (element?.nextElementSibling && !element.hasAttribute('data-key')) element = element.nextElementSibling;
  return element === undefined ? null : { element, offset: element.getBoundingClientRect().top - edge };
}

/** Brings an entry into sight and gives it focus. */
function show(rows: HTMLDivElement | null, key: string): boolean {
  const entry = rows?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
  entry?.scrollIntoView({ block: 'center' });
  entry?.focus({ preventScroll: true });
  return entry !== null;
}
