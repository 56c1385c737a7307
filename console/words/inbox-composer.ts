/** The words of the composer. */
export const inboxComposerWords = {} as const;
