import { signal } from '@preact/signals';

/** Whether Parley can't be reached: the device has no connection, or the last request had no answer. */
export const isOffline = signal(!navigator.onLine);
/** When Parley last answered. */
export const lastHeard = signal(new Date());
/** Until when requests wait because there were too many; null when none does. */
export const waitsUntil = signal<Date | null>(null);

/** Waits of fewer seconds are not worth a sentence. */
const MIN_SHOWN_SECONDS = 3;

/** Notes that Parley has answered. */
export function heard(): void {
  lastHeard.value = new Date();
  isOffline.value = false;
}

/** Notes that a request had no answer. */
export function lost(): void {
  isOffline.value = true;
}

/** Notes that requests wait. */
export function holdsBack(seconds: number): void {
  if (seconds > MIN_SHOWN_SECONDS) waitsUntil.value = new Date(Date.now() + seconds * 1000);
}

addEventListener('offline', lost);
