/** What PostgreSQL can store of a text that is not ours to refuse: no NUL, no lone surrogates. */
export const storableText = (value: string): string => value.replaceAll('\u0000', '').toWellFormed();
