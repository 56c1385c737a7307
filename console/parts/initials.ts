/** The first letters of the first and the last name; of a number none. */
export function initialsOf(name: string): string {
  const parts = name.split(/\s+/).filter((part) => /^\p{L}/u.test(part));
  const [first = '', last = ''] = [parts[0], parts.length > 1 ? parts.at(-1) : ''].map((part) => [...(part ?? '')][0]);
  return (first + last).toUpperCase();
}
