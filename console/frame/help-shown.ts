import { signal } from '@preact/signals';

/** Whether the list of shortcuts is shown. */
export const isHelpShown = signal(false);
