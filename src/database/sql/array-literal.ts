/** Strings that need no quotes in an array literal; the word NULL does. */
const PLAIN = /^(?!null$)[\w:.+@/-]+$/i;
const SPECIAL = /["\\]/g;

/**
 * Encodes a one-dimensional array as a PostgreSQL array literal. Bulk writes send arrays of thousands of ids, times and
 * numbers, and the driver would spend several calls and two regular expressions on each element.
 *
 * @returns null if an element is anything but a string, number, boolean, date or null; leave such arrays to the driver
 */
export function arrayLiteral(values: readonly unknown[]): string | null {
  let literal = '{';
  for (let index = 0; index < values.length; index += 1) {
    const element = elementOf(values[index]);
    if (element === null) return null;
    literal += index === 0 ? element : `,${element}`;
  }
  return `${literal}}`;
}

function elementOf(value: unknown): string | null {
  if (value === null || value === undefined) return 'NULL';
  switch (typeof value) {
    case 'string':
      return PLAIN.test(value) ? value : `"${value.replace(SPECIAL, '\\$&')}"`;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return value instanceof Date ? value.toISOString() : null;
  }
}
