import { arrayLiteral } from './array-literal.js';
import { binaryArray } from './binary-array.js';

/** Statements whose casts are cached; nearly all statement texts are constants. */
const MAX_TEXTS = 1000;
/** Matches a parameter that the statement casts to an array, such as `$1::uuid[]`. */
const ARRAY_CAST = /\$(\d+)::([a-z0-9]+)\[\]/g;

const castsOf = new Map<string, ReadonlyMap<number, string>>();

/** Encodes parameters for the wire: arrays in binary where `sql` casts them to a known type, otherwise as text. */
export function encodeParameters(sql: string, parameters: readonly unknown[]): unknown[] {
  if (!parameters.some(Array.isArray)) return [...parameters];
  const casts = arrayCasts(sql);
  const encoded = [...parameters];
  for (let index = 0; index < encoded.length; index += 1) {
    const value = encoded[index];
    if (!Array.isArray(value)) continue;
    const type = casts.get(index + 1);
    encoded[index] =
      (type === undefined ? null : binaryArray(type, value)) ??
      (value.length === 0 ? '{}' : arrayLiteral(value)) ??
      value;
  }
  return encoded;
}

/** Element types by parameter number. */
function arrayCasts(sql: string): ReadonlyMap<number, string> {
  const known = castsOf.get(sql);
  if (known !== undefined) return known;
  const casts = new Map<number, string>();
  for (const [, place, type] of sql.matchAll(ARRAY_CAST)) if (type !== undefined) casts.set(Number(place), type);
  if (castsOf.size < MAX_TEXTS) castsOf.set(sql, casts);
  return casts;
}
