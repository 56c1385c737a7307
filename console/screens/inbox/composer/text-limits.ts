/** The limits of the API, in characters as it counts them. */
export const MAX_TEXT = 4096;
export const MAX_CAPTION = 1024;
export const MAX_NOTE = 2000;

/** From which share of a limit on the count is shown. */
const NEARLY = 0.9;

/** Length in Unicode code points, as the API counts. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** How long a text is where that is worth saying; null while it is far from its limit. */
export function nearLimit(text: string, limit: number): { readonly used: number; readonly isOver: boolean } | null {
  // Code points are never more than code units.
  if (text.length < limit * NEARLY) return null;
  const used = characters(text);
  return used < limit * NEARLY ? null : { used, isOver: used > limit };
}
