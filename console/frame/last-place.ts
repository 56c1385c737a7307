import { effect, signal } from '@preact/signals';
import { session } from '../data/session.js';
import { addressOf, parseAddress } from './route-match.js';
import { path, search } from './router.js';
import type { NavigationEntry } from './screens.js';

/** Where somebody was last on a screen to which its entry leads back, by the address of the entry. */
const places = signal<ReadonlyMap<string, string>>(new Map());
let person: string | null = null;

const isBelow = (entry: NavigationEntry, below: string): boolean =>
  below === entry.marks || below.startsWith(`${entry.marks}/`);

/** Remembers where somebody is on the screens that keep their place, in this tab and until they sign out. */
export function startPlaces(entries: readonly NavigationEntry[]): void {
  effect(() => {
    const now = session.value?.user.user_id ?? null;
    if (now !== person) places.value = new Map();
    person = now;
  });
  effect(() => {
    const { accountId, path: below } = parseAddress(path.value);
    const entry = entries.find((one) => one.keepsPlace === true && isBelow(one, below));
    if (entry === undefined || accountId === null || session.value === null) return;
    const query = search.value.toString();
    const place = path.value + (query === '' ? '' : `?${query}`);
    places.value = new Map(places.peek()).set(addressOf(accountId, entry.path), place);
  });
}

/** Where an entry of the navigation leads: from another screen, to where somebody was before. */
export function addressOfEntry(entry: NavigationEntry, account: string | null, below: string): string {
  const address = addressOf(account, entry.path);
  return isBelow(entry, below) ? address : (places.value.get(address) ?? address);
}
