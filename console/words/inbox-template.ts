/** The words of choosing a template for one person. */
export const inboxTemplateWords = {} as const;
