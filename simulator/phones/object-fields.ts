import type { Exchange } from '../exchange.js';
import { GraphError } from '../graph-error.js';

/** What is read of an object, by the names of its fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** The names in the query's `fields`, without what is asked of each (`a{b,c}`, `a.b(c)`); undefined if it has none. */
function askedFor({ query }: Exchange): string[] | undefined {
  const fields = query.get('fields');
  if (fields === null) return undefined;
  let depth = 0;
  let names = '';
  for (const character of fields) {
    if (character === '{' || character === '(') depth += 1;
    else if (character === '}' || character === ')') depth -= 1;
    else if (depth === 0) names += character;
  }
  return names.split(',').flatMap((name) => (name.split('.')[0] ?? '').trim() || []);
}

/**
 * The fields of an object that a call asks for, or else the usual ones, always with the id. Fields that the object could
 * have but has not are left out.
 *
 * @throws GraphError 100 for a field that no such object has
 */
export function readFields(
  exchange: Exchange,
  object: Fields,
  known: readonly string[],
  usual: readonly string[],
): object {
  const asked = askedFor(exchange) ?? usual;
  const unknown = asked.find((field) => !known.includes(field));
  if (unknown !== undefined) throw new GraphError(100, `Tried accessing nonexisting field (${unknown})`);
  const shown = [...asked, 'id'].filter((field) => object[field] !== undefined);
  return Object.fromEntries(shown.map((field) => [field, object[field]]));
}
