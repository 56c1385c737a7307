/** Texts that an array literal takes as they are; NULL as a word is not among them. */
const PLAIN = /^(?!null$)[\w:.+@/-]+$/i;
const SPECIAL = /["\\]/g;

/**
 * The text form of a one-dimensional array, as PostgreSQL reads it. Bulk writes carry arrays of thousands of ids, times
 * and numbers, which the driver would take through several calls and two searches each.
 *
 * @returns null where an element is neither text, number, boolean, date nor null: the driver knows how to write those
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
