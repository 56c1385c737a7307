import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const BUTTONS = 'button.act';

/**
 * Of the many buttons of a thread only one is reached with Tab: the one that had focus last, else that of the newest
 * message. From there the arrow keys lead to the others.
 */
export function useOneTabStop(scroller: RefObject<HTMLElement | null>): void {
  const current = useRef<HTMLElement | null>(null);
  const stop = (button: HTMLElement | null): void => {
    if (current.current === button) return;
    if (current.current !== null) current.current.tabIndex = -1;
    if (button !== null) button.tabIndex = 0;
    current.current = button;
  };
  useEffect(() => {
    const element = scroller.current;
    if (element === null || element.contains(document.activeElement)) return;
    const all = element.querySelectorAll<HTMLElement>(BUTTONS);
    stop(all[all.length - 1] ?? null);
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const focusIn = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target.matches(BUTTONS)) stop(target);
    };
    const press = (event: KeyboardEvent): void => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const { target } = event;
      if (step === 0 || !(target instanceof HTMLElement) || !target.matches(BUTTONS)) return;
      event.preventDefault();
      const all = [...element.querySelectorAll<HTMLElement>(BUTTONS)];
      all[all.indexOf(target) + step]?.focus();
    };
    element.addEventListener('focusin', focusIn);
    element.addEventListener('keydown', press);
    return () => {
      element.removeEventListener('focusin', focusIn);
      element.removeEventListener('keydown', press);
    };
  }, []);
}
