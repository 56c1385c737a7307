import { arrayLiteral } from './array-literal.js';
import { binaryArray } from './binary-array.js';

/** Statement texts whose casts are remembered; texts are constants but for a few that are put together. */
const MAX_TEXTS = 1000;
/** A parameter that the statement casts to an array of a plain type. */
const ARRAY_CAST = /\$(\d+)::([a-z0-9]+)\[\]/g;

const castsOf = new Map<string, ReadonlyMap<number, string>>();

/** Parameters in the form in which they travel: arrays as bytes where `sql` says of what they are, else as text. */
export function encodeParameters(sql: string, parameters: readonly unknown[]): unknown[] {
  if (!parameters.some(Array.isArray)) return [...parameters];
  const casts = arrayCasts(sql);
  return parameters.map((value, index) => {
    if (!Array.isArray(value)) return value;
    const type = casts.get(index + 1);
    return (type === undefined ? null : binaryArray(type, value)) ?? arrayLiteral(value) ?? value;
  });
}

/** Element types by the number of their parameter. */
function arrayCasts(sql: string): ReadonlyMap<number, string> {
  const known = castsOf.get(sql);
  if (known !== undefined) return known;
  const casts = new Map<number, string>();
  for (const [, place, type] of sql.matchAll(ARRAY_CAST)) if (type !== undefined) casts.set(Number(place), type);
  if (castsOf.size < MAX_TEXTS) castsOf.set(sql, casts);
  return casts;
}
