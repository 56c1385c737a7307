import { signal } from '@preact/signals';

/** Whether the person is shown over the thread, on screens that are too narrow to show both beside each other. */
export const isPersonShown = signal(false);
