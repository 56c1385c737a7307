import { urlOrNull } from '../../src/values/parse-url.js';
import { GraphError } from '../graph-error.js';
import { isObject, isText, type JsonObject } from '../json-object.js';

const LINK = /^https?:\/\/[^\s/]+/i;

/** Whether media with this id was uploaded for the sending phone and has not expired. */
export type KnowsMedia = (id: string) => boolean;

export const isLink = (value: unknown): value is string =>
  typeof value === 'string' && LINK.test(value) && urlOrNull(value) !== null;

/** What a browser opens as it is: nothing but the characters of a URL, and whole codes of bytes. */
const OPENABLE = /^(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2})*(?:#(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2})*)?$/i;

/** Whether a button can open a URL, or its beginning. */
export const isOpenable = (url: string): boolean => OPENABLE.test(url);

/** Requires media in a message or a template header to have either a known `id` or an http(s) `link`. */
export function checkMedia(medium: unknown, type: string, knowsMedia: KnowsMedia): JsonObject {
  if (!isObject(medium)) throw GraphError.missing(type);
  const { id, link } = medium;
  if (id === undefined && link === undefined) throw new GraphError(131008, `${type} needs an id or a link`);
  if (id !== undefined && link !== undefined) throw new GraphError(100, `${type} takes an id or a link, not both`);
  if (link !== undefined && !isLink(link)) throw new GraphError(100, `Param ${type}['link'] is not a valid URI.`);
  if (id !== undefined && !(isText(id) && knowsMedia(id))) {
    throw new GraphError(100, `Param ${type}['id'] is not a valid whatsapp business account media attachment ID`);
  }
  return medium;
}
