/** Makes text that we cannot reject storable in PostgreSQL: no NUL, no lone surrogates. */
export const storableText = (value: string): string => value.replaceAll('\u0000', '').toWellFormed();
