import { useRef } from 'preact/hooks';

/** Keeps focus on its row, and in the list when its row goes out of the window. */
export function useRowFocus(scroller: { readonly current: HTMLElement | null }) {
  const [place, wanted] = [useRef<number | null>(null), useRef<number | null>(null)];
  const tabStop = useRef<HTMLElement | null>(null);
  /** Whether focus is on a row, or on the list while its row is out of the window. */
  const hasFocus = (): boolean => {
    const { current } = scroller;
    const { activeElement } = document;
    return current !== null && (activeElement === current || rowsOf(current)?.contains(activeElement) === true);
  };
  const linkAt = (index: number | null): HTMLElement | null =>
    index === null ? null : (rowsOf(scroller.current)?.querySelector<HTMLElement>(`[data-index="${index}"] a`) ?? null);
  const settle = (): void => {
    const link = linkAt(wanted.current);
    if (link === null) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  };
  return {
    settle,
    hasFocus,
    /** Where focus is, or was before its row went out of the window. */
    place: (): number | null => (hasFocus() ? (wanted.current ?? place.current) : null),
    /** Focus goes there as soon as the row has an element. */
    want: (index: number): void => {
      wanted.current = index;
      if (hasFocus()) scroller.current?.focus({ preventScroll: true });
    },
    note: ({ target }: Event): void => {
      const index =
        target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset['index'] : undefined;
      if (index === undefined) return;
      place.current = Number(index);
      wanted.current = null;
    },
    /** The element of a row that goes out of the window shows another one: focus must not go with it. */
    leave: (first: number, count: number): void => {
      const { current } = place;
      if (current === null || !hasFocus() || document.activeElement === scroller.current) return;
      if (current < first || current >= first + count) scroller.current?.focus({ preventScroll: true });
    },
    /**
     * Of all rows Tab reaches one: that with focus, else that of the open thread, else the last that had focus.
     *
     * @param open the place of the open thread
     * @param seen the first row in sight, where none of these has an element
     */
    stop: (open: number | null, seen: number): void => {
      let link: HTMLElement | null = null;
      for (const index of [hasFocus() ? place.current : null, open, place.current, seen]) link ??= linkAt(index);
      link ??= rowsOf(scroller.current)?.querySelector('a') ?? null;
      if (tabStop.current === link) return;
      if (tabStop.current !== null) tabStop.current.tabIndex = -1;
      if (link !== null) link.tabIndex = 0;
      tabStop.current = link;
    },
  };
}

/** The list in what scrolls; below it may stand more. */
const rowsOf = (scroller: HTMLElement | null): Element | null => scroller?.firstElementChild ?? null;
