/** The words of handing conversations on, and of what waits. */
export const inboxWorkWords = {} as const;
