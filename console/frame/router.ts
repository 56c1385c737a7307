import { batch, signal } from '@preact/signals';
import { hasNothingUnsaved, isOutdated } from '../data/version.js';
import { mayReload } from './reload-once.js';

/** What the browser keeps of an entry of its history. */
interface Entry {
  readonly key: number;
}

/** Where somebody was on a page that they may come back to. */
interface Place {
  readonly scroll: number;
  /** Finds the element that had focus. */
  readonly focus: string | null;
}

const placeKey = (): number => (history.state as Entry | null)?.key ?? 0;
const places = new Map<number, Place>();
let shown = placeKey();
/** What to do once the screen of the address is there; nothing after the first load. */
let arrival: Place | 'top' | null = null;

/** The path of the page. */
export const path = signal(location.pathname);
/** The query of its address: filters, orders, what is chosen. */
export const search = signal(new URLSearchParams(location.search));

/**
 * Goes to an address of the console. Where only the query changes, focus and scroll position stay.
 *
 * @param replace leaves no way back to the present one
 */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  const isOtherScreen = new URL(to, location.href).pathname !== location.pathname;
  if (isOtherScreen && isOutdated.value && hasNothingUnsaved() && mayReload()) {
    location.assign(to);
    return;
  }
  leave();
  if (!replace) shown = Date.now();
  const entry: Entry = { key: shown };
  if (replace) history.replaceState(entry, '', to);
  else history.pushState(entry, '', to);
  if (isOtherScreen) arrival = 'top';
  follow();
}

/**
 * Changes parameters of the address; null takes one out.
 *
 * @param replace leaves no way back to the present ones
 */
export function setSearch(changes: Readonly<Record<string, string | null>>, options: { replace?: boolean } = {}): void {
  navigate(location.pathname + searchWith(changes), options);
}

/** The query of the address with changed parameters, for links. */
export function searchWith(changes: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(search.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

/** Follows links and the browser’s own buttons. */
export function startRouter(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => {
    const isOtherScreen = location.pathname !== path.value;
    leave();
    shown = placeKey();
    if (isOtherScreen) arrival = places.get(shown) ?? 'top';
    follow();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (link === null || event.defaultPrevented || !isPlain || link.target !== '' || link.hasAttribute('download'))
      return;
    if (link.origin !== location.origin || !link.pathname.startsWith('/console')) return;
    event.preventDefault();
    // A fragment leads to a part of the page, and stays out of the address.
    if (link.hash === '') navigate(link.pathname + link.search);
    else document.getElementById(link.hash.slice(1))?.focus();
  });
}

/** Takes what the page shows from its address. */
function follow(): void {
  batch(() => {
    path.value = location.pathname;
    if (search.value.toString() !== new URLSearchParams(location.search).toString()) {
      search.value = new URLSearchParams(location.search);
    }
  });
}

/** Remembers the place on the page that is left. */
function leave(): void {
  const element = document.activeElement;
  const href = element?.getAttribute('href');
  const focus = element?.id ? `#${CSS.escape(element.id)}` : href ? `a[href="${CSS.escape(href)}"]` : null;
  places.set(shown, { scroll: scrollY, focus });
}

/** Called by a screen that is there: moves to its heading, or to where somebody was before. */
export function arrive(): void {
  if (arrival === null) return;
  const { scroll, focus } = arrival === 'top' ? { scroll: 0, focus: null } : arrival;
  arrival = null;
  scrollTo(0, scroll);
  const target = (focus === null ? null : document.querySelector<HTMLElement>(focus)) ?? document.querySelector('h1');
  target?.focus({ preventScroll: true });
}
