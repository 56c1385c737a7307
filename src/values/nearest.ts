/** Edits after which a name counts as a different one, relative to its length. */
const MAX_DISTANCE_SHARE = 0.4;

/** `message`, followed by the nearest of `names` as a suggestion if one is similar to `given`. */
export function withNearest(message: string, given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names);
  return nearest === null ? message : `${message}. Did you mean ${JSON.stringify(nearest)}?`;
}

/** The name most similar to `given`, or null when none is similar. */
export function nearestName(given: string, names: readonly string[]): string | null {
  const wanted = given.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length * MAX_DISTANCE_SHARE)) + 1;
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Insertions, deletions and substitutions that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
