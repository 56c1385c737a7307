import { effect, type Signal, signal } from '@preact/signals';
import type { InboxOrder } from './inbox-order.js';

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The theme of this browser. */
export const theme: Signal<Theme> = signal(THEMES.find((one) => one === kept('theme')) ?? 'system');
/** Whether single letters are shortcuts. */
export const shortcuts: Signal<boolean> = signal(kept('shortcuts') !== 'off');
/** Who comes first in the inbox. */
export const inboxOrder: Signal<InboxOrder> = signal(
  kept('inbox-order') === 'longest_waiting' ? 'longest_waiting' : 'last_inbound',
);

/** Whether a notification says that people wait, while no page is seen. */
export const notifies: Signal<boolean> = signal(kept('notifications') === 'on');
/** The same with a sound. */
export const sounds: Signal<boolean> = signal(kept('sound') === 'on');
/** Whether people are told that their messages were read. */
export const sendsReceipts: Signal<boolean> = signal(kept('receipts') !== 'off');

/** Whether Enter sends what somebody writes, and Ctrl Enter is a new line; otherwise it is the other way round. */
export const enterSends: Signal<boolean> = signal(kept('enter-sends') === 'on');

/** Applies the preferences to the page, and keeps them in this browser from now on. */
export function applyPreferences(): void {
  effect(() => {
    const { dataset } = document.documentElement;
    if (theme.value === 'system') delete dataset['theme'];
    else dataset['theme'] = theme.value;
    keep('theme', theme.value);
  });
  effect(() => keep('shortcuts', shortcuts.value ? 'on' : 'off'));
  effect(() => keep('enter-sends', enterSends.value ? 'on' : 'off'));
  effect(() => keep('inbox-order', inboxOrder.value));
  effect(() => keep('notifications', notifies.value ? 'on' : 'off'));
  effect(() => keep('sound', sounds.value ? 'on' : 'off'));
  effect(() => keep('receipts', sendsReceipts.value ? 'on' : 'off'));
}

/** Browsers can be set to refuse storage. */
function kept(name: string): string | null {
  try {
    return localStorage.getItem(`parley.${name}`);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`parley.${name}`, value);
  } catch {
    // Then it lasts as long as the page.
  }
}
