import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Rows beyond each edge of what is seen. */
const BEYOND = 6;
/** Until one was measured, pixels. */
const USUAL_ROW = 76;
/** How long scrolling has to stop before rows are asked for, milliseconds. */
const SETTLE_MS = 80;

/** The stretch of a long list that has elements. */
export interface RowWindow {
  readonly first: number;
  readonly count: number;
  /** The first row in sight. */
  readonly seen: number;
  /** How many elements are used in turn. */
  readonly slots: number;
  /** Of one row, pixels. */
  readonly rowHeight: number;
  /** Scrolls until a row is seen, no further than needed. */
  readonly reveal: (index: number) => void;
}

interface Geometry {
  readonly row: number;
  readonly view: number;
}

/**
 * Follows the scroll position of a list of equal rows, and measures one of them: text may become larger at any time.
 *
 * @param scroller has the list as its first child
 * @param onSettled called with the rows in the window when they have stopped moving
 * @param beforeMove called before other rows come into the window
 */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  size: number,
  onSettled: (from: number, to: number) => void,
  beforeMove: (first: number, count: number) => void,
): RowWindow {
  const geometry = useSignal<Geometry>({ row: USUAL_ROW, view: 0 });
  const top: Signal<number> = useSignal(0);
  const latest = useRef({ size, onSettled, beforeMove });
  latest.current = { size, onSettled, beforeMove };
  const position = useRef(0);

  const { row, view } = geometry.value;
  const count = Math.ceil(view / row) + 2 * BEYOND;
  const last = Math.max(0, size - count);
  const first = Math.min(Math.max(0, top.value - BEYOND), last);

  const follow = (): void => {
    const element = scroller.current;
    // What is not shown has no position.
    if (element === null || element.clientHeight === 0) return;
    position.current = element.scrollTop;
    const next = Math.floor(position.current / geometry.peek().row);
    if (next === top.peek()) return;
    const behind = Math.max(0, latest.current.size - count);
    latest.current.beforeMove(Math.min(Math.max(0, next - BEYOND), behind), count);
    top.value = next;
  };
  const followLatest = useRef(follow);
  followLatest.current = follow;
  useEffect(() => {
    let frame = 0;
    const element = scroller.current;
    const scrolled = (): void => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        followLatest.current();
      });
    };
    element?.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      element?.removeEventListener('scroll', scrolled);
      cancelAnimationFrame(frame);
    };
  }, []);

  const hidden = useRef(false);
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const one = element?.querySelector('li');
    if (element === null || !one) return;
    const measure = (): void => {
      const seen = element.clientHeight;
      const measured = one.getBoundingClientRect().height;
      if (seen === 0 || measured === 0) {
        hidden.current = true;
        return;
      }
      // Browsers may forget the position of what was hidden.
      if (hidden.current) element.scrollTop = position.current;
      hidden.current = false;
      const before = geometry.peek();
      if (before.row === measured && before.view === seen) return;
      if (before.row !== measured) wanted.current = (element.scrollTop / before.row) * measured;
      geometry.value = { row: measured, view: seen };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(one);
    measure();
    return () => observer.disconnect();
  }, [count]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const list = element?.firstElementChild;
    if (element === null || !(list instanceof HTMLElement)) return;
    list.style.blockSize = `${size * row}px`;
    if (wanted.current !== null) element.scrollTop = wanted.current;
    wanted.current = null;
    followLatest.current();
  }, [size, row, view]);
  useEffect(() => {
    if (view === 0) return;
    const timer = setTimeout(() => latest.current.onSettled(first, Math.min(first + count, size)), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [first, count, size, view]);

  return {
    first,
    count: Math.min(count, size),
    seen: Math.min(top.value, size - 1),
    slots: count,
    rowHeight: row,
    reveal: (index) => {
      const element = scroller.current;
      if (element === null) return;
      const [start, end] = [index * row, (index + 1) * row];
      if (start < element.scrollTop) element.scrollTop = start;
      else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
      follow();
    },
  };
}
