/** The fields of a contact that a saved reply may name. */
export type Fields = Readonly<Partial<Record<FieldName, string | null>>>;
export type FieldName = 'first_name' | 'last_name' | 'phone_number' | 'email' | 'company';

const NAMES: readonly string[] = ['first_name', 'last_name', 'phone_number', 'email', 'company'] satisfies FieldName[];
const VARIABLE = /\{\{([^{}]*)\}\}/g;
const FIRST_VARIABLE = /\{\{[^{}]*\}\}/;

/** A text of which the variables that have a value are replaced; the others stay as they are written. */
export interface FilledReply {
  readonly text: string;
  /** The variables without a value, each once. */
  readonly missing: readonly string[];
}

export function fillReply(text: string, fields: Fields): FilledReply {
  const missing = new Set<string>();
  const filled = text.replace(VARIABLE, (whole, name: string) => {
    const value = NAMES.includes(name) ? fields[name as FieldName] : null;
    if (typeof value === 'string' && value.trim() !== '') return value;
    missing.add(name);
    return whole;
  });
  return { text: filled, missing: [...missing] };
}

/** Where the first variable stands that nobody has filled; null without one. */
export function firstVariable(text: string): { readonly start: number; readonly end: number } | null {
  const found = FIRST_VARIABLE.exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}
