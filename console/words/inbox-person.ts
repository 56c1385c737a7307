/** The words about a person. */
export const inboxPersonWords = {} as const;
