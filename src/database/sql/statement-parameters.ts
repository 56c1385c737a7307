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
  return parameters.map((value, index) => {
    if (!Array.isArray(value)) return value;
    const type = casts.get(index + 1);
    return (type === undefined ? null : binaryArray(type, value)) ?? arrayLiteral(value) ?? value;
  });
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
