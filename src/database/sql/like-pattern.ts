/** A LIKE pattern that matches `text` anywhere; `%`, `_` and `\` in it match literally. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
