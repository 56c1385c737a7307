/** The words of a thread. */
export const inboxThreadWords = {
  none: 'Choose a conversation.',
} as const;
