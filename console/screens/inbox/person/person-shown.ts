import { signal } from '@preact/signals';

/** Whether the person is shown where there is no room for them all the time. */
export const isPersonShown = signal(false);
