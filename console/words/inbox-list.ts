/** The words of the inbox’s list. */
export const inboxListWords = {
  title: 'Inbox',
} as const;
