import { urlOrNull } from '../values/parse-url.js';
import { extensionOf } from './media-limits.js';

/** Characters of a file name; the network takes 240. */
const MAX_NAME = 200;
/** Characters of an extension that are kept when a name is cut. */
const MAX_EXTENSION = 10;

/** Control and format characters: the latter can make a name read differently, such as `gpj.exe` for `exe.jpg`. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The last part of the URL's path as a file name: decoded and without folders. Empty when there is no usable one. */
export const nameInUrl = (url: string): string => fileName(urlOrNull(url)?.pathname.split('/').at(-1) ?? '');

/** A percent-encoded name as a file name; empty when it is not a usable one. */
export function fileName(encoded: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(encoded);
  } catch {
    return '';
  }
  return plainFileName(decoded);
}

/** A name without folders and characters that nobody sees, cut if it is long; empty when nothing usable is left. */
export function plainFileName(given: string): string {
  const name = (given.split(/[/\\]/).at(-1) ?? '').replace(INVISIBLE, '').trim();
  return /^\.*$/.test(name) ? '' : cut(name);
}

/** The name of a document that nobody has named, by its type. */
export const documentNameFor = (mimeType: string): string => `document.${extensionOf('document', mimeType)}`;

function cut(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= MAX_EXTENSION ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_NAME - extension.length), ...extension].join('');
}
