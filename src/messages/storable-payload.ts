import { type JsonObject, text } from '../values/network-json.js';

/** Levels of nested objects that are kept; what is deeper is left out. Nobody writes such a message by hand. */
const MAX_DEPTH = 64;

/** A copy that every database, parser and receiver can take: without NUL and half characters, and not nested deeply. */
export function storable(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value === 'string') return text(value) ?? '';
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => storable(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key) ?? '', storable(item, depth - 1)]));
}

/** Whether a value has more levels of nested objects than PostgreSQL's parser of JSON, or ours, reliably takes. */
export const isTooDeep = (value: unknown, depth = MAX_DEPTH): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((item) => isTooDeep(item, depth - 1)));

/** A message as it is stored: as it arrived, unless it is nested too deeply. */
export const storedPayload = (message: JsonObject): JsonObject =>
  isTooDeep(message) ? (storable(message) as JsonObject) : message;
