import { signal } from '@preact/signals';

/** The account of the address, which every request names; null on pages that belong to none. */
export const accountId = signal<string | null>(null);
