import type { SavedReplyRecord } from '../../../clients/typescript/src/generated/schema.js';
import { settingsWords } from '../../words/inbox-settings.js';

export type SavedReply = SavedReplyRecord;

/** Characters, as the API counts them. */
export const MAX_NAME = 60;
export const MAX_TEXT = 4096;

/** The fields of a person that a saved reply may name, with made-up values. */
export const EXAMPLES: Readonly<Record<string, string>> = settingsWords.replies.examples;
export const VARIABLES: readonly string[] = Object.keys(EXAMPLES);

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** Characters, of which some take two places in a text. */
export const lengthOf = (text: string): number => [...text.trim()].length;

/** What is wrong with a name; null for nothing. */
export function wrongName(name: string): string | null {
  const { emptyName, tooLong } = settingsWords.replies;
  const length = lengthOf(name);
  if (length === 0) return emptyName;
  return length > MAX_NAME ? tooLong(length, MAX_NAME) : null;
}

/** What is wrong with a text; null for nothing. */
export function wrongText(text: string): string | null {
  const { emptyText, tooLong, unknownVariable } = settingsWords.replies;
  const length = lengthOf(text);
  if (length === 0) return emptyText;
  if (length > MAX_TEXT) return tooLong(length, MAX_TEXT);
  const unknown = [...text.matchAll(VARIABLE)].map(([, name = '']) => name).find((name) => !VARIABLES.includes(name));
  return unknown === undefined ? null : unknownVariable(unknown, VARIABLES.join(', '));
}

/** The text as a made-up person would get it. */
export const previewOf = (text: string): string =>
  text.replace(VARIABLE, (whole, name: string) => EXAMPLES[name] ?? whole);

/** Those whose name or text has a word in it, by name. */
export function found(replies: readonly SavedReply[], search: string): readonly SavedReply[] {
  const wanted = search.trim().toLowerCase();
  return replies
    .filter(({ name, text }) => wanted === '' || `${name}\n${text}`.toLowerCase().includes(wanted))
    .sort((one, other) => one.name.localeCompare(other.name));
}
